import type { Db } from '#src/contract/db.ts'
import type { EndpointRequest, Reply } from '#src/contract/endpoint.ts'
import {
  createdSessionReply,
  createSessionWith,
  holdYoungSession,
  preSessionCookies,
  redirectInto,
} from '#src/identity/index.ts'
import { sha256 } from '#src/kit/crypto.ts'
import { type AuthorizationInProgress, authorizationLost } from './in-progress.ts'
import { refundAuthorization } from './limits.ts'
import { bindToSession, rebindPending } from './queries.ts'
import { type SessionSecrets, sessionSecretsOf } from './sign-in-cookies.ts'

/** Who proved within the transaction who they are, or in which other way it ended. */
export type ProvenPerson<Refused> = { readonly memberId: string } | { readonly refused: Refused }

type Entering = {
  readonly visit: AuthorizationInProgress
  readonly entry: SessionSecrets
  readonly memberId: string
  readonly now: Date
}

// False when the same form was posted before.
const admit = async (db: Db, request: EndpointRequest, { visit, entry, memberId, now }: Entering): Promise<boolean> => {
  const { school } = request
  if (!(await createSessionWith(db, request, memberId, { now, entry }))) {
    // The button pressed twice: the session of the first press is the one, while it lives, is young and of the same person.
    if (await holdYoungSession(db, school.id, sha256(entry.session), memberId)) return false
    throw authorizationLost()
  }
  const { handleHash, binding } = visit
  const bound = { from: binding, sessionHash: sha256(entry.session), memberId }
  // Another sign-in of this browser moved it at the same time; no session is left behind that leads nowhere.
  if ((await bindToSession(db, school.id, handleHash, bound)) === 0) throw authorizationLost()
  if (binding.browserHash === undefined) return true
  await rebindPending(db, school.id, binding.browserHash, { newHash: sha256(entry.mark), memberId })
  return true
}

/**
 * Signs somebody in and goes on to consent: in the transaction of the proof the old session ends, a new one begins, and
 * what waits in this browser moves to a new mark, and this authorization to the session. Gives why instead when nothing was proven.
 */
export const completeSignIn = async <Refused>(
  request: EndpointRequest,
  visit: AuthorizationInProgress,
  secret: string,
  prove: (db: Db, now: Date) => Promise<ProvenPerson<Refused>>,
): Promise<Reply | Refused> => {
  const { school, database } = request
  const { handle, mark, pending } = visit
  const entry = sessionSecretsOf(secret, school.id, visit, pending.entry_salt)
  const entered = await database.transaction(school.id, async (db, now) => {
    const proven = await prove(db, now)
    if ('refused' in proven) return proven
    return { isNew: await admit(db, request, { visit, entry, memberId: proven.memberId, now }) }
  })
  if ('refused' in entered) return entered.refused
  if (entered.isNew && visit.session === undefined) await refundAuthorization(request, pending.created_at)
  const { cookies, sessionPath } = createdSessionReply(request, entry)
  const marked = mark === undefined ? [] : preSessionCookies(request, entry.mark)
  return redirectInto({ cookies: [...cookies, ...marked], sessionPath }, `/oauth/authorize/consent?request=${handle}`)
}
