import { form, type TestReply } from '../../http.ts'
import type { Case } from '../case.ts'
import { observeJson, step } from '../observe.ts'
import { CALLBACKS, type ClientName, proof, type Side } from '../side.ts'
import { type Asking, codeFor } from './ask.ts'

const TOKEN = '/api/oauth/token'

type Pairs = readonly (readonly [string, string])[]
/** The parameters of a form. */
export type Sent = Readonly<Record<string, string>>

/** The parameters by which a client says who it is. */
export const credentials = (side: Side, name: ClientName): Sent => {
  const { id, secret } = side.clients[name]
  return { client_id: id, ...(secret === undefined ? {} : { client_secret: secret }) }
}

/** An honest exchange of a code that the member approved. */
export const honest = async (side: Side, asking: Asking): Promise<Sent> => ({
  grant_type: 'authorization_code',
  ...credentials(side, asking.client ?? 'refreshing'),
  redirect_uri:
    asking.fields !== undefined && 'redirect_uri' in asking.fields
      ? String(asking.fields.redirect_uri)
      : (CALLBACKS[0] ?? ''),
  code: await codeFor(side, asking),
  code_verifier: proof.verifier,
})

/** The answer of an honest exchange. */
export const exchanged = async (side: Side, asking: Asking = {}): Promise<TestReply> =>
  side.send(form(TOKEN, await honest(side, asking)))

type Change = (fields: Sent, side: Side) => Sent | Pairs | Promise<Sent | Pairs>

const leaving =
  (name: string): Change =>
  fields =>
    Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name))
/** Sets parameters. */
export const setting =
  (more: Sent): Change =>
  fields => ({ ...fields, ...more })
const again =
  (name: string, value: string): Change =>
  fields => [...Object.entries(fields), [name, value]]

/** Sends a changed request; when it is refused, the honest one after it tells whether it used the code or token up. */
export const broken = async (side: Side, fields: Sent, change: Change, headers: Sent = {}) => {
  const first = await side.send(form(TOKEN, await change(fields, side), headers))
  const observed = observeJson(side, first)
  if (first.status === 200) return observed
  const after = await side.send(form(TOKEN, fields))
  return { ...observed, ...step('the honest request after it', { status: String(after.status) }) }
}

const code = (name: string, change: Change = fields => fields, asking: Asking = {}, headers: Sent = {}): Case => ({
  name: `code: ${name}`,
  run: async side => broken(side, await honest(side, asking), change, headers),
})

const refreshing = async (side: Side, client: ClientName): Promise<Sent> => ({
  grant_type: 'refresh_token',
  ...credentials(side, client),
  refresh_token: (await exchanged(side, { client, fields: { scope: 'openid account:read school:read' } })).json
    .refresh_token,
})

const refresh = (name: string, change: Change = fields => fields, client: ClientName = 'refreshing'): Case => ({
  name: `refresh: ${name}`,
  run: async side => broken(side, await refreshing(side, client), change),
})

const names = ['grant_type', 'client_id', 'redirect_uri', 'code', 'code_verifier']

const codes: Case[] = [
  code('honest'),
  code('honest, without openid', undefined, { fields: { scope: 'account:read' } }),
  code('honest, of a client without refresh tokens', undefined, { client: 'codeOnly' }),
  code('honest, of a confidential client', undefined, { client: 'secretive' }),
  code('honest, with ES256', undefined, { client: 'elliptic', fields: { scope: 'openid' } }),
  code('honest, with a nonce', undefined, { fields: { nonce: 'n' } }),
  code('honest, at another port', undefined, { fields: { redirect_uri: 'http://127.0.0.1:5000/callback' } }),
  code('honest, with offline_access', undefined, { fields: { scope: 'openid offline_access account:read' } }),
  code('honest, with resource', (fields, side) => ({ ...fields, resource: side.issuer })),
  code('honest, with a parameter nobody knows', setting({ foo: 'bar' })),
  code('honest, with a scope, which does not belong here', setting({ scope: 'openid' })),
  ...names.flatMap(name => [
    code(`no ${name}`, leaving(name)),
    code(`empty ${name}`, setting({ [name]: '' })),
    code(`${name} twice`, again(name, 'x')),
  ]),
  ...['password', 'client_credentials', 'implicit', 'x', 'AUTHORIZATION_CODE'].map(type =>
    code(`grant_type ${type}`, setting({ grant_type: type })),
  ),
  code('another verifier', setting({ code_verifier: 'v'.repeat(43) })),
  code('a verifier of 42 characters', setting({ code_verifier: 'v'.repeat(42) })),
  code('a verifier of 129 characters', setting({ code_verifier: 'v'.repeat(129) })),
  code('a verifier in another alphabet', setting({ code_verifier: 'ü'.repeat(43) })),
  code('the challenge as verifier', setting({ code_verifier: proof.challenge })),
  code('another redirect_uri', setting({ redirect_uri: 'http://127.0.0.1/other' })),
  code('another port', setting({ redirect_uri: 'http://127.0.0.1:5000/callback' })),
  code('a code nobody gave out', setting({ code: 'x' })),
  code('a code of 5000 characters', setting({ code: 'c'.repeat(5000) })),
  ...['client_id', 'client_secret', 'redirect_uri', 'grant_type'].map(name =>
    code(`${name} of 5000 characters`, setting({ [name]: 'x'.repeat(5000) })),
  ),
  code('another client', (fields, side) => ({ ...fields, ...credentials(side, 'other') })),
  code('an unknown client', setting({ client_id: 'nobody' })),
  code('a secret from a public client', setting({ client_secret: 'x' })),
  code('no secret from a confidential client', leaving('client_secret'), { client: 'secretive' }),
  code('a wrong secret', setting({ client_secret: 'wrong' }), { client: 'secretive' }),
  code('an empty secret', setting({ client_secret: '' }), { client: 'secretive' }),
  code('resource of nobody', setting({ resource: 'https://evil.example' })),
  code('resource that is no URI', setting({ resource: 'x' })),
  code('two resources', (fields, side) => [
    ...Object.entries(fields),
    ['resource', side.issuer],
    ['resource', 'https://evil.example'],
  ]),
  code('HTTP Basic beside', fields => fields, {}, { authorization: 'Basic eDp5' }),
  code('a Bearer header beside', fields => fields, {}, { authorization: 'Bearer x' }),
  {
    name: 'code: HTTP Basic alone',
    run: async side => {
      const fields = await honest(side, { client: 'secretive' })
      const { client_id = '', client_secret = '', ...rest } = fields
      const basic = Buffer.from(`${encodeURIComponent(client_id)}:${encodeURIComponent(client_secret)}`).toString(
        'base64',
      )
      return observeJson(side, await side.send(form(TOKEN, rest, { authorization: `Basic ${basic}` })))
    },
  },
  {
    name: 'code: twice, and then what the first gave',
    run: async side => {
      const fields = await honest(side, {})
      const first = await side.send(form(TOKEN, fields))
      const second = await side.send(form(TOKEN, fields))
      const third = await side.send(
        form(TOKEN, {
          grant_type: 'refresh_token',
          ...credentials(side, 'refreshing'),
          refresh_token: first.json.refresh_token,
        }),
      )
      return {
        ...step('first', observeJson(side, first)),
        ...step('second', observeJson(side, second)),
        ...step('refresh', observeJson(side, third)),
      }
    },
  },
]

const shapes: Case[] = (
  [
    ['GET', { method: 'GET', path: TOKEN }],
    ['PUT', { method: 'PUT', path: TOKEN }],
    ['no body', { method: 'POST', path: TOKEN }],
    ['JSON', { method: 'POST', path: TOKEN, headers: { 'content-type': 'application/json' }, body: '{}' }],
    ['text', { method: 'POST', path: TOKEN, headers: { 'content-type': 'text/plain' }, body: 'grant_type=x' }],
    ['no media type', { method: 'POST', path: TOKEN, body: 'grant_type=x' }],
    ['an empty form', form(TOKEN, {})],
    ['a malformed escape', { ...form(TOKEN, {}), body: 'grant_type=%zz' }],
    ['not UTF-8', { ...form(TOKEN, {}), body: 'grant_type=%ff' }],
    ['parameters in the address', { ...form(`${TOKEN}?grant_type=refresh_token`, {}) }],
  ] as const
).map(([name, request]) => ({
  name: `token: ${name}`,
  run: async side => observeJson(side, await side.send(request)),
}))

const refreshes: Case[] = [
  refresh('honest'),
  refresh('honest, of a confidential client', undefined, 'secretive'),
  refresh('honest, narrower', setting({ scope: 'openid' })),
  refresh('honest, the same scope', setting({ scope: 'school:read openid account:read' })),
  refresh('honest, with resource', (fields, side) => ({ ...fields, resource: side.issuer })),
  refresh('wider', setting({ scope: 'openid account:read school:read account:write' })),
  refresh('an unknown scope', setting({ scope: 'openid nothing' })),
  refresh('no refresh_token', leaving('refresh_token')),
  refresh('refresh_token twice', again('refresh_token', 'x')),
  refresh('a token nobody gave out', setting({ refresh_token: 'x' })),
  refresh('a token of 5000 characters', setting({ refresh_token: 'r'.repeat(5000) })),
  refresh('another client', (fields, side) => ({ ...fields, ...credentials(side, 'other') })),
  refresh('an unknown client', setting({ client_id: 'nobody' })),
  refresh('a wrong secret', setting({ client_secret: 'wrong' }), 'secretive'),
  refresh('a client without the grant', (fields, side) => ({ ...fields, ...credentials(side, 'codeOnly') })),
  ...['client_id', 'client_secret', 'scope', 'resource'].map(name =>
    refresh(`${name} of 5000 characters`, setting({ [name]: 'x'.repeat(5000) })),
  ),
  refresh('resource of nobody', setting({ resource: 'https://evil.example' })),
  {
    name: 'refresh: the same twice, and then its successor',
    run: async side => {
      const fields = await refreshing(side, 'refreshing')
      const first = await side.send(form(TOKEN, fields))
      const second = await side.send(form(TOKEN, fields))
      const third = await side.send(form(TOKEN, { ...fields, refresh_token: first.json.refresh_token }))
      return {
        ...step('first', observeJson(side, first)),
        ...step('second', observeJson(side, second)),
        ...step('successor', observeJson(side, third)),
      }
    },
  },
  {
    name: 'refresh: replayed after its successor was used, and then the newest',
    run: async side => {
      const fields = await refreshing(side, 'refreshing')
      const first = await side.send(form(TOKEN, fields))
      const second = await side.send(form(TOKEN, { ...fields, refresh_token: first.json.refresh_token }))
      const replay = await side.send(form(TOKEN, fields))
      const newest = await side.send(form(TOKEN, { ...fields, refresh_token: second.json.refresh_token }))
      return { ...step('replay', observeJson(side, replay)), ...step('newest', observeJson(side, newest)) }
    },
  },
]

/** Token requests. */
export const tokenCases: readonly Case[] = [...codes, ...shapes, ...refreshes]
