import type { Db } from '#src/contract/db.ts'
import type { EndpointRequest } from '#src/contract/endpoint.ts'
import { isOnLoopback } from '#src/contract/session-path.ts'
import { type Random, sha256 } from '#src/kit/crypto.ts'
import { storeTrustedDevice } from './device.queries.ts'
import { describeBrowser } from './device.ts'
import { endSession } from './queries.ts'
import {
  clearCookies,
  readBrowser,
  type SessionStart,
  sessionCookies,
  sessionPathFor,
  trustedDeviceCookies,
} from './session-cookies.ts'
import { openSession } from './sessions.ts'

/**
 * What a browser gets when a member signs in: the secret of its session, and the token that makes it a trusted device.
 */
export type CreatedSession = { readonly session: string; readonly trustedDevice: string }

/** The cookies of a new session; on loopback the cookie of the earlier session has another path and is cleared. */
export const createdSessionReply = (
  request: EndpointRequest,
  { session, trustedDevice }: CreatedSession,
): SessionStart => {
  const { school } = request
  const cleared = isOnLoopback(school) ? clearCookies(request) : []
  const cookies = [...cleared, ...sessionCookies(school, session), ...trustedDeviceCookies(school, trustedDevice)]
  return { cookies, sessionPath: sessionPathFor(school, session) }
}

type NewSession = {
  readonly now: Date
  readonly secrets: CreatedSession
  /** How the member proved who they are (RFC 8176); by default with a password. */
  readonly amr?: readonly string[]
}

/**
 * Signs a member in, within the transaction in which they proved who they are: the browser's old session ends, a new
 * one begins, and the browser gets a new trusted-device token. False when a session with this secret was created
 * before.
 */
export const createSessionWith = async (
  db: Db,
  request: EndpointRequest,
  memberId: string,
  { now, secrets, amr = ['pwd'] }: NewSession,
): Promise<boolean> => {
  const { school } = request
  const { session: old, trustedDevice } = readBrowser(request)
  const oldHash = trustedDevice === undefined ? undefined : sha256(trustedDevice)
  await storeTrustedDevice(db, school.id, memberId, { oldHash, newHash: sha256(secrets.trustedDevice) })
  const session = old === undefined ? undefined : sha256(old)
  const browser = describeBrowser(request.header('user-agent'))
  const opened = { memberId, amr, browser, oldHash: session }
  if (!(await openSession(db, school.id, opened, { now, secret: secrets.session }))) return false
  if (session !== undefined) await endSession(db, school.id, session)
  return true
}

/** Signs a member in with new random secrets; returns the cookies and the session's path. */
export const createSession = async (
  db: Db,
  request: EndpointRequest,
  memberId: string,
  { now, random }: { readonly now: Date; readonly random: Random },
): Promise<SessionStart> => {
  const secrets = { session: random(32).toString('base64url'), trustedDevice: random(32).toString('base64url') }
  await createSessionWith(db, request, memberId, { now, secrets })
  return createdSessionReply(request, secrets)
}
