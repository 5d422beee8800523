import type { Db } from '#src/contract/db.ts'
import type { EndpointRequest } from '#src/contract/endpoint.ts'
import { isOnLoopback } from '#src/contract/session-path.ts'
import { type Random, sha256 } from '#src/kit/crypto.ts'
import { describeBrowser } from './device.ts'
import { endSession, storeBrowser } from './queries.ts'
import {
  browserOf,
  clearCookies,
  type SessionStart,
  sessionCookies,
  sessionPathFor,
  trustedDeviceCookies,
} from './session-cookies.ts'
import { openSession } from './sessions.ts'

/** What a browser gets when somebody is let in: the secret of its session, and the mark by which it is known again. */
export type CreatedSession = { readonly session: string; readonly known: string }

/** What the browser of a request is given with an entry; the cookie of its session before has another path on loopback. */
export const createdSessionReply = (request: EndpointRequest, { session, known }: CreatedSession): SessionStart => {
  const { school } = request
  const cleared = isOnLoopback(school) ? clearCookies(request) : []
  const cookies = [...cleared, ...sessionCookies(school, session), ...trustedDeviceCookies(school, known)]
  return { cookies, sessionPath: sessionPathFor(school, session) }
}

/**
 * Lets a member in, within the transaction in which they proved who they are: the browser's old session ends, a new one
 * begins, and the browser gets a new mark by which it is known again. False when this entry was made before.
 */
export const createSessionWith = async (
  db: Db,
  request: EndpointRequest,
  memberId: string,
  { now, entry }: { readonly now: Date; readonly entry: CreatedSession },
): Promise<boolean> => {
  const { school } = request
  const { session: old, known } = browserOf(request)
  const oldHash = known === undefined ? undefined : sha256(known)
  await storeBrowser(db, school.id, memberId, { oldHash, newHash: sha256(entry.known) })
  const session = old === undefined ? undefined : sha256(old)
  const browser = describeBrowser(request.header('user-agent'))
  const opened = { memberId, amr: ['pwd'], browser, oldHash: session }
  if (!(await openSession(db, school.id, opened, { now, secret: entry.session }))) return false
  if (session !== undefined) await endSession(db, school.id, session)
  return true
}

/** The same with an entry of its own each time; gives what the browser is given. */
export const createSession = async (
  db: Db,
  request: EndpointRequest,
  memberId: string,
  { now, random }: { readonly now: Date; readonly random: Random },
): Promise<SessionStart> => {
  const entry = { session: random(32).toString('base64url'), known: random(32).toString('base64url') }
  await createSessionWith(db, request, memberId, { now, entry })
  return createdSessionReply(request, entry)
}
