import type { Role } from '#src/contract/caller.ts'
import type { School } from '#src/contract/school.ts'
import { type Browser, openBrowser, parseForm } from './browser.ts'
import { jsonBody, send, type TestReply } from './http.ts'
import { CALLBACK, openConsent, pkce, readCallback, register, tokenRequest, type Visitor } from './oauth.ts'

/** Options of an actor's sign-in. */
export type ActorOptions = {
  readonly scopes?: readonly string[]
  readonly school?: School
  /** The role that the person has from now on. */
  readonly as?: Role
  /** The role that they have only while they approve: consent does not offer what a role cannot do. */
  readonly approvedAs?: Role
  /** Metadata that the app registers in addition to the defaults. */
  readonly metadata?: Readonly<Record<string, unknown>>
  /** Whether the person uses a new browser instead of the one that they used before. */
  readonly newBrowser?: boolean
}

/** A person, and an app that acts for them. */
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

/** The browsers in which people are signed in: one for each person of a school. */
export type Browsers = Map<string, Promise<Browser>>

// A browser is in one authorization at a time; the next one of the same person waits.
const inTurn = <Result>(
  browsers: Browsers,
  { port, school, email }: Visitor,
  use: (browser: Browser) => Promise<readonly [result: Result, browser: Browser]>,
): Promise<Result> => {
  const key = `${school.id} ${email}`
  const fresh = () => openBrowser(port, school)
  const used = (browsers.get(key) ?? Promise.resolve(fresh())).then(use)
  browsers.set(
    key,
    used.then(([, browser]) => browser, fresh),
  )
  return used.then(([result]) => result)
}

type Parameters = Readonly<Record<string, string>>

// Authorizations that a member begins are limited; those of a browser in which nobody is signed in are counted elsewhere.
const approve = async (visitor: Visitor, browserInUse: Browser, parameters: Parameters) => {
  const first = await openConsent(browserInUse, visitor, parameters)
  const isLimited = first.status === 429
  const browser = isLimited ? openBrowser(visitor.port, visitor.school) : browserInUse
  const consent = isLimited ? await openConsent(browser, visitor, parameters) : first
  return [await browser.submit(parseForm(consent), [['decision', 'approve']]), browser] as const
}

/** Registers an app and signs a person in through the pages; returns both as an actor whose paths are below `/api/v1`. */
export const signInActor = async (
  visitor: Visitor,
  options: ActorOptions,
  browsers: Browsers = new Map(),
): Promise<Actor> => {
  const { port, school } = visitor
  const { json: client } = await register(port, school, options.metadata)
  const { verifier, challenge } = pkce()
  const scope = (options.scopes ?? USUAL).join(' ')
  const parameters = { client_id: client.client_id, redirect_uri: CALLBACK, scope, code_challenge: challenge }
  const reply = await inTurn(options.newBrowser === true ? new Map() : browsers, visitor, browser =>
    approve(visitor, browser, parameters),
  )
  const code = readCallback(reply).searchParams.get('code')
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
