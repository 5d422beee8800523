import type { School } from '#src/contract/school.ts'
import { people } from '#src/demo/index.ts'
import { PASSWORD, type PersonName, type TestApp } from './app.ts'
import { form, send, type TestReply } from './http.ts'
import { approve, tokenRequest, type Visitor, withinASecond } from './oauth.ts'

/** An app that a person approved: its client credentials and its tokens. */
export type Connected = {
  readonly school: School
  readonly clientId: string
  /** `client_id`, and `client_secret` for a confidential client. */
  readonly credentials: Readonly<Record<string, string>>
  readonly access: string
  readonly refresh: string
  /** The whole reply to the code exchange. */
  readonly answer: TestReply
  readonly exchange: Readonly<Record<string, string>>
}

type Connecting = {
  readonly metadata?: Readonly<Record<string, unknown>>
  readonly parameters?: Readonly<Record<string, string | undefined>>
  readonly school?: School
}

/** The grant types of a client with refresh tokens. */
export const REFRESHING = { grant_types: ['authorization_code', 'refresh_token'] }

/** Registers a client with refresh tokens, has a person approve it and exchanges the code. */
export const connect = async (app: TestApp, name: PersonName, options: Connecting = {}): Promise<Connected> => {
  const school = options.school ?? app.a
  const visitor: Visitor = { port: app.port, school, email: people[name].email, password: PASSWORD }
  const { clientId, exchange } = await approve(visitor, {
    metadata: { ...REFRESHING, ...options.metadata },
    ...(options.parameters === undefined ? {} : { parameters: options.parameters }),
  })
  const answer = await tokenRequest(app.port, school, exchange)
  if (answer.status !== 200) throw new Error(`no tokens: ${answer.status} ${answer.text}`)
  const { client_secret: secret } = exchange
  const credentials = { client_id: clientId, ...(secret === undefined ? {} : { client_secret: secret }) }
  const { access_token: access, refresh_token: refresh } = answer.json
  return { school, clientId, credentials, access, refresh, answer, exchange }
}

/** Sends a refresh request to a process; `more` replaces or adds parameters. */
export const refreshAt = (
  port: number,
  { school, credentials }: Connected,
  refresh: string,
  more: Readonly<Record<string, string>> = {},
): Promise<TestReply> =>
  tokenRequest(port, school, { grant_type: 'refresh_token', ...credentials, refresh_token: refresh, ...more })

const about =
  (path: string) =>
  (port: number, { school, credentials }: Connected, token: string, more: Readonly<Record<string, string>> = {}) =>
    send(port, { ...form(path, { ...credentials, token, ...more }), host: new URL(school.baseUrl).host })

/** Revokes a token at a process. */
export const revokeAt = about('/api/oauth/revoke')

/** Introspects a token at a process. */
export const introspectAt = about('/api/oauth/introspect')

const call = (port: number, school: School, access: string): Promise<TestReply> => {
  const headers = { authorization: `Bearer ${access}` }
  return send(port, { path: '/api/v1/account', headers, host: new URL(school.baseUrl).host })
}

/** Calls the API of a process with an access token; returns the status. */
export const callAt = async (port: number, school: School, access: string): Promise<number> =>
  (await call(port, school, access)).status

/** Calls until an ended token is refused, for the one second in which every process has to learn of it; the last status. */
export const lastCallAt = async (port: number, school: School, access: string): Promise<number> =>
  (
    await withinASecond(
      () => call(port, school, access),
      ({ status }) => status === 401,
    )
  ).status
