import { form } from '../../http.ts'
import type { Case } from '../case.ts'
import { type Observed, observeJson, step } from '../observe.ts'
import type { ClientName, Side } from '../side.ts'
import { credentials, exchanged } from './exchange.ts'

const REVOKE = '/api/oauth/revoke'
const INTROSPECT = '/api/oauth/introspect'

type Sent = Readonly<Record<string, string>>
type Kind = 'access_token' | 'refresh_token'

const activity = async (side: Side, client: ClientName, tokens: Readonly<Record<Kind, string>>): Promise<Observed> => {
  const ask = async (kind: Kind): Promise<string> => {
    const sent = form(INTROSPECT, { ...credentials(side, client), token: tokens[kind] })
    return String((await side.send(sent)).json.active)
  }
  return {
    'access token active after': await ask('access_token'),
    'refresh token active after': await ask('refresh_token'),
  }
}

type Telling = {
  readonly owner?: ClientName
  readonly presenter?: ClientName
  readonly kind?: Kind
  readonly more?: Sent
  readonly headers?: Sent
  /** The names of parameters that are not sent. */
  readonly without?: readonly string[]
}

// Both endpoints take the same form (RFC 7009 §2.1, RFC 7662 §2.1).
const about = (path: string, name: string, telling: Telling = {}): Case => ({
  name: `${path === REVOKE ? 'revocation' : 'introspection'}: ${name}`,
  run: async side => {
    const { owner = 'refreshing', kind = 'access_token', more = {}, headers = {}, without = [] } = telling
    const { json: tokens } = await exchanged(side, { client: owner })
    const all = { ...credentials(side, telling.presenter ?? owner), token: tokens[kind], ...more }
    const fields = Object.fromEntries(Object.entries(all).filter(([key]) => !without.includes(key)))
    const observed = observeJson(side, await side.send(form(path, fields, headers)))
    return path === REVOKE ? { ...observed, ...step('then', await activity(side, owner, tokens)) } : observed
  },
})

const kinds: readonly Kind[] = ['access_token', 'refresh_token']

/** Revocation and introspection. */
export const revocationCases: readonly Case[] = [REVOKE, INTROSPECT].flatMap(path => [
  ...kinds.flatMap(kind => [
    about(path, `own ${kind}`, { kind }),
    about(path, `own ${kind} of a confidential client`, { kind, owner: 'secretive' }),
    ...['access_token', 'refresh_token', 'saml'].map(hint =>
      about(path, `own ${kind} with the hint ${hint}`, { kind, more: { token_type_hint: hint } }),
    ),
    about(path, `${kind} of another, by a public client`, { kind, presenter: 'other' }),
    about(path, `${kind} of another, by a confidential client`, { kind, presenter: 'secretive' }),
  ]),
  about(path, 'no token', { without: ['token'] }),
  about(path, 'an empty token', { more: { token: '' } }),
  about(path, 'a token nobody gave out', { more: { token: 'x' } }),
  about(path, 'a token of 5000 characters', { more: { token: 't'.repeat(5000) } }),
  about(path, 'no client', { without: ['client_id'] }),
  about(path, 'an unknown client', { more: { client_id: 'nobody' } }),
  about(path, 'a wrong secret', { owner: 'secretive', more: { client_secret: 'wrong' } }),
  about(path, 'no secret', { owner: 'secretive', without: ['client_secret'] }),
  about(path, 'a secret from a public client', { more: { client_secret: 'x' } }),
  about(path, 'HTTP Basic beside', { headers: { authorization: 'Basic eDp5' } }),
  {
    name: `${path === REVOKE ? 'revocation' : 'introspection'}: GET`,
    run: async side => observeJson(side, await side.send({ path })),
  },
])
