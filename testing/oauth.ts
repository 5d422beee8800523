import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { School } from '#src/contract/school.ts'
import { type Browser, formOf, openBrowser } from './browser.ts'
import { form, jsonBody, send, type TestReply } from './http.ts'

/** Where a test goes and as whom. */
export type Visitor = {
  readonly port: number
  readonly school: School
  readonly email: string
  readonly password: string
}

/** The loopback callback the tests register. */
export const CALLBACK = 'http://127.0.0.1/callback'

const hostOf = (school: School): string => new URL(school.baseUrl).host

/** Registers a client; `metadata` replaces or adds members. */
export const register = (
  port: number,
  school: School,
  metadata: Readonly<Record<string, unknown>> = {},
): Promise<TestReply> =>
  send(port, {
    ...jsonBody('POST', '/api/oauth/register', { client_name: 'Loaf Tracker', redirect_uris: [CALLBACK], ...metadata }),
    host: hostOf(school),
  })

/** A PKCE pair (RFC 7636 §4). */
export const pkce = (): { verifier: string; challenge: string } => {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

/** The address of an authorization request; `parameters` replace or add, undefined ones go. */
export const authorizePath = (parameters: Readonly<Record<string, string | undefined>>): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries({ response_type: 'code', code_challenge_method: 'S256', ...parameters })) {
    if (value !== undefined) query.set(name, value)
  }
  return `/oauth/authorize?${query}`
}

/** Signs in on the page a browser is at; gives the page after it. */
export const signInOn = (
  browser: Browser,
  page: TestReply,
  who: { email: string; password: string },
): Promise<TestReply> =>
  browser.submit(formOf(page), [
    ['email', who.email],
    ['password', who.password],
  ])

/** A redirect to the client, read. */
export const callbackOf = (reply: TestReply): URL => new URL(reply.headers.location ?? 'about:blank')

/** Goes from an authorization request through sign-in and consent; gives the redirect to the client. */
export const authorize = async (
  visitor: Visitor,
  parameters: Readonly<Record<string, string | undefined>>,
  decision = 'approve',
): Promise<{ browser: Browser; reply: TestReply }> => {
  const browser = openBrowser(visitor.port, visitor.school)
  const signIn = await browser.open(authorizePath(parameters))
  const consent = await signInOn(browser, signIn, visitor)
  const reply = await browser.submit(formOf(consent), [['decision', decision]])
  return { browser, reply }
}

/** Sends a token request. */
export const tokenRequest = (
  port: number,
  school: School,
  fields: Readonly<Record<string, string>>,
): Promise<TestReply> => send(port, { ...form('/api/oauth/token', fields), host: hostOf(school) })

/** Opens an authorization request in a browser and signs in where it is asked to; gives the page after, mostly consent. */
export const openConsent = async (
  browser: Browser,
  who: { email: string; password: string },
  parameters: Readonly<Record<string, string | undefined>>,
): Promise<TestReply> => {
  const page = await browser.open(authorizePath(parameters))
  return page.text.includes('name="password"') ? signInOn(browser, page, who) : page
}

/** An approval: the browser it was given in, the client, and the form that exchanges its code honestly. */
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

/** Registers a client and approves what it asks for, up to the code; with a browser that is signed in, at once. */
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
  const reply = await browser.submit(formOf(consent), [['decision', 'approve']])
  const code = callbackOf(reply).searchParams.get('code')
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
 * Asks again until the answer is as it should be, for the one second in which every process has to know; the last answer,
 * to a question that was asked after it.
 */
export const withinASecond = async (
  ask: () => Promise<TestReply>,
  isSo: (reply: TestReply) => boolean,
): Promise<TestReply> => {
  const end = performance.now() + 1000
  for (;;) {
    const isLast = performance.now() > end
    const reply = await ask()
    if (isSo(reply) || isLast) return reply
    await pause(10)
  }
}
