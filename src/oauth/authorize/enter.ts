import type { Db } from '#src/contract/db.ts'
import type { EndpointRequest, Reply } from '#src/contract/endpoint.ts'
import { entryCookies, holdYoungSession, letInWith, preSessionCookies } from '#src/identity/index.ts'
import { sha256 } from '#src/kit/crypto.ts'
import { redirectWithin } from '../redirect.ts'
import { type AuthorizationEntry, entryOf } from './entry.ts'
import { returnBegun } from './limits.ts'
import { rebindPending } from './queries.ts'
import { lost, type Visit } from './visit.ts'

/** Who proved within the transaction who they are, or in which other way it ended. */
export type Proven<Refused> = { readonly memberId: string } | { readonly refused: Refused }

type Entering = {
  readonly visit: Visit
  readonly entry: AuthorizationEntry
  readonly memberId: string
  readonly now: Date
}

// False when the same form was posted before.
const admit = async (db: Db, request: EndpointRequest, { visit, entry, memberId, now }: Entering): Promise<boolean> => {
  const { school } = request
  if (!(await letInWith(db, request, memberId, { now, entry }))) {
    // The button pressed twice: the session of the first press is the one, while it lives, is young and of the same person.
    if (await holdYoungSession(db, school.id, sha256(entry.session), memberId)) return false
    throw lost()
  }
  const moved = await rebindPending(db, school.id, visit.browserHash, { newHash: sha256(entry.mark), memberId })
  // Another sign-in of this browser moved it at the same time; no session is left behind that leads nowhere.
  if (!moved.some(handleHash => handleHash.equals(visit.handleHash))) throw lost()
  return true
}

/**
 * Signs somebody in and goes on to consent: in the transaction of the proof the old session ends, a new one begins, and
 * what waits in this browser moves to a new mark. Gives why instead when nothing was proven.
 */
export const enter = async <Refused>(
  request: EndpointRequest,
  visit: Visit,
  secret: string,
  prove: (db: Db, now: Date) => Promise<Proven<Refused>>,
): Promise<Reply | Refused> => {
  const { school, database } = request
  const { handle, mark, pending } = visit
  const entry = entryOf(secret, school.id, { handle, mark, salt: pending.entry_salt })
  const entered = await database.write(school.id, async (db, now) => {
    const proven = await prove(db, now)
    if ('refused' in proven) return proven
    return { isNew: await admit(db, request, { visit, entry, memberId: proven.memberId, now }) }
  })
  if ('refused' in entered) return entered.refused
  if (entered.isNew && visit.session === undefined) await returnBegun(request, pending.created_at)
  const cookies = [...entryCookies(school, entry), ...preSessionCookies(school, entry.mark)]
  return redirectWithin(`/oauth/authorize/consent?request=${handle}`, cookies)
}
