import type { EndpointRequest } from '#src/contract/endpoint.ts'
import type { CreatedSession } from '#src/identity/index.ts'
import { hmac, purposeKey, sha256 } from '#src/kit/crypto.ts'
import { type AuthorizationInProgress, boundTo } from './in-progress.ts'
import { findPending, findSignInSalt } from './queries.ts'

/** The secrets of a browser after a sign-in for an authorization: those of its session, and its new browser binding. */
export type SessionSecrets = CreatedSession & { readonly browserBinding: string }

type BrowserSecrets = Pick<AuthorizationInProgress, 'handle' | 'browserBinding' | 'binding'>

const getSecret = ({ browserBinding, binding }: BrowserSecrets): string =>
  browserBinding ?? `session ${binding.sessionHash?.toString('base64url')}`

/**
 * The secrets that a browser with a browser binding or a session gets by a sign-in for an authorization. They are the
 * same each time, so that a form that is posted twice gets one response and opens one session. They cannot be computed
 * without the browser's secret, the handle, the salt and the installation's secret.
 */
export const deriveSessionSecrets = (
  secret: string,
  schoolId: string,
  browser: BrowserSecrets,
  { salt, isRemembered }: { readonly salt: string; readonly isRemembered: boolean },
): SessionSecrets => {
  const key = purposeKey(secret, 'entry')
  const derive = (what: string): string =>
    hmac(key, [what, schoolId, browser.handle, getSecret(browser), salt].join('\n')).toString('base64url')
  return {
    session: derive('session'),
    trustedDevice: derive('known'),
    browserBinding: derive('mark'),
    isRemembered,
  }
}

/** The authorization whose sign-in form this browser has already posted, unless it signed in again since. */
export const findSignedIn = async (
  request: EndpointRequest,
  handle: string,
  secret: string,
): Promise<AuthorizationInProgress | undefined> => {
  const { school, database } = request
  const browser = { handle, ...boundTo(request) }
  const handleHash = sha256(handle)
  return database.statements(school.id, async db => {
    const salt = await findSignInSalt(db, school.id, handleHash)
    if (salt === undefined) return undefined
    const sessionHash = sha256(deriveSessionSecrets(secret, school.id, browser, { salt, isRemembered: true }).session)
    const pending = await findPending(db, school.id, handleHash, { browserHash: undefined, sessionHash })
    return pending && { ...browser, handleHash, pending, session: undefined }
  })
}
