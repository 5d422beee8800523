import type { Db } from '#src/contract/db.ts'
import type { EndpointRequest, Reply } from '#src/contract/endpoint.ts'
import {
  createdSessionReply,
  createSessionWith,
  lockRecentSession,
  preSessionCookies,
  redirectInto,
} from '#src/identity/index.ts'
import { sha256 } from '#src/kit/crypto.ts'
import { type AuthorizationInProgress, authorizationLost } from './in-progress.ts'
import { refundAuthorization } from './limits.ts'
import { bindToSession, rebindPending } from './queries.ts'
import { deriveSessionSecrets, type SessionSecrets } from './sign-in-cookies.ts'

/** `amr`: how they proved it (RFC 8176), by default with a password. */
type Proven = { readonly memberId: string; readonly amr?: readonly string[] }

/** The member who proved their identity within the transaction, or why it was refused. */
export type ProvenPerson<Refused> = Proven | { readonly refused: Refused }

type SignInContext = {
  readonly authorization: AuthorizationInProgress
  readonly secrets: SessionSecrets
  readonly proven: Proven
  readonly now: Date
}

// False when the same form was posted before.
const admit = async (
  db: Db,
  request: EndpointRequest,
  { authorization, secrets, proven: { memberId, ...how }, now }: SignInContext,
): Promise<boolean> => {
  const { school } = request
  if (!(await createSessionWith(db, request, memberId, { now, secrets, ...how }))) {
    // The form was submitted twice: the session of the first submission counts, if it is active, recent and of the same
    // person.
    if (await lockRecentSession(db, school.id, sha256(secrets.session), memberId)) return false
    throw authorizationLost()
  }
  const { handleHash, binding } = authorization
  const bound = { from: binding, sessionHash: sha256(secrets.session), memberId }
  // Another sign-in in this browser took the authorization at the same time; throwing removes the new session.
  if ((await bindToSession(db, school.id, handleHash, bound)) === 0) throw authorizationLost()
  if (binding.browserHash === undefined) return true
  await rebindPending(db, school.id, binding.browserHash, { newHash: sha256(secrets.browserBinding), memberId })
  return true
}

/**
 * Signs a person in and continues with consent. In one transaction the proof is checked, the old session ends, a new
 * one begins, pending authorizations of the browser get a new browser binding, and this one is bound to the session.
 * Returns the refusal of the proof otherwise.
 */
export const completeSignIn = async <Refused>(
  request: EndpointRequest,
  authorization: AuthorizationInProgress,
  secret: string,
  prove: (db: Db, now: Date) => Promise<ProvenPerson<Refused>>,
  isRemembered = true,
): Promise<Reply | Refused> => {
  const { school, database } = request
  const { handle, browserBinding, pending } = authorization
  const secrets = deriveSessionSecrets(secret, school.id, authorization, { salt: pending.entry_salt, isRemembered })
  const result = await database.transaction(school.id, async (db, now) => {
    const proven = await prove(db, now)
    if ('refused' in proven) return proven
    return { isNew: await admit(db, request, { authorization, secrets, proven, now }) }
  })
  if ('refused' in result) return result.refused
  if (result.isNew && authorization.session === undefined) await refundAuthorization(request, pending.created_at)
  const { cookies } = createdSessionReply(request, secrets)
  const bindingCookies = browserBinding === undefined ? [] : preSessionCookies(request, secrets.browserBinding)
  return redirectInto({ cookies: [...cookies, ...bindingCookies] }, `/oauth/authorize/consent?request=${handle}`)
}
