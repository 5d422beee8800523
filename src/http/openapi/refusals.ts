import type { TSchema } from 'typebox'
import type { Operation } from '#src/contract/operation.ts'
import type { Problem } from '#src/contract/problem.ts'
import * as common from '#src/contract/problems.ts'
import type { Json } from './components.ts'
import { buildHeaders } from './headers.ts'

/** The schema of every refusal (RFC 9457). */
export const PROBLEM_SCHEMA: Json = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'code', 'request_id', 'retryable'],
  properties: {
    type: { type: 'string', format: 'uri' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'What is wrong with this request, and what to do' },
    code: { type: 'string', description: 'Stable; the title may be reworded' },
    request_id: { type: 'string' },
    retryable: { type: 'boolean', description: 'Whether the same request may succeed later' },
    errors: {
      type: 'array',
      description: 'The fields that are wrong',
      items: {
        type: 'object',
        required: ['pointer', 'code', 'message'],
        properties: {
          pointer: { type: 'string', description: 'Where in the body (RFC 6901)' },
          code: { type: 'string' },
          message: { type: 'string' },
        },
      },
    },
    error: { type: 'string', description: 'RFC 6750, with 400, 401 and 403' },
    error_description: { type: 'string' },
  },
}

const takesId = (schema: TSchema | undefined): boolean =>
  schema !== undefined && JSON.stringify(schema).includes('_[0-7]')

/** The refusals of an operation: those of its kind and those that it declares. */
export const listRefusals = (operation: Operation): Problem[] => {
  const { who, scope, method, body, ifMatch } = operation
  const list = [common.invalidRequest, common.unknownParameter, common.invalidParameter, common.invalidToken]
  list.push(common.notAcceptable, common.rateLimited, common.internalError, common.unavailable)
  if (who !== 'anyone') list.push(common.signInRequired)
  if (who !== 'anyone' && who !== 'self') list.push(common.roleRequired)
  if (scope !== 'none') list.push(common.insufficientScope)
  // CSV is only for staff, even if others may read the list.
  if (operation.csv !== undefined) list.push(common.signInRequired, common.roleRequired)
  if (operation.params !== undefined || takesId(operation.query) || takesId(body)) list.push(common.notFound)
  if (body !== undefined) list.push(common.invalidBody)
  // A malformed Content-Type and a body that is too large are refused even by operations without a body.
  if (method !== 'GET') list.push(common.unsupportedMediaType, common.payloadTooLarge, common.outcomeUnknown)
  if (operation.mode === 'write') list.push(common.requestInProgress, common.idempotencyKeyReused)
  if (operation.idempotency === 'required') list.push(common.idempotencyKeyRequired)
  if (operation.mode === 'stream') list.push(common.requestTimeout)
  if (operation.confirm !== undefined) list.push(common.tooManyConfirmations)
  if (ifMatch !== undefined) list.push(common.preconditionFailed)
  if (ifMatch === 'required') list.push(common.preconditionRequired)
  return [...new Set([...list, ...operation.fails])]
}

type ByStatus = ReadonlyMap<number, readonly Problem[]>

const byStatus = (operation: Operation): ByStatus => {
  const problems = listRefusals(operation).sort((a, b) => a.status - b.status || (a.code < b.code ? -1 : 1))
  return Map.groupBy(problems, ({ status }) => status)
}

const pascal = (code: string): string => code.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())

// The codes that every operation with this status has are not part of the names of responses.
const listAlways = (all: readonly ByStatus[]): ByStatus => {
  const always = new Map<number, readonly Problem[]>()
  for (const [status, problems] of all.flatMap(one => [...one]))
    always.set(
      status,
      (always.get(status) ?? problems).filter(problem => problems.includes(problem)),
    )
  return always
}

const buildKey = (problems: readonly Problem[]): string => problems.map(({ code }) => code).join()

// The set of codes that most operations with a status have, by the status; its response is named by the status alone.
const listUsual = (all: readonly ByStatus[]): ReadonlyMap<number, string> => {
  const counts = new Map<number, Map<string, number>>()
  for (const [status, problems] of all.flatMap(one => [...one])) {
    const ofStatus = counts.get(status) ?? new Map<string, number>()
    ofStatus.set(buildKey(problems), (ofStatus.get(buildKey(problems)) ?? 0) + 1)
    counts.set(status, ofStatus)
  }
  return new Map([...counts].map(([status, sets]) => [status, [...sets].sort(([, a], [, b]) => b - a)[0]?.[0] ?? '']))
}

const buildResponse = (status: number, problems: readonly Problem[]): Json => ({
  description: problems.map(({ code, title }) => `\`${code}\`: ${title}`).join('; '),
  headers: buildHeaders({ status, codes: problems.map(({ code }) => code) }),
  content: {
    'application/problem+json': {
      schema: {
        allOf: [
          { $ref: '#/components/schemas/Problem' },
          { type: 'object', properties: { code: { enum: problems.map(({ code }) => code) } } },
        ],
      },
    },
  },
})

/** Creates the components for refusals, one for each set of codes, and the references to them. */
export const createRefusals = (operations: readonly Operation[]) => {
  const refusals = new Map(operations.map(operation => [operation.id, byStatus(operation)]))
  const always = listAlways([...refusals.values()])
  const usual = listUsual([...refusals.values()])
  const shared = new Map<string, Json>()
  const refer = (status: number, problems: readonly Problem[]): Json => {
    const extra = problems.filter(problem => !always.get(status)?.includes(problem))
    const codes = usual.get(status) === buildKey(problems) ? [] : extra.length > 0 ? extra : problems
    const name = `Problem${status}${codes.map(({ code }) => pascal(code)).join('')}`
    if (!shared.has(name)) shared.set(name, buildResponse(status, problems))
    return { $ref: `#/components/responses/${name}` }
  }
  return {
    of: ({ id }: Operation): Json =>
      Object.fromEntries([...(refusals.get(id) ?? [])].map(([status, problems]) => [status, refer(status, problems)])),
    all: (): Json => Object.fromEntries([...shared].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}
