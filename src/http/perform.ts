import Type from 'typebox'
import type { Caller } from '#src/contract/caller.ts'
import type { Db } from '#src/contract/db.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { hasOptionalBody, type Operation } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidParameter, invalidRequest } from '#src/contract/problems.ts'
import { type Pairs, parsePairs } from '#src/kit/form.ts'
import { checkScope, identifyCaller, readBearer } from './bearer.ts'
import { hasBody, readJson, readOptionalJson } from './body.ts'
import { countCall, withTries } from './call-limit.ts'
import { DryRun, dryRunReply, isDryRun } from './dry-run.ts'
import { resolveExpansion } from './expand.ts'
import { readQuery } from './fields.ts'
import { buildWriteReply, createHandlerRun, type OperationCall, recordRun, type WriteReply } from './handler-run.ts'
import { findOutcome, readKey, requireKey } from './idempotency.ts'
import { limits } from './limits.ts'
import { buildOperationCall, type OperationRequest, type ParsedRequest, type ServerDeps } from './operation-call.ts'
import { performSteps } from './perform-steps.ts'
import { storeOutcome } from './queries.ts'
import { readValues } from './raw-headers.ts'
import { chooseForm, readCsv, readJsonAnswer } from './read.ts'
import { readWaiting } from './read-waiting.ts'
import { render } from './render.ts'
import { runOrRequestConfirmation } from './request-confirmation.ts'
import { validBody, validParams, validQuery } from './validate.ts'
import { checkRole } from './who.ts'

const MERGE_PATCH = ['application/json', 'application/merge-patch+json']
const DRY_RUN = { dry_run: Type.Boolean() }

const readPairs = (query: string): Pairs => {
  try {
    const pairs = parsePairs(query)
    if (pairs.length <= limits.parameters) return pairs
  } catch {
    throw new Refusal(invalidRequest, 'The query has a malformed escape or is not UTF-8.')
  }
  throw new Refusal(invalidRequest, `The query may have at most ${limits.parameters} parameters.`)
}

// Many clients send `{}` with every POST, PUT and DELETE.
const refuseBody = async (operation: Operation, raw: OperationRequest['raw']): Promise<undefined> => {
  const isEmpty = operation.method !== 'GET' && isEmptyObject(await readOptionalJson(raw, MERGE_PATCH))
  if (!isEmpty && hasBody(raw)) throw new Refusal(invalidRequest, 'This operation has no body.')
}

const isEmptyObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0

const readBody = async (operation: Operation, raw: OperationRequest['raw']): Promise<unknown> => {
  const { body, method } = operation
  if (body === undefined) return refuseBody(operation, raw)
  const types = method === 'PATCH' ? MERGE_PATCH : MERGE_PATCH.slice(0, 1)
  return validBody(body, hasOptionalBody(operation) ? await readOptionalJson(raw, types) : await readJson(raw, types))
}

const parseRequest = async (call: OperationRequest): Promise<ParsedRequest> => {
  const { operation, raw } = call
  const writes = operation.method !== 'GET'
  const sharedQuery = writes ? (operation.mode === 'write' ? DRY_RUN : {}) : readQuery(operation)
  const query = validQuery(operation.query, readPairs(call.query), sharedQuery)
  const { dry_run: dryRun = false, fields, expand, dialect, ...rest } = query
  const params = validParams(operation.params, call.params)
  const isFile = operation.mode === 'stream' && writes
  const hasNone = isFile || (!writes && !hasBody(raw))
  const body = hasNone ? undefined : await readBody(operation, raw)
  return {
    params,
    query: rest,
    body,
    dryRun: dryRun === true,
    fields: fields as ParsedRequest['fields'],
    expand: expand as ParsedRequest['expand'],
    dialect: dialect as ParsedRequest['dialect'],
  }
}

/** Performs one request: token, scope, validation, connection, role, handler, response, audit log, commit. */
export const perform = async (server: ServerDeps, call: OperationRequest): Promise<Reply> => {
  const { raw, school, operation } = call
  const caller = await identifyCaller(server.authenticate, school, readBearer(raw, call.query))
  call.setCaller({ caller })
  if (caller.member !== undefined) server.markSeen(school.id, caller.member.id)
  const rate = server.countGrant(caller)
  if (rate !== undefined) call.setCaller({ caller, rate })
  checkScope(operation, caller, school)
  const form = chooseForm(raw, operation)
  const parsed = await parseRequest(call)
  requireKey(operation, raw)
  if (form === 'json' && parsed.dialect !== undefined)
    throw new Refusal(invalidParameter, 'The parameter dialect is for lists as CSV: send Accept: text/csv.')
  if (operation.rateLimit !== undefined) await countCall(server.database.shared, { ...call, caller })
  const writes = operation.runSteps === undefined && operation.method !== 'GET'
  if (writes) {
    const run = () => write(server, call, caller, parsed)
    return withTries(server.database.shared, { ...call, caller }, parsed.body, run)
  }
  checkRole(operation.who, caller)
  if (operation.runSteps !== undefined) return performSteps(server, call, caller, parsed)
  const expansion = resolveExpansion(operation, parsed.expand, caller, school)
  const createRun = (as: Caller, from: ParsedRequest) =>
    createHandlerRun({ ...buildOperationCall(server, call, as, from), expansion })
  if (form === 'csv')
    return readCsv(server.database, call, caller, { run: createRun(caller, parsed), dialect: parsed.dialect })
  const { fields, query } = parsed
  return readWaiting(server, call, caller, async (as, after) => {
    const run = createRun(as, after === undefined ? parsed : { ...parsed, query: { ...query, after } })
    const { reply, result } = await readJsonAnswer(server.database, call, as, { ...run, fields })
    return { reply, wait: operation.waits?.(query, result) }
  })
}

const write = async (
  server: ServerDeps,
  call: OperationRequest,
  caller: Caller,
  parsed: ParsedRequest,
): Promise<Reply> => {
  const { operation, school, raw } = call
  const keys = readValues(raw, 'idempotency-key')
  const key = readKey(keys, {
    schoolId: school.id,
    caller,
    operation,
    path: `${call.path}?${call.query}`,
    body: parsed.body,
    keyFor: server.keyFor,
  })
  try {
    return await server.database.transaction(school.id, async (db, now) => {
      checkRole(operation.who, caller)
      const stored = key === undefined || parsed.dryRun ? undefined : await findOutcome(db, key)
      if (stored !== undefined) return { ...stored, headers: { ...stored.headers, 'idempotency-replayed': 'true' } }
      const reply = await performWrite(db, now, buildOperationCall(server, call, caller, parsed), parsed.dryRun)
      if (key !== undefined) await storeOutcome(db, key, reply)
      return reply
    })
  } catch (error) {
    if (isDryRun(error)) return dryRunReply(operation, error)
    throw error
  }
}

const performWrite = async (db: Db, now: Date, call: OperationCall, dryRun: boolean): Promise<WriteReply> => {
  const { operation } = call
  const run = createHandlerRun(call)
  if (operation.confirm === 'person' && !dryRun) return runOrRequestConfirmation(db, now, call, run)
  const result = await run.handle(db, now)
  if (dryRun) throw await DryRun.of(db, call, render(operation, result).value, run.facts)
  const reply = buildWriteReply(call, result)
  await recordRun(db, now, call, run)
  return reply
}
