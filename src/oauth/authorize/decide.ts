import type { Db } from '#src/contract/db.ts'
import { OAuthError } from '#src/contract/oauth-error.ts'
import type { School } from '#src/contract/school.ts'
import { lockSessionMember, recordMail, type Session, shareLockMember } from '#src/identity/index.ts'
import { type Random, sha256 } from '#src/kit/crypto.ts'
import { newToken } from '#src/kit/token.ts'
import { texts } from '#src/texts/index.ts'
import { type Client, shareLockClient } from '../clients/queries.ts'
import { oauthMails } from '../mails.ts'
import { approve } from './approval.ts'
import type { AuthorizationInProgress } from './in-progress.ts'
import { type Decision, isFirstGrant, lockPending, type Pending, replaceCode, storeDecision } from './queries.ts'
import { recheck } from './recheck.ts'

/** The context in which a person decides about an authorization. */
type ConsentContext = {
  readonly school: School
  readonly authorization: AuthorizationInProgress
  readonly session: Session
  readonly now: Date
  readonly random: Random
}

/** The current person, client and request, locked until the transaction ends. */
export type LockedAuthorization = { readonly session: Session; readonly client: Client; readonly pending: Pending }

const twice = (): OAuthError =>
  new OAuthError('invalid_request', texts.oauth.authorize.decide.twice.thisRequestWasAlreadyDecided)

const signedOut = (): OAuthError =>
  new OAuthError('invalid_request', texts.oauth.authorize.decide.signedOut.youHaveBeenSignedOut)

/** Locks everything that an approval depends on; refuses when part of it no longer exists. */
export const lockAuthorization = async (
  db: Db,
  { school, authorization, session }: ConsentContext,
): Promise<LockedAuthorization> => {
  // The member is locked before the session. A withdrawal by the person waits for this lock, or was committed before.
  if (!(await shareLockMember(db, school.id, session.member.id))) throw signedOut()
  // An earlier reset or sign-out has ended the session; a later one waits, and also ends this grant.
  const person = await lockSessionMember(db, school.id, session.id)
  if (person === undefined) throw signedOut()
  // Locked before the request, in the order that the removal of a client uses.
  const client = await shareLockClient(db, school.id, authorization.pending.client_id)
  const pending = await lockPending(db, school.id, authorization.handleHash, authorization.binding)
  if (pending === undefined) throw twice()
  const member = { ...session.member, role: person.role }
  return { session: { ...session, member }, client: recheck(school, client, pending), pending }
}

// The same decision twice within a minute gets a new code that replaces the first.
const repeat = async (
  db: Db,
  { school, session, random }: ConsentContext,
  pending: Pending,
  outcome: DecisionOutcome,
) => {
  if (pending.decision !== outcome.decision || !pending.is_recent) throw twice()
  if (pending.grant_id === null) return undefined
  const code = newToken('stoa_ac_', random)
  const grant = { id: pending.grant_id, sessionId: session.id, scopes: outcome.granted }
  const replaced = await replaceCode(db, school.id, grant, { hash: sha256(code), seconds: school.lifetimes.code })
  if (replaced === 0) throw twice()
  return code
}

const mailFirstConnection = async (
  db: Db,
  context: ConsentContext,
  grantId: string,
  pending: Pending,
): Promise<void> => {
  const { school, session, now } = context
  const [schoolId, memberId] = [school.id, session.member.id]
  if (!(await isFirstGrant(db, schoolId, { id: grantId, memberId, clientId: pending.client_id }))) return
  await recordMail(
    db,
    schoolId,
    memberId,
    { kind: oauthMails.app_connected, values: { client: pending.client_name } },
    now,
  )
}

/** A decision and the scopes that it grants; no scopes are a denial. */
type DecisionOutcome = {
  readonly decision: Decision
  readonly granted: readonly string[]
  readonly isSilent: boolean
}

/** Stores a decision and returns the code of an approval; the same decision again returns a new code. */
export const decide = async (
  db: Db,
  context: ConsentContext,
  locked: LockedAuthorization,
  outcome: DecisionOutcome,
): Promise<string | undefined> => {
  const { school, authorization, now, random } = context
  const { pending, session } = locked
  if (pending.decision !== null) return repeat(db, context, pending, outcome)
  const { decision, granted, isSilent } = outcome
  if (granted.length === 0) {
    await storeDecision(db, school.id, authorization.handleHash, decision, undefined)
    return undefined
  }
  const { id, code } = await approve(db, school, { pending, session, granted, isSilent, now, random })
  await storeDecision(db, school.id, authorization.handleHash, decision, id)
  await mailFirstConnection(db, context, id, pending)
  return code
}
