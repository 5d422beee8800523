import { form } from '../../http.ts'
import type { Case } from '../case.ts'
import { observeJson, step } from '../observe.ts'
import { proof } from '../side.ts'
import { again, broken, type Change, credentials, honest, leaving, type Sent, setting, TOKEN } from './exchange.ts'
import type { Asking } from './request.ts'

const code = (name: string, change: Change = fields => fields, asking: Asking = {}, headers: Sent = {}): Case => ({
  name: `code: ${name}`,
  run: async side => broken(side, await honest(side, asking), change, headers),
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
  code('honest, with profile and email', undefined, { fields: { scope: 'openid profile email account:read' } }),
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

/** Exchanges of codes, and requests that are not token requests. */
export const tokenCases: readonly Case[] = [...codes, ...shapes]
