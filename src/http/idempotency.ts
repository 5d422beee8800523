import type { IncomingMessage } from 'node:http'
import type { Caller } from '#src/contract/caller.ts'
import type { Db } from '#src/contract/db.ts'
import { type AnyOperation, isRouted, type Operation } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import {
  idempotencyKeyRequired,
  idempotencyKeyReused,
  invalidRequest,
  requestInProgress,
} from '#src/contract/problems.ts'
import { sha256 } from '#src/kit/crypto.ts'
import { canonicalJson } from '#src/kit/json.ts'
import type { OperationCall } from './handler-run.ts'
import { limits } from './limits.ts'
import { findStoredOutcome, type Outcome, type RequestKey, tryLock } from './queries.ts'

/** Refuses a write that requires Idempotency-Key and has none; also a dry run, which refuses what the write would refuse. */
export const requireKey = ({ idempotency }: Operation, raw: IncomingMessage): void => {
  if (idempotency === 'required' && raw.headers['idempotency-key'] === undefined)
    throw new Refusal(idempotencyKeyRequired, 'Send an Idempotency-Key that is new for each new write.')
}

/** The key that encrypts the stored reply of an operation; undefined where the reply has no secret. */
const findSealing = (operation: AnyOperation, keyFor: (purpose: string) => Buffer): Buffer | undefined =>
  isRouted(operation) && operation.storedReply === 'sealed' ? keyFor('stored-replies') : undefined

/** Reads Idempotency-Key; undefined without one. Refuses a key without an access token. */
export const readKey = (
  values: readonly string[],
  request: {
    schoolId: string
    caller: Caller
    operation: Operation
    path: string
    body: unknown
    keyFor(purpose: string): Buffer
  },
): RequestKey | undefined => {
  const [key] = values
  if (key === undefined) return undefined
  const { member, clientId } = request.caller
  if (member === undefined || clientId === undefined) {
    throw new Refusal(invalidRequest, 'Idempotency-Key needs an access token.')
  }
  if (values.length > 1 || !/^[\x21-\x7e]+$/.test(key) || key.length > limits.idempotencyKey) {
    throw new Refusal(
      invalidRequest,
      `Send Idempotency-Key once, with 1 to ${limits.idempotencyKey} visible ASCII characters.`,
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
    sealing: findSealing(request.operation, request.keyFor),
  }
}

// No app has this id.
const PAGE = 'page'

type FormCall = Pick<OperationCall<AnyOperation>, 'school' | 'caller' | 'operation' | 'params' | 'body' | 'keyFor'>

/** The key of a form on a page, which belongs to the person and the page; undefined where the form has none. */
export const buildFormKey = (
  { school, caller, operation, params, body, keyFor }: FormCall,
  key: string | undefined,
): RequestKey | undefined => {
  if (key === undefined || caller.member === undefined) return undefined
  const requestHash = sha256(canonicalJson({ params, body: body ?? null }))
  const sealing = findSealing(operation, keyFor)
  const { id: schoolId } = school
  return { schoolId, memberId: caller.member.id, clientId: PAGE, operation: operation.id, key, requestHash, sealing }
}

/** The stored outcome of the same request, if any; refuses a key of another request or of one in progress. */
export const findOutcome = async (db: Db, key: RequestKey): Promise<Outcome | undefined> => {
  const name = [key.schoolId, key.memberId, key.clientId, key.operation, key.key].join('\n')
  const [isFree, row] = await Promise.all([tryLock(db, sha256(name).readBigInt64BE()), findStoredOutcome(db, key)])
  if (row !== undefined && !row.request_hash.equals(key.requestHash)) {
    throw new Refusal(idempotencyKeyReused, 'This Idempotency-Key was used for another request.')
  }
  if (row !== undefined) return { status: row.status, headers: row.headers, body: row.body }
  if (isFree) return undefined
  throw new Refusal(requestInProgress, 'A request with this Idempotency-Key is in progress.', {
    headers: { 'retry-after': '1' },
  })
}
