import type { IncomingMessage } from 'node:http'
import type { Caller } from '#src/contract/caller.ts'
import type { Database } from '#src/contract/db.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Operation } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidParameter, notAcceptable, signInRequired } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import { recordChange } from '#src/db/audit.ts'
import { isWrongValue } from '#src/db/sqlstates.ts'
import { isKnownEtag } from '#src/kit/cacheable.ts'
import { CSV_TYPE, csvPieces } from './csv.ts'
import { trimTo } from './fields.ts'
import type { HandlerRun } from './handler-run.ts'
import { etagOf } from './preconditions.ts'
import { render } from './render.ts'
import { checkRole } from './who.ts'

/** The request of a read, as far as its answer depends on it. */
export type Reading = {
  readonly raw: IncomingMessage
  readonly school: School
  readonly operation: Operation
  readonly path: string
  readonly query: string
  readonly requestId: string
}

const JSON_ACCEPTED = /(?:^|[\s,])(?:\*\/\*|application\/\*|application\/json|application\/problem\+json)(?=$|[\s;,])/i
const CSV_ACCEPTED = /(?:^|[\s,])text\/(?:csv|\*)(?=$|[\s;,])/i

/** In which form a caller wants the answer; refuses what the operation does not write. */
export const formOf = (raw: IncomingMessage, operation: Operation): 'json' | 'csv' => {
  const { accept = '*/*' } = raw.headers
  if (accept === '' || JSON_ACCEPTED.test(accept)) return 'json'
  if (operation.csv !== undefined && CSV_ACCEPTED.test(accept)) return 'csv'
  const also = operation.csv === undefined ? '' : ' or text/csv'
  throw new Refusal(notAcceptable, `This operation answers with application/json${also}.`)
}

const cacheHeaders = (caller: Caller): Record<string, string> => ({
  'cache-control': caller.member === undefined ? 'public, max-age=0, must-revalidate' : 'private, no-store',
  vary: 'Authorization',
})

// RFC 8288: where the next page is, for clients that follow links.
const nextLink = ({ query, school, path }: Reading, value: unknown): Record<string, string> => {
  if (typeof value !== 'object' || value === null || !('has_more' in value) || value.has_more !== true) return {}
  const next = new URLSearchParams(query)
  if ('next_cursor' in value) next.set('cursor', String(value.next_cursor))
  if ('next_after' in value) next.set('after', String(value.next_after))
  return { link: `<${school.baseUrl}${path}?${next}>; rel="next"` }
}

// A position is checked by its tag, which anybody can write who knows the list; what stands in it need not be of the
// type of the column.
const refusedPosition = ({ query }: Reading, error: unknown): Refusal | undefined => {
  const names = new URLSearchParams(query)
  if (!isWrongValue(error) || !(names.has('cursor') || names.has('after'))) return undefined
  return new Refusal(invalidParameter, 'The position in cursor or after is not one of this list.')
}

/** Answers a read as JSON; 304 when the caller has it. */
export const readJsonAnswer = async (
  database: Database,
  reading: Reading,
  caller: Caller,
  { handle, fields }: HandlerRun & { readonly fields: readonly string[] | undefined },
): Promise<Reply> => {
  const { operation, school, raw } = reading
  const trim = trimTo(operation, fields)
  const value = await database
    .statements(school.id, db => handle(db, new Date(Number.NaN)))
    .catch(error => {
      throw refusedPosition(reading, error) ?? error
    })
  // The whole answer is checked, also what the caller does not want to see of it.
  const whole = render(operation, value)
  const body = fields === undefined ? whole : JSON.stringify(trim(value))
  const etag = etagOf(value, body)
  const headers = { ...cacheHeaders(caller), ...nextLink(reading, value), etag }
  if (isKnownEtag(raw.headers['if-none-match'], etag)) return { status: 304, headers }
  return { status: 200, headers: { ...headers, 'content-type': 'application/json; charset=utf-8' }, body }
}

// All rows come at once: what pages, trims or embeds has no meaning.
const NOT_WITH_CSV = ['limit', 'cursor', 'after', 'include_total', 'fields', 'expand']

const checkCsv = ({ query }: Reading, caller: Caller): void => {
  if (caller.member === undefined) throw new Refusal(signInRequired, 'Lists as CSV are for the staff of the school.')
  checkRole('staff', caller)
  const names = new URLSearchParams(query)
  const wrong = NOT_WITH_CSV.find(name => names.has(name))
  if (wrong !== undefined) throw new Refusal(invalidParameter, `A list as CSV has every row: leave out ${wrong}.`)
}

/** Answers a list as CSV, with every row; who took it out stands in the audit log. */
export const readCsv = async (
  database: Database,
  reading: Reading,
  caller: Caller,
  work: HandlerRun,
): Promise<Reply> => {
  const { operation, school, requestId, raw } = reading
  const { csv } = operation
  if (csv === undefined) throw new Error(`${operation.id} is not written as CSV`)
  checkCsv(reading, caller)
  const headers = {
    ...cacheHeaders(caller),
    'content-type': CSV_TYPE,
    'content-disposition': `attachment; filename="${operation.id}.csv"`,
  }
  if (raw.method === 'HEAD') return { status: 200, headers }
  const rows = await database.statements(school.id, async db => csv.rows(work.contextOf(db, new Date(Number.NaN))))
  await database.transaction(school.id, (db, now) =>
    recordChange(
      db,
      {
        schoolId: school.id,
        now,
        operation: operation.id,
        requestId,
        memberId: caller.member?.id,
        clientId: caller.clientId,
      },
      { ids: [], fields: csv.columns },
    ),
  )
  const batches = await database.stream(school.id, rows.statement)
  return { status: 200, headers, body: csvPieces(operation, rows, batches) }
}
