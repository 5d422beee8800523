import type { EndpointRequest } from '#src/contract/endpoint.ts'
import type { CreatedSession } from '#src/identity/index.ts'
import { hmac, purposeKey, sha256 } from '#src/kit/crypto.ts'
import { type AuthorizationInProgress, isBoundTo } from './in-progress.ts'
import { findEntrySalt, findPending } from './queries.ts'

/** What a browser holds after a sign-in for an authorization: its entry, and the mark of its visit from then on. */
export type SessionSecrets = CreatedSession & { readonly mark: string }

type Held = Pick<AuthorizationInProgress, 'handle' | 'mark' | 'binding'>

// Below the path of a session the session is all that a browser sends.
const heldIn = ({ mark, binding }: Held): string => mark ?? `session ${binding.sessionHash?.toString('base64url')}`

/**
 * What a sign-in for an authorization gives the browser that holds a mark or a session. It is the same each time, so that
 * a form that is posted twice gets one answer and opens one session; without mark, handle, row and secret nobody can tell it.
 */
export const sessionSecretsOf = (secret: string, schoolId: string, held: Held, salt: string): SessionSecrets => {
  const key = purposeKey(secret, 'entry')
  const derive = (what: string): string =>
    hmac(key, [what, schoolId, held.handle, heldIn(held), salt].join('\n')).toString('base64url')
  return { session: derive('session'), known: derive('known'), mark: derive('mark') }
}

/** The authorization whose sign-in form this browser has posted before, when it has not signed in again since. */
export const findSignedIn = async (
  request: EndpointRequest,
  handle: string,
  secret: string,
): Promise<AuthorizationInProgress | undefined> => {
  const { school, database } = request
  const held = { handle, ...isBoundTo(request) }
  const handleHash = sha256(handle)
  return database.statements(school.id, async db => {
    const salt = await findEntrySalt(db, school.id, handleHash)
    if (salt === undefined) return undefined
    const sessionHash = sha256(sessionSecretsOf(secret, school.id, held, salt).session)
    const pending = await findPending(db, school.id, handleHash, { browserHash: undefined, sessionHash })
    return pending && { ...held, handleHash, pending, session: undefined }
  })
}
