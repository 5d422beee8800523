import type { Caller } from '#src/contract/caller.ts'
import type { Db } from '#src/contract/db.ts'
import type { Operation } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { idempotencyKeyReused, invalidRequest, requestInFlight } from '#src/contract/problems.ts'
import { sql } from '#src/db/sql.ts'
import { sha256 } from '#src/kit/crypto.ts'
import { canonicalJson } from '#src/kit/json.ts'
import { limits } from './limits.ts'

/** One keyed request: who sent what under which key. */
export type Keyed = {
  readonly schoolId: string
  readonly memberId: string
  readonly clientId: string
  readonly operation: string
  readonly key: string
  readonly requestHash: Buffer
}

/** The stored outcome of a keyed request. */
export type Outcome = { readonly status: number; readonly headers: Record<string, string>; readonly body: string }

/** Reads Idempotency-Key; undefined without one. Anonymous requests cannot have one. */
export const keyedOf = (
  values: readonly string[],
  request: { schoolId: string; caller: Caller; operation: Operation; path: string; body: unknown },
): Keyed | undefined => {
  const [key] = values
  if (key === undefined) return undefined
  const { member, clientId } = request.caller
  if (member === undefined || clientId === undefined) {
    throw new Refusal(invalidRequest, 'Idempotency-Key needs an access token.')
  }
  if (values.length > 1 || !/^[\x21-\x7e]+$/.test(key) || key.length > limits.idempotencyKey) {
    throw new Refusal(
      invalidRequest,
      `Idempotency-Key is 1 to ${limits.idempotencyKey} visible ASCII characters, once.`,
    )
  }
  const requestHash = sha256(canonicalJson({ path: request.path, body: request.body ?? null }))
  return {
    schoolId: request.schoolId,
    memberId: member.id,
    clientId,
    operation: request.operation.id,
    key,
    requestHash,
  }
}

/** The outcome of the same request before, if there is one; refuses another request's key and one in flight. */
export const findOutcome = async (db: Db, keyed: Keyed): Promise<Outcome | undefined> => {
  const name = [keyed.schoolId, keyed.memberId, keyed.clientId, keyed.operation, keyed.key].join('\n')
  const lock = sha256(name).readBigInt64BE().toString()
  const [{ free }, row] = await Promise.all([
    db.one(sql<{ free: boolean }>`select pg_try_advisory_xact_lock(${lock}::bigint) as free`),
    db.first(sql<Outcome & { request_hash: Buffer }>`
      select request_hash, status, headers, body from idempotency_keys
      where school_id = ${keyed.schoolId} and member_id = ${keyed.memberId} and client_id = ${keyed.clientId}
        and operation = ${keyed.operation} and key = ${keyed.key} and recorded_at > stoa.now() - interval '24 hours'`),
  ])
  if (row !== undefined && !row.request_hash.equals(keyed.requestHash)) {
    throw new Refusal(idempotencyKeyReused, 'This Idempotency-Key was used for another request.')
  }
  if (row !== undefined) return { status: row.status, headers: row.headers, body: row.body }
  if (!free) {
    throw new Refusal(requestInFlight, 'A request with this Idempotency-Key is under way.', {
      headers: { 'retry-after': '1' },
    })
  }
  return undefined
}

/** Keeps the outcome in the transaction of its effect; an older one under the same key is replaced. */
export const keepOutcome = (db: Db, keyed: Keyed, outcome: Outcome): Promise<number> =>
  db.run(sql`
    insert into idempotency_keys
      (school_id, member_id, client_id, operation, key, request_hash, status, headers, body, recorded_at)
    values (${keyed.schoolId}, ${keyed.memberId}, ${keyed.clientId}, ${keyed.operation}, ${keyed.key}, ${keyed.requestHash},
      ${outcome.status}, ${JSON.stringify(outcome.headers)}, ${outcome.body}, stoa.now())
    on conflict (school_id, member_id, client_id, operation, key) do update set
      request_hash = excluded.request_hash, status = excluded.status, headers = excluded.headers,
      body = excluded.body, recorded_at = excluded.recorded_at`)
