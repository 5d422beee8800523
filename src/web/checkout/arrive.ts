import { type CheckoutRow, refundCheckout } from '#src/areas/shop/index.ts'
import type { CallingMember } from '#src/contract/caller.ts'
import type { Db } from '#src/contract/db.ts'
import { Refusal } from '#src/contract/problem.ts'
import { signInRequired } from '#src/contract/problems.ts'
import {
  type CreatedSession,
  checkCode,
  completeCodeSignIn,
  completeSignUp,
  createdSessionReply,
  createSessionWith,
  deriveSession,
  getMember,
  isLinkKey,
  lockRecentSession,
  refundCode,
  type SessionStart,
} from '#src/identity/index.ts'
import { sha256 } from '#src/kit/crypto.ts'
import { plainCode } from '#src/kit/text.ts'
import { buildCodePlace, computeBrowserHash } from './buyer.ts'
import type { CheckoutContext } from './parts.ts'
import { findNext, pickVisitor, place } from './place.ts'

/** A buyer who proves their address: their checkout and browser, what they typed, and the quote that they were shown. */
export type Arriving = {
  readonly row: CheckoutRow
  readonly browserBinding: string
  readonly typed: string
  readonly quote: string
}

/** The order with the new session, why nobody was admitted, or why nothing was ordered. */
type Arrived =
  | { readonly session: SessionStart; readonly path: string }
  | { readonly failure: 'code' | 'taken' }
  | { readonly refused: Refusal }

const createSecrets = ({ parts, school }: CheckoutContext, { row, browserBinding, typed }: Arriving): CreatedSession =>
  deriveSession(parts.secret, 'checkout', [school.id, row.id, browserBinding, plainCode(typed)])

type Code = NonNullable<Awaited<ReturnType<typeof checkCode>>>

/** Proves an address, signs the buyer in and places the order, in one transaction: all of it, or nothing. */
export const arrive = async (context: CheckoutContext, arriving: Arriving): Promise<Arrived> => {
  const { request, school, language, parts } = context
  const { database } = request
  const { row, browserBinding, typed, quote } = arriving
  const codePlace = buildCodePlace(row.id, browserBinding)
  const code = await checkCode(database, school.id, parts.secret, codePlace, typed)
  if (code === undefined) return { failure: 'code' }
  const secrets = createSecrets(context, arriving)
  let failure: 'code' | 'taken' = 'code'
  const provenBy = async (db: Db, now: Date): Promise<string | undefined> => {
    const proof = { place: codePlace, code }
    if (isLinkKey(plainCode(typed))) return completeCodeSignIn(db, school, proof)
    const result = await completeSignUp(db, school, now, { ...proof, locale: language })
    if (result.kind === 'signed_up') return result.memberId
    failure = result.kind === 'taken' ? 'taken' : 'code'
    return undefined
  }
  const admit = async (db: Db, now: Date): Promise<CallingMember> => {
    const memberId = await provenBy(db, now)
    // RFC 8176: a one-time password.
    if (memberId === undefined || !(await createSessionWith(db, request, memberId, { now, secrets, amr: ['otp'] })))
      throw new Refusal(signInRequired, 'The code was used or the account changed meanwhile.')
    const { id, role } = await getMember(db, school.id, memberId)
    return { id, role }
  }
  const by = { ...pickVisitor(request), admit }
  const placed = await place(parts, by, { id: row.id, browserHash: computeBrowserHash({ browserBinding }), quote })
  if ('refused' in placed) return placed.refused.problem === signInRequired ? { failure } : placed
  await giveBack(context, row, code)
  return { session: createdSessionReply(request, secrets), path: await findNext(context, row, placed.order) }
}

const giveBack = async ({ request: { database, network }, school }: CheckoutContext, row: CheckoutRow, code: Code) => {
  await refundCode(database, school, network, code)
  await refundCheckout(database, school, network, row)
}

/**
 * The session that the same form opened less than a minute ago, when it is posted again: the browser may have dropped the
 * first reply. Undefined when there is none.
 */
export const arrivedBefore = async (
  context: CheckoutContext,
  arriving: Arriving,
): Promise<{ readonly session: SessionStart; readonly path: string } | undefined> => {
  const { request, school, parts } = context
  const { row, browserBinding, quote } = arriving
  const { member_id: memberId } = row
  if (memberId === null) return undefined
  const secrets = createSecrets(context, arriving)
  const admit = async (db: Db): Promise<CallingMember> => {
    if (!(await lockRecentSession(db, school.id, sha256(secrets.session), memberId)))
      throw new Refusal(signInRequired, 'The form opened no session, or one that has ended.')
    const { id, role } = await getMember(db, school.id, memberId)
    return { id, role }
  }
  const by = { ...pickVisitor(request), admit }
  const placed = await place(parts, by, { id: row.id, browserHash: computeBrowserHash({ browserBinding }), quote })
  if ('refused' in placed) return undefined
  return { session: createdSessionReply(request, secrets), path: await findNext(context, row, placed.order) }
}
