import { decodeJwt, decodeProtectedHeader } from 'jose'
import type { TestReply } from '../http.ts'
import type { Side, Walked } from './side.ts'

/** The facets of one reply that are compared: names and values, without those that every server chooses freely. */
export type Observed = Readonly<Record<string, string>>

const listNames = (names: Iterable<string>): string => [...names].sort().join(' ')

const errorOnPage = (text: string): string => /<code>(\w+)<\/code>/.exec(text)?.[1] ?? 'none'

const describeType = (value: unknown): string =>
  Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value

type Request = { readonly redirectUri: string; readonly state: string | undefined }

const atClient = (side: Side, location: string, { redirectUri, state }: Request): Observed => {
  const { search, hash } = new URL(location)
  const searchParams = new URLSearchParams(hash === '' ? search : hash.slice(1))
  const names = [...searchParams.keys()].filter(name => name !== 'error_description')
  return {
    end: location.startsWith(`${redirectUri}?`)
      ? 'client'
      : location.startsWith(`${redirectUri}#`)
        ? 'fragment'
        : 'elsewhere',
    error: searchParams.get('error') ?? 'none',
    parameters: listNames(names),
    state: (searchParams.get('state') ?? undefined) === state ? 'as sent' : 'another',
    iss: searchParams.get('iss') === side.issuer ? 'right' : 'wrong',
  }
}

/** Observes how an authorization ended, and which pages a person saw on the way. */
export const observeWalk = (side: Side, { reply, pages }: Walked, request: Request): Observed => {
  const { status, headers, text } = reply
  const store = /no-store/.test(headers['cache-control'] ?? '') ? 'never' : 'perhaps'
  const observed = { status: String(status), pages: pages.join(' '), store }
  if (headers.location !== undefined) return { ...observed, ...atClient(side, headers.location, request) }
  return { ...observed, end: 'page', error: errorOnPage(text) }
}

// Values that both servers must agree on; of the others only the type is compared.
const TOLD = [
  'active',
  'token_type',
  'grant_types',
  'response_types',
  'token_endpoint_auth_method',
  'application_type',
  'redirect_uris',
  'id_token_signed_response_alg',
  'client_secret_expires_at',
  'client_name',
]

// An ID token: its signing algorithm and the claims it has.
const formatClaims = (token: string): string =>
  `${decodeProtectedHeader(token).alg} ${listNames(Object.keys(decodeJwt(token)))}`

const saying = (side: Side, name: string, value: unknown): string => {
  if (name === 'id_token') return formatClaims(String(value))
  if (name === 'scope') return listNames(String(value).split(' '))
  if (!TOLD.includes(name)) return describeType(value)
  return JSON.stringify(value).replaceAll(side.issuer, 'ISSUER')
}

/** Observes the reply of a JSON endpoint: its members by name, with their types or values. */
export const observeJson = (side: Side, reply: TestReply): Observed => {
  const { status, headers, json } = reply
  const members = typeof json === 'object' && json !== null ? Object.entries(json) : []
  const compared = members.filter(([name]) => name !== 'error' && !name.startsWith('error_'))
  return {
    status: String(status),
    error: typeof json?.error === 'string' ? json.error : 'none',
    body: reply.text === '' ? 'none' : json === undefined ? 'no JSON' : 'JSON',
    store: /no-store/.test(headers['cache-control'] ?? '') ? 'never' : 'perhaps',
    challenge: String(headers['www-authenticate'] ?? 'none').split(' ')[0] ?? '',
    ...Object.fromEntries(compared.map(([name, value]) => [`member ${name}`, saying(side, name, value)])),
  }
}

/** Prefixes the observations of one of several steps with its name. */
export const step = (name: string, observed: Observed): Observed =>
  Object.fromEntries(Object.entries(observed).map(([facet, value]) => [`${name}: ${facet}`, value]))
