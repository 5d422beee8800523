import type { IncomingMessage } from 'node:http'
import type { Caller } from '#src/contract/caller.ts'
import type { CsvDialect } from '#src/contract/csv.ts'
import type { Database } from '#src/contract/db.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { AnyOperation, Operation } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidParameter, notAcceptable, signInRequired } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import { recordChange } from '#src/db/audit.ts'
import { isWrongValue } from '#src/db/sqlstates.ts'
import { matchesEtag } from '#src/kit/cacheable.ts'
import { type AnyCells, CSV_TYPE, csvPieces, listColumns } from './csv.ts'
import { trimTo } from './fields.ts'
import type { HandlerRun } from './handler-run.ts'
import { computeEtag } from './preconditions.ts'
import { readToday } from './queries.ts'
import { render } from './render.ts'
import { checkRole } from './who.ts'

/** The parts of a read request on which its response depends. */
type ReadRequest = {
  readonly raw: IncomingMessage
  readonly school: School
  readonly operation: Operation
  readonly path: string
  readonly query: string
  readonly requestId: string
}

const JSON_ACCEPTED = /(?:^|[\s,])(?:\*\/\*|application\/\*|application\/json|application\/problem\+json)(?=$|[\s;,])/i
const CSV_ACCEPTED = /(?:^|[\s,])text\/(?:csv|\*)(?=$|[\s;,])/i

/** Whether the Accept header accepts JSON, as it does when it is missing. */
export const acceptsJson = (accept = '*/*'): boolean => accept === '' || JSON_ACCEPTED.test(accept)

/** The media type of the response by the Accept header; refuses when the operation has none that is accepted. */
export const chooseForm = (raw: IncomingMessage, operation: Operation): 'json' | 'csv' => {
  const { accept = '' } = raw.headers
  if (acceptsJson(accept)) return 'json'
  if (operation.csv !== undefined && CSV_ACCEPTED.test(accept)) return 'csv'
  const orCsv = operation.csv === undefined ? '' : ' or text/csv'
  throw new Refusal(notAcceptable, `This operation returns application/json${orCsv}.`)
}

const cacheHeaders = (caller: Caller): Record<string, string> => ({
  'cache-control': caller.member === undefined ? 'public, max-age=0, must-revalidate' : 'private, no-store',
  vary: 'Authorization',
})

// RFC 8288: the next page, for clients that follow links.
const nextLink = ({ query, school, path }: ReadRequest, value: unknown): Record<string, string> => {
  if (typeof value !== 'object' || value === null || !('has_more' in value) || value.has_more !== true) return {}
  const next = new URLSearchParams(query)
  if ('next_cursor' in value) next.set('cursor', String(value.next_cursor))
  if ('next_after' in value) next.set('after', String(value.next_after))
  return { link: `<${school.baseUrl}${path}?${next}>; rel="next"` }
}

// The tag of a cursor shows that it belongs to the list, but anybody can compute it, so its values may not have the types
// of the columns.
const cursorRefusal = ({ query }: ReadRequest, error: unknown): Refusal | undefined => {
  const names = new URLSearchParams(query)
  if (!isWrongValue(error) || !(names.has('cursor') || names.has('after'))) return undefined
  return new Refusal(invalidParameter, 'The position in cursor or after does not belong to this list.')
}

/** The reply to a read, or 304 when the caller has its ETag. */
export const unlessCurrent = (raw: IncomingMessage, reply: Reply): Reply => {
  const etag = reply.headers?.etag
  if (reply.status !== 200 || typeof etag !== 'string') return reply
  if (!matchesEtag(raw.headers['if-none-match'], etag)) return reply
  const { 'content-type': _, ...headers } = reply.headers ?? {}
  return { status: 304, headers, viewed: reply.viewed }
}

/** Responds to a read with JSON; returns the reply and what the handler returned. */
export const readJsonAnswer = async (
  database: Database,
  request: ReadRequest,
  caller: Caller,
  { handle, viewed, fields }: HandlerRun & { readonly fields: readonly string[] | undefined },
): Promise<{ readonly reply: Reply; readonly result: unknown }> => {
  const { operation, school } = request
  const trim = trimTo(operation, fields)
  const result = await database
    .statements(school.id, db => handle(db, new Date(Number.NaN)))
    .catch(error => {
      throw cursorRefusal(request, error) ?? error
    })
  // The complete answer is checked, also the fields that were not requested.
  const { value, body: complete } = render(operation, result)
  const body = fields === undefined ? complete : JSON.stringify(trim(value))
  const headers = {
    ...cacheHeaders(caller),
    ...nextLink(request, value),
    etag: computeEtag(value, body),
    'content-type': 'application/json; charset=utf-8',
  }
  return { reply: { status: 200, headers, body, viewed: viewed() }, result }
}

// A CSV answer has all rows and columns, so these parameters have no meaning.
const NOT_WITH_CSV = ['limit', 'cursor', 'after', 'include_total', 'fields', 'expand']

const checkCsv = ({ query }: ReadRequest, caller: Caller): void => {
  if (caller.member === undefined) throw new Refusal(signInRequired, 'Only staff of the school can get lists as CSV.')
  checkRole('staff', caller)
  const names = new URLSearchParams(query)
  const wrong = NOT_WITH_CSV.find(name => names.has(name))
  if (wrong !== undefined) throw new Refusal(invalidParameter, `A list as CSV has every row: leave out ${wrong}.`)
}

/** The rows of a list as CSV. */
export type CsvRows = {
  readonly cells: AnyCells
  /** The columns that the audit log names: those that every such file has. */
  readonly columns: readonly string[]
  /** The beginning of the name of the file. */
  readonly name: string
  readRows(): Promise<AsyncIterable<readonly unknown[]>>
}

/** Reads `listCouponCodes` as `coupon-codes`. */
export const listName = ({ id }: Pick<Operation, 'id'>): string =>
  id
    .replace(/^[a-z]+/, '')
    .replaceAll(/(?<!^)[A-Z]/g, '-$&')
    .toLowerCase()

// A name that comes from a request is one of ours, or the handler has refused it.
const safeName = (name: string): string => name.replaceAll(/[^a-z\d]+/g, '-')

/** The rows that an operation declares. */
export const declaredRows = async (
  database: Database,
  { operation, school }: Pick<ReadRequest, 'operation' | 'school'>,
  run: HandlerRun,
): Promise<CsvRows> => {
  const { csv } = operation
  if (csv === undefined) throw new Error(`${operation.id} has no CSV`)
  return database.statements(school.id, async db => {
    const context = run.createContext(db, new Date(Number.NaN))
    const statement = await csv.statement(context)
    return {
      columns: listColumns(operation),
      cells: { ...csv.cells, ...(await csv.moreCells?.(context)) },
      name: safeName(csv.fileName?.(context) ?? listName(operation)),
      readRows: () => database.stream(school.id, statement),
    }
  })
}

const csvHeaders = (caller: Caller, name: string, today: string): Record<string, string> => ({
  ...cacheHeaders(caller),
  'content-type': CSV_TYPE,
  'content-disposition': `attachment; filename="${name}-${today}.csv"`,
})

type CsvRun = { readonly run: HandlerRun; readonly dialect: CsvDialect | undefined }

/** Responds to a list of the API with all rows as CSV; the audit log records who exported it. */
export const readCsv = async (
  database: Database,
  request: ReadRequest,
  caller: Caller,
  { run, dialect = 'rfc4180' }: CsvRun,
): Promise<Reply> => {
  checkCsv(request, caller)
  const rows = await declaredRows(database, request, run)
  if (request.raw.method !== 'HEAD') return csvReply(database, request, caller, { rows, dialect })
  const { today } = await database.statements(request.school.id, db => readToday(db, request.school.id))
  return { status: 200, headers: csvHeaders(caller, rows.name, today) }
}

/** The rows of a list as CSV, for a caller who may read them; the audit log records who exported them. */
export const csvReply = async (
  database: Database,
  { operation, school, requestId }: Pick<ReadRequest, 'school' | 'requestId'> & { readonly operation: AnyOperation },
  caller: Caller,
  { rows, dialect }: { readonly rows: CsvRows; readonly dialect: CsvDialect },
): Promise<Reply> => {
  const { zone, today } = await database.transaction(school.id, async (db, now) => {
    const by = { requestId, memberId: caller.member?.id, clientId: caller.clientId }
    const change = { ids: [], fields: [...rows.columns] }
    await recordChange(db, { schoolId: school.id, now, operation: operation.id, ...by }, change)
    return readToday(db, school.id)
  })
  const batches = await rows.readRows()
  const body = csvPieces(operation, school, batches, { cells: rows.cells, layout: { dialect, zone } })
  return { status: 200, headers: csvHeaders(caller, rows.name, today), body }
}
