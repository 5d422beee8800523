import type { EndpointRequest } from '#src/contract/endpoint.ts'
import { OAuthError } from '#src/contract/oauth-error.ts'
import { findSession, isSameSite, readBrowser, type Session } from '#src/identity/index.ts'
import { sha256 } from '#src/kit/crypto.ts'
import { texts } from '#src/texts/index.ts'
import { type Binding, findPending, type Pending } from './queries.ts'
import { removed } from './recheck.ts'

/** An authorization in progress in a browser: its handle, its binding, and the session. */
export type AuthorizationInProgress = {
  readonly handle: string
  readonly handleHash: Buffer
  /** The secret of the browser binding; undefined where the browser has none. */
  readonly browserBinding: string | undefined
  readonly binding: Binding
  readonly pending: Pending
  readonly session: Session | undefined
}

const SECRET = /^[\w-]{43}$/

/** The refusal of a handle that does not belong to this browser, or has expired. */
export const authorizationLost = (): OAuthError =>
  new OAuthError('invalid_request', texts.oauth.authorize.inProgress.authorizationLost.thisSignInHasExpired)

/** The handle in a query. */
export const handleIn = (query: string): string => new URLSearchParams(query).get('request') ?? ''

/** Refuses a form that another site posted. */
export const refuseCrossSite = (request: EndpointRequest): void => {
  if (isSameSite(request)) return
  const phrase = texts.oauth.authorize.inProgress.refuseCrossSite.thisFormWasSentFrom
  throw new OAuthError('invalid_request', phrase, { status: 403 })
}

/** The secrets of a browser to which an authorization can be bound; undefined where it has none. */
export const boundTo = (request: EndpointRequest): Pick<AuthorizationInProgress, 'browserBinding' | 'binding'> => {
  const { session, preSession } = readBrowser(request)
  const [browserBinding, cookie] = [preSession, session].map(one =>
    one !== undefined && SECRET.test(one) ? one : undefined,
  )
  const computeHash = (text: string | undefined) => (text === undefined ? undefined : sha256(text))
  return { browserBinding, binding: { browserHash: computeHash(browserBinding), sessionHash: computeHash(cookie) } }
}

/** Finds the authorization in progress in this browser; refuses when its app was removed. */
export const findAuthorization = async (
  request: EndpointRequest,
  handle: string,
): Promise<AuthorizationInProgress | undefined> => {
  const { school, database } = request
  if (!SECRET.test(handle)) return undefined
  const { browserBinding, binding } = boundTo(request)
  const handleHash = sha256(handle)
  const [pending, session] = await database.statements(school.id, db =>
    Promise.all([
      findPending(db, school.id, handleHash, binding),
      findSession(db, school.id, readBrowser(request).session),
    ]),
  )
  if (pending?.is_blocked) throw removed()
  return pending && { handle, handleHash, browserBinding, binding, pending, session }
}

/** The same; refuses when there is none. */
export const getAuthorization = async (request: EndpointRequest, handle: string): Promise<AuthorizationInProgress> => {
  const authorization = await findAuthorization(request, handle)
  if (authorization === undefined) throw authorizationLost()
  return authorization
}

/** Whether a sign-in is recent enough for the request. */
export const isFresh = (session: Session | undefined, pending: Pick<Pending, 'fresh_after'>): session is Session =>
  session !== undefined && (pending.fresh_after === null || session.authTime >= pending.fresh_after)
