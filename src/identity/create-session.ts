import type { Db } from '#src/contract/db.ts'
import type { EndpointRequest, Reply } from '#src/contract/endpoint.ts'
import { hmac, purposeKey, type Random, sha256 } from '#src/kit/crypto.ts'
import { storeTrustedDevice } from './device.queries.ts'
import { describeBrowser } from './device.ts'
import {
  readBrowser,
  redirectInto,
  type SessionStart,
  sessionCookies,
  trustedDeviceCookies,
  unparkedCookies,
} from './session-cookies.ts'
import { endSession, findRecentProof, recordProof } from './sessions.queries.ts'
import { openSession, type Session } from './sessions.ts'

/**
 * What a browser gets when a member signs in: the secret of its session, and the token that makes it a trusted device.
 */
export type CreatedSession = {
  readonly session: string
  readonly trustedDevice: string
  /** Whether the person stays signed in on this device; otherwise until the browser ends, or 12 hours. */
  readonly isRemembered: boolean
}

/**
 * The same secrets each time, so that a form that is posted twice opens one session; nobody can compute them without the
 * installation's secret.
 */
export const deriveSession = (secret: string, purpose: string, values: readonly string[]): CreatedSession => {
  const key = purposeKey(secret, purpose)
  const derive = (what: string): string => hmac(key, [what, ...values].join('\n')).toString('base64url')
  return { session: derive('session'), trustedDevice: derive('known'), isRemembered: true }
}

/** The cookies of a new session, in place of those that a redirect to an app has parked. */
export const createdSessionReply = (
  request: EndpointRequest,
  { session, trustedDevice, isRemembered }: CreatedSession,
): SessionStart => {
  const { school } = request
  const made = [...sessionCookies(school, session, isRemembered), ...trustedDeviceCookies(school, trustedDevice)]
  return { cookies: [...unparkedCookies(request), ...made] }
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
  const opened = { memberId, amr, browser, isRemembered: secrets.isRemembered, oldHash: session }
  if (!(await openSession(db, school.id, opened, { now, secret: secrets.session }))) return false
  if (session !== undefined) await endSession(db, school.id, session)
  return true
}

/** Signs a member in with new random secrets; returns the cookies. */
export const createSession = async (
  db: Db,
  request: EndpointRequest,
  memberId: string,
  {
    now,
    random,
    isRemembered = true,
  }: { readonly now: Date; readonly random: Random; readonly isRemembered?: boolean },
): Promise<SessionStart> => {
  const [session, trustedDevice] = [random(32), random(32)].map(bytes => bytes.toString('base64url')) as [
    string,
    string,
  ]
  const secrets = { session, trustedDevice, isRemembered }
  await createSessionWith(db, request, memberId, { now, secrets })
  return createdSessionReply(request, secrets)
}

/** A proof within a session: the secret that the browser sent, and where the person continues. */
type Within = {
  readonly session: Pick<Session, 'id' | 'isRemembered'>
  readonly presented: string
  readonly address: string
}

/**
 * Records a proof within a session, which keeps its id and gets a new secret; returns the redirect with the new cookie. Undefined
 * when the proof does not hold any more, or the session has ended. The new secret follows from the one before, so that a form that
 * is posted twice, of which a browser reads the last answer, gets the same cookie twice.
 */
export const provenReply = async (
  request: EndpointRequest,
  { session, presented, address }: Within,
  installationSecret: string,
  proof: { readonly amr?: readonly string[]; confirm(db: Db): Promise<boolean> },
): Promise<Reply | undefined> => {
  const { school, database } = request
  const { id, isRemembered } = session
  const key = purposeKey(installationSecret, 'proof')
  const secret = hmac(key, [school.id, id, presented].join('\n')).toString('base64url')
  const hashes = { presentedHash: sha256(presented), newHash: sha256(secret) }
  const { amr = ['pwd'] } = proof
  const isNew = await database.transaction(school.id, async db => {
    if (await proof.confirm(db)) return recordProof(db, school.id, { id, ...hashes, amr })
    return findRecentProof(db, school.id, { id, ...hashes })
  })
  if (isNew === undefined) return undefined
  return redirectInto({ cookies: isNew ? sessionCookies(school, secret, isRemembered) : [] }, address)
}
