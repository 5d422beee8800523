import type { Operation } from '#src/contract/operation.ts'
import { EXAMPLE_BASE } from '#src/http/index.ts'
import { type IdPrefix, toId } from '#src/kit/ids.ts'
import type { TestApp } from './app.ts'
import { lookUp } from './examples.ts'
import type { TestReply } from './http.ts'
import { enrollEverybody } from './learning.ts'
import { buildRequest, grantable, identityScopes, operations } from './matrix.ts'
import { passing } from './operation-kinds.ts'
import { setProvider } from './payments.ts'

const ID = /\b([a-z]{3})_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const LOCAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?$/
const LATER = /until|expires|ends|due|closes|opens|ready/
const TOKENS = /stoa_[a-z]+_\w+/g

// Values that differ between runs, by the name of their field.
const FIXED: Readonly<Record<string, unknown>> = {
  serial: 'K7QDM-2XWVA-90HTC-4RBNE',
  next_cursor: 'WzEsIjIwMjYtMTEtMjEiXQ',
  next_after: '000000000000002a',
  client_id: `c1_${'4'.repeat(52)}`,
  secret_hint: 'k4Q=',
  request_id: '0d5a4c1e-6f0b-4a53-9b53-1f2ac1ff00aa',
  connected: 12,
  today: 1204,
  last_30_days: 20418,
  etag: '"3-Vb1vC5yq0iYk2f3A"',
  year: 2026,
}

// Fields that a buffered write stores some time after the request, or not yet.
const WHENEVER = ['last_seen_at', 'last_used_at', 'last_activity_at']

const BLOCK = /(\n\n|\n(?=<))/
const MOST_BLOCKS = 2
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*'
const DAY_FIRST = new RegExp(`\\b\\d{1,2} ${MONTH} \\d{4}(?: at \\d\\d:\\d\\d)?`, 'g')
const MONTH_FIRST = new RegExp(`\\b${MONTH} \\d{1,2}, \\d{4}(?:, \\d{1,2}:\\d\\d\\s[AP]M)?`, 'g')

const atPlace = (name: string): string => (LATER.test(name) ? '2027-01-21T09:30:00.000Z' : '2026-11-21T09:30:00.000Z')

// The first items of a long list, and the first blocks of a long text, show what it has.
const shortened = (value: unknown, most: number): unknown => {
  if (Array.isArray(value)) return value.slice(0, most).map(item => shortened(item, most))
  if (typeof value === 'string')
    return value
      .split(BLOCK)
      .slice(0, 2 * MOST_BLOCKS - 1)
      .join('')
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shortened(item, most)]))
}

/** Replaces what differs between runs by values of the same form; ids keep their kind. */
const settle = (value: unknown, name: string, baseUrl: string): unknown => {
  if (Array.isArray(value)) return value.map(item => settle(item, name, baseUrl))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, settle(item, key, baseUrl)]))
  if (WHENEVER.includes(name)) return atPlace(name)
  if (Object.hasOwn(FIXED, name) && value !== null) return FIXED[name]
  if (typeof value !== 'string') return value
  if (INSTANT.test(value)) return atPlace(name)
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return '2026-11-21'
  if (LOCAL.test(value)) return value.length === 16 ? '2026-11-21T09:30' : '2026-11-21T09:30:00'
  return settleText(value, baseUrl)
}

const settleText = (text: string, baseUrl: string): string =>
  text
    .replaceAll(baseUrl, EXAMPLE_BASE)
    .replace(TOKENS, 'stoa_…')
    .replace(/^whsec_.*/, 'whsec_…')
    .replace(/\bINV-\d{4}\b/g, 'INV-2026')
    .replace(DAY_FIRST, '21 November 2026')
    .replace(MONTH_FIRST, 'November 21, 2026')
    .replace(/(\?|&)([a-z_]+)=[^&#\s]+/g, '$1$2=…')
    .replace(/(\/(?:appearance|pages)\/previews\/)[\w/-]+/, '$1…')
    .replace(/[0-9A-Z]{5}(?:-[0-9A-Z]{5}){3}/g, 'K7QDM-2XWVA-90HTC-4RBNE')
    .replace(/^[0-9A-Z]{4}(?:-[0-9A-Z]{4}){2}$/, 'K7QD-2XWV-90HT')
    .replace(/(\/calendar\/)[\w-]{20,}/, '$1…')
    .replace(/^eyJ[\w-]+\.[\w-]{43}$/, 'eyJwcmljZV9pZCI6Ii…')

const sampleId = (prefix: string, number: number): string =>
  toId(prefix as IdPrefix, `01931b66-7a00-7000-8000-${number.toString(16).padStart(12, '0')}`)

/** Numbers the ids of an example by kind, in the order in which they appear. */
const numberIds = (text: string): string => {
  const samples = new Map<string, string>()
  const counts = new Map<string, number>()
  return text.replace(ID, (id, prefix: string) => {
    const before = samples.get(id)
    if (before !== undefined) return before
    counts.set(prefix, (counts.get(prefix) ?? 0) + 1)
    const sample = sampleId(prefix, counts.get(prefix) ?? 1)
    samples.set(id, sample)
    return sample
  })
}

const withoutIds = (value: unknown): string => JSON.stringify(value).replace(ID, '$1')

type Page = { readonly data: readonly unknown[] }

const isPage = (value: unknown): value is Page =>
  typeof value === 'object' && value !== null && 'data' in value && Array.isArray(value.data)

// The longest item is kept; lists that are ordered by random ids would differ between runs.
const oneItem = (value: unknown): unknown => {
  if (!isPage(value)) return value
  const items = value.data.toSorted((a, b) => {
    const [left, right] = [withoutIds(a), withoutIds(b)]
    return right.length - left.length || (left < right ? -1 : 1)
  })
  return { ...value, data: items.slice(0, 1) }
}

// What a list shows of each resource is shown by the operation for one of them, with two items of each list.
const countMost = (body: unknown): number => (isPage(body) ? 1 : 2)

/** Turns a recorded body into an example that is the same in every run. */
const settled = (body: unknown, baseUrl: string): unknown =>
  JSON.parse(numberIds(JSON.stringify(shortened(oneItem(settle(body, '', baseUrl)), countMost(body)))))

const findIdPrefix = ({ returns }: Operation): IdPrefix | undefined =>
  /"id":\{[^}]*?"\^?\(?\^?([a-z]{3})_/.exec(JSON.stringify(returns))?.[1] as IdPrefix | undefined

// A dry run returns everything except the id of what was not created.
const computeResult = (operation: Operation, reply: TestReply): unknown => {
  const { result } = reply.json
  const prefix = findIdPrefix(operation)
  if (operation.status !== 201 || prefix === undefined) return result
  const inAddress = new RegExp(`/(${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25})`).exec(JSON.stringify(result))?.[1]
  return { ...result, id: inAddress ?? sampleId(prefix, 0) }
}

const takesDryRun = ({ method, mode, dryRun }: Operation): boolean =>
  method !== 'GET' && mode === 'write' && dryRun !== 'veiled'

/** Records the response to every operation's example that has a body, as an owner, or as an admin where an owner is refused. */
export const recordResponses = async (app: TestApp): Promise<Readonly<Record<string, unknown>>> => {
  const scopes = [...identityScopes, ...grantable]
  const [owner, admin] = await Promise.all([app.actor('ada', { scopes }), app.actor('ben', { scopes })])
  // An app that needs no confirmation, for operations on another app.
  await app.actor('ada', { metadata: { client_name: 'Recipe Box' } })
  await enrollEverybody(app, owner.token)
  // Saved payment methods need a provider that saves them.
  for (const provider of ['manual', 'test'] as const) await setProvider(app, provider, {})
  const recorded: Record<string, unknown> = {}
  // Operations without a dry run are carried out after the others were recorded.
  const order = [...operations].sort((a, b) => Number(isReal(a)) - Number(isReal(b)))
  for (const operation of order.filter(({ returns }) => returns !== undefined)) {
    const { token } = passing(operation).at(-1) === 'ada' ? owner : admin
    const found = await lookUp(operation, token, request => app.send(request))
    const reply = await app.send(buildRequest(operation, { token, ...found, dryRun: takesDryRun(operation) }))
    if (reply.status >= 300) throw new Error(`${operation.id}: ${reply.text}`)
    const body = takesDryRun(operation) ? computeResult(operation, reply) : reply.json
    recorded[operation.id] = settled(body, app.a.baseUrl)
  }
  return Object.fromEntries(operations.flatMap(({ id }) => (id in recorded ? [[id, recorded[id]]] : [])))
}

const isReal = (operation: Operation): boolean => operation.method !== 'GET' && !takesDryRun(operation)
