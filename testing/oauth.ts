import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { School } from '#src/contract/school.ts'
import { type Browser, openBrowser, parseForm } from './browser.ts'
import { form, jsonBody, send, type TestReply } from './http.ts'

/** The school that a test calls, and the person who signs in. */
export type Visitor = {
  readonly port: number
  readonly school: School
  readonly email: string
  readonly password: string
}

/** The loopback redirect URI that the tests register. */
export const CALLBACK = 'http://127.0.0.1/callback'

const parseHost = (school: School): string => new URL(school.siteOrigin).host

/** Registers a client; `metadata` replaces or adds members. */
export const register = (
  port: number,
  school: School,
  metadata: Readonly<Record<string, unknown>> = {},
): Promise<TestReply> =>
  send(port, {
    ...jsonBody('POST', '/api/oauth/register', { client_name: 'Loaf Tracker', redirect_uris: [CALLBACK], ...metadata }),
    host: parseHost(school),
  })

/** Returns a PKCE pair (RFC 7636 §4). */
export const pkce = (): { verifier: string; challenge: string } => {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

/** Returns the path of an authorization request; `parameters` replace or add, and undefined ones are removed. */
export const authorizePath = (parameters: Readonly<Record<string, string | undefined>>): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries({ response_type: 'code', code_challenge_method: 'S256', ...parameters })) {
    if (value !== undefined) query.set(name, value)
  }
  return `/oauth/authorize?${query}`
}

/** Signs in on the current page of a browser; returns the page after it. */
export const signInOn = (
  browser: Browser,
  page: TestReply,
  person: { email: string; password: string },
): Promise<TestReply> =>
  browser.submit(parseForm(page), [
    ['email', person.email],
    ['password', person.password],
  ])

/** Returns the parameters of a redirect to the client. */
export const readCallback = (reply: TestReply): URL => new URL(reply.headers.location ?? 'about:blank')

/** Completes an authorization request with sign-in and consent; returns the redirect to the client. */
export const authorize = async (
  visitor: Visitor,
  parameters: Readonly<Record<string, string | undefined>>,
  decision = 'approve',
): Promise<{ browser: Browser; reply: TestReply }> => {
  const browser = openBrowser(visitor.port, visitor.school)
  const signIn = await browser.open(authorizePath(parameters))
  const consent = await signInOn(browser, signIn, visitor)
  const reply = await browser.submit(parseForm(consent), [['decision', decision]])
  return { browser, reply }
}

/** Sends a token request. */
export const tokenRequest = (
  port: number,
  school: School,
  fields: Readonly<Record<string, string>>,
): Promise<TestReply> => send(port, { ...form('/api/oauth/token', fields), host: parseHost(school) })

/** Opens an authorization request in a browser and signs in where required; returns the next page, usually consent. */
export const openConsent = async (
  browser: Browser,
  person: { email: string; password: string },
  parameters: Readonly<Record<string, string | undefined>>,
): Promise<TestReply> => {
  const page = await browser.open(authorizePath(parameters))
  return page.text.includes('name="password"') ? signInOn(browser, page, person) : page
}

/** An approval: the browser, the client, and the form that exchanges its code correctly. */
export type Approval = {
  readonly browser: Browser
  readonly clientId: string
  readonly exchange: Readonly<Record<string, string>>
}

type Approving = {
  readonly browser?: Browser
  readonly metadata?: Readonly<Record<string, unknown>>
  readonly parameters?: Readonly<Record<string, string | undefined>>
}

/** Registers a client and approves its request up to the code; a signed-in browser skips the sign-in. */
export const approve = async (visitor: Visitor, options: Approving = {}): Promise<Approval> => {
  const { port, school } = visitor
  const { json: client } = await register(port, school, options.metadata)
  const { verifier, challenge } = pkce()
  const browser = options.browser ?? openBrowser(port, school)
  const consent = await openConsent(browser, visitor, {
    client_id: client.client_id,
    redirect_uri: CALLBACK,
    scope: 'openid account:read school:read',
    code_challenge: challenge,
    ...options.parameters,
  })
  const reply = await browser.submit(parseForm(consent), [['decision', 'approve']])
  const code = readCallback(reply).searchParams.get('code')
  if (code === null) throw new Error(`no code: ${reply.status} ${reply.headers.location ?? reply.text}`)
  const secret = client.client_secret === undefined ? {} : { client_secret: String(client.client_secret) }
  const exchange = {
    grant_type: 'authorization_code',
    client_id: String(client.client_id),
    redirect_uri: options.parameters?.redirect_uri ?? CALLBACK,
    code,
    code_verifier: verifier,
    ...secret,
  }
  return { browser, clientId: client.client_id, exchange }
}

/**
 * Repeats a request until its reply meets the condition, for the one second in which every process has to learn of a
 * change. Returns the last reply; the last request begins after that second.
 */
export const withinASecond = async (
  ask: () => Promise<TestReply>,
  condition: (reply: TestReply) => boolean,
): Promise<TestReply> => {
  const end = performance.now() + 1000
  for (;;) {
    const isLast = performance.now() > end
    const reply = await ask()
    if (condition(reply) || isLast) return reply
    await pause(10)
  }
}
