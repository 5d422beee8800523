import type { School } from '#src/contract/school.ts'
import { jsonBody, send, type TestReply } from './http.ts'
import { authorize, CALLBACK, callbackOf, pkce, register, tokenRequest, type Visitor } from './oauth.ts'

/** How an actor signs in. */
export type ActorOptions = {
  readonly scopes?: readonly string[]
  readonly school?: School
  /** What the app registers with beside the usual. */
  readonly metadata?: Readonly<Record<string, unknown>>
}

/** A person with an app that acts for them. */
export type Actor = {
  readonly token: string
  readonly scopes: readonly string[]
  readonly clientId: string
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<TestReply>
  write(
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<TestReply>
}

const USUAL = ['openid', 'profile', 'email', 'account:read', 'school:read']

/** Registers an app, signs a person in through the pages and gives the two as one; paths are below `/api/v1`. */
export const signInActor = async (visitor: Visitor, options: ActorOptions): Promise<Actor> => {
  const { port, school } = visitor
  const { json: client } = await register(port, school, options.metadata)
  const { verifier, challenge } = pkce()
  const scope = (options.scopes ?? USUAL).join(' ')
  const { reply } = await authorize(visitor, {
    client_id: client.client_id,
    redirect_uri: CALLBACK,
    scope,
    code_challenge: challenge,
  })
  const code = callbackOf(reply).searchParams.get('code')
  if (code === null)
    throw new Error(`${visitor.email} got no code: ${reply.status} ${reply.headers.location ?? reply.text}`)
  const { json: tokens } = await tokenRequest(port, school, {
    grant_type: 'authorization_code',
    client_id: client.client_id,
    redirect_uri: CALLBACK,
    code,
    code_verifier: verifier,
  })
  const host = new URL(school.baseUrl).host
  const bearer = { authorization: `Bearer ${tokens.access_token}` }
  return {
    token: tokens.access_token,
    scopes: String(tokens.scope).split(' '),
    clientId: client.client_id,
    get: (path, headers = {}) => send(port, { path: `/api/v1${path}`, host, headers: { ...bearer, ...headers } }),
    write: (method, path, body, headers = {}) =>
      send(port, {
        ...(body === undefined ? { method, path: `/api/v1${path}` } : jsonBody(method, `/api/v1${path}`, body)),
        host,
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...bearer, ...headers },
      }),
  }
}
