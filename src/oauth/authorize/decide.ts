import type { Db } from '#src/contract/db.ts'
import { OAuthError } from '#src/contract/oauth-error.ts'
import type { School } from '#src/contract/school.ts'
import { holdMember, holdSessionPerson, recordMail, type Session } from '#src/identity/index.ts'
import { type Random, sha256 } from '#src/kit/crypto.ts'
import { newToken } from '#src/kit/token.ts'
import { type Client, holdClient } from '../clients/queries.ts'
import { approve } from './approval.ts'
import type { AuthorizationInProgress } from './in-progress.ts'
import { type Decision, isFirstGrant, lockPending, type Pending, replaceCode, storeDecision } from './queries.ts'
import { recheck } from './recheck.ts'

/** Somebody who decides about an authorization. */
export type ConsentDecision = {
  readonly school: School
  readonly visit: AuthorizationInProgress
  readonly session: Session
  readonly now: Date
  readonly random: Random
}

/** The person, the client and the request as they are now, held until the transaction ends. */
export type LockedAuthorization = { readonly session: Session; readonly client: Client; readonly pending: Pending }

const twice = (): OAuthError =>
  new OAuthError('invalid_request', {
    en: 'This request was answered already. Go back to the app and start again.',
    pt: 'Este pedido já foi respondido. Volte à aplicação e comece de novo.',
  })

const signedOut = (): OAuthError =>
  new OAuthError('invalid_request', {
    en: 'You were signed out meanwhile. Go back to the app and start again.',
    pt: 'Entretanto a sua sessão terminou. Volte à aplicação e comece de novo.',
  })

/** Holds everything that an approval rests on; refuses when something of it is gone. */
export const lockAuthorization = async (
  db: Db,
  { school, visit, session }: ConsentDecision,
): Promise<LockedAuthorization> => {
  // The person's withdrawals wait for this, or were there first; the row of the member before that of the session.
  if (!(await holdMember(db, school.id, session.member.id))) throw signedOut()
  // A reset or sign-out that came first has ended the session; one that comes now waits, and ends this grant too.
  const person = await holdSessionPerson(db, school.id, session.id)
  if (person === undefined) throw signedOut()
  // Before the request, as a removal takes them.
  const client = await holdClient(db, school.id, visit.pending.client_id)
  const pending = await lockPending(db, school.id, visit.handleHash, visit.binding)
  if (pending === undefined) throw twice()
  const member = { ...session.member, role: person.role }
  return { session: { ...session, member }, client: recheck(school, client, pending), pending }
}

// Pressed twice within a minute: the same decision again, with a fresh code in place of the first.
const repeat = async (
  db: Db,
  { school, session, random }: ConsentDecision,
  pending: Pending,
  made: DecisionContext,
) => {
  if (pending.decision !== made.decision || !pending.is_recent) throw twice()
  if (pending.grant_id === null) return undefined
  const code = newToken('stoa_ac_', random)
  const grant = { id: pending.grant_id, sessionId: session.id, scopes: made.granted }
  const replaced = await replaceCode(db, school.id, grant, { hash: sha256(code), seconds: school.lives.code })
  if (replaced === 0) throw twice()
  return code
}

const tellOfFirst = async (db: Db, deciding: ConsentDecision, grantId: string, pending: Pending): Promise<void> => {
  const { school, session, now } = deciding
  const [schoolId, memberId] = [school.id, session.member.id]
  if (!(await isFirstGrant(db, schoolId, { id: grantId, memberId, clientId: pending.client_id }))) return
  await recordMail(db, schoolId, memberId, { kind: 'app_connected', values: { client: pending.client_name } }, now)
}

/** What was decided, and what is granted by it; nothing is a denial. */
export type DecisionContext = {
  readonly decision: Decision
  readonly granted: readonly string[]
  readonly isSilent: boolean
}

/** Stores a decision and gives the code of an approval; the same decision again gives a fresh code. */
export const decide = async (
  db: Db,
  deciding: ConsentDecision,
  held: LockedAuthorization,
  made: DecisionContext,
): Promise<string | undefined> => {
  const { school, visit, now, random } = deciding
  const { pending, session } = held
  if (pending.decision !== null) return repeat(db, deciding, pending, made)
  const { decision, granted, isSilent } = made
  if (granted.length === 0) {
    await storeDecision(db, school.id, visit.handleHash, decision, undefined)
    return undefined
  }
  const { id, code } = await approve(db, school, { pending, session, granted, isSilent, now, random })
  await storeDecision(db, school.id, visit.handleHash, decision, id)
  await tellOfFirst(db, deciding, id, pending)
  return code
}
