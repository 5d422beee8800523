import { form } from '../../http.ts'
import type { Case } from '../case.ts'
import { type Observed, observeJson } from '../observe.ts'
import type { Side } from '../side.ts'
import { exchanged } from './exchange.ts'

const SIGNING_IN = ['openid', 'profile', 'email', 'offline_access']

const describe = (side: Side, name: string, value: unknown): string => {
  if (name === 'scopes_supported' && Array.isArray(value)) {
    const own = value.filter(scope => SIGNING_IN.includes(scope)).sort()
    return `${own.join(' ')} and ${value.length - own.length} more`
  }
  const text = JSON.stringify(Array.isArray(value) ? [...value].sort() : value)
  return text.replaceAll(side.issuer, 'ISSUER')
}

const document = (path: string): Case => ({
  name: `discovery: ${path}`,
  run: async side => {
    const { status, json } = await side.send({ path })
    const members = Object.entries(json ?? {}).map(([name, value]) => [`member ${name}`, describe(side, name, value)])
    return { status: String(status), ...Object.fromEntries(members) }
  },
})

const keys: Case = {
  name: 'discovery: keys',
  run: async side => {
    const { status, json } = await side.send({ path: '/api/oauth/jwks' })
    const keys: readonly Readonly<Record<string, unknown>>[] = json.keys
    const kinds = keys.map(({ kty, alg, use }) => `${kty} ${alg} ${use}`).sort()
    const isPrivate = keys.some(key => ['d', 'p', 'q'].some(name => name in key))
    return { status: String(status), kinds: kinds.join(', '), 'private parts': String(isPrivate) }
  },
}

const USERINFO = '/api/oauth/userinfo'

const userinfo = (name: string, ask: (side: Side) => Promise<Parameters<Side['send']>[0]>): Case => ({
  name: `userinfo: ${name}`,
  run: async (side): Promise<Observed> => observeJson(side, await side.send(await ask(side))),
})

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

const persons: Case[] = [
  userinfo('no token', async () => ({ path: USERINFO })),
  userinfo('another scheme', async () => ({ path: USERINFO, headers: { authorization: 'Basic eDp5' } })),
  userinfo('a token nobody gave out', async () => ({ path: USERINFO, headers: bearer('x') })),
  userinfo('no token in the header', async () => ({ path: USERINFO, headers: bearer('') })),
  userinfo('a living token', async side => {
    const { json } = await exchanged(side, { fields: { scope: 'openid profile email' } })
    return { path: USERINFO, headers: bearer(json.access_token) }
  }),
  userinfo('a token in the address', async side => {
    const { json } = await exchanged(side)
    return { path: `${USERINFO}?access_token=${json.access_token}` }
  }),
  userinfo('a token in the form', async side =>
    form(USERINFO, { access_token: (await exchanged(side)).json.access_token }),
  ),
  userinfo('a refresh token', async side => ({
    path: USERINFO,
    headers: bearer((await exchanged(side)).json.refresh_token),
  })),
]

/** Discovery, keys and userinfo. */
export const discoveryCases: readonly Case[] = [
  document('/.well-known/openid-configuration'),
  document('/.well-known/oauth-authorization-server'),
  document('/.well-known/oauth-protected-resource'),
  document('/.well-known/nothing'),
  keys,
  ...persons,
]
