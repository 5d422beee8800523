import type { Caller } from '#src/contract/caller.ts'
import type { Db } from '#src/contract/db.ts'
import type { Operation } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { idempotencyKeyReused, invalidRequest, requestInProgress } from '#src/contract/problems.ts'
import { sha256 } from '#src/kit/crypto.ts'
import { canonicalJson } from '#src/kit/json.ts'
import { limits } from './limits.ts'
import { findKept, type Keyed, type Outcome, tryLock } from './queries.ts'

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
  const [isFree, row] = await Promise.all([tryLock(db, sha256(name).readBigInt64BE()), findKept(db, keyed)])
  if (row !== undefined && !row.request_hash.equals(keyed.requestHash)) {
    throw new Refusal(idempotencyKeyReused, 'This Idempotency-Key was used for another request.')
  }
  if (row !== undefined) return { status: row.status, headers: row.headers, body: row.body }
  if (isFree) return undefined
  throw new Refusal(requestInProgress, 'A request with this Idempotency-Key is under way.', {
    headers: { 'retry-after': '1' },
  })
}
