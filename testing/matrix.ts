import { randomUUID } from 'node:crypto'
import type { TSchema } from 'typebox'
import { routedOperations } from '#src/contract/area.ts'
import type { Endpoint } from '#src/contract/endpoint.ts'
import { resolveExample } from '#src/contract/example.ts'
import type { AnyOperation, Operation } from '#src/contract/operation.ts'
import { scopeSections } from '#src/contract/scopes.ts'
import { noInvalidation } from '#src/db/invalidation.ts'
import { type IdPrefix, newUuid, toId } from '#src/kit/ids.ts'
import { createOAuth } from '#src/oauth/index.ts'
import { createPages, listEndpoints } from '../src/app.ts'
import { areas } from '../src/areas.ts'
import { openBrowser, parseForm } from './browser.ts'
import { type Touched, watchTouched } from './changed-rows.ts'
import type { TestDatabase } from './database.ts'
import { jsonBody, type TestReply, type TestRequest } from './http.ts'
import { authorizePath, CALLBACK, pkce, readCallback, register, signInOn, tokenRequest, type Visitor } from './oauth.ts'
import { pinboard } from './pinboard.ts'

/** Every operation of the API. */
export const operations: readonly Operation[] = routedOperations(areas)

/** Those and the ones of the pinboard, which has kinds of operations that no area of the product has yet. */
export const everyOperation: readonly Operation[] = [...operations, ...routedOperations([pinboard])]

const unused = undefined as never
const pageParts = {
  confirmations: unused,
  performAs: unused,
  exportAs: unused,
  keyFor: unused,
  files: unused,
  printer: unused,
}

/** Every endpoint that is not an operation; only their routes are read, and they never handle a request. */
export const endpoints: readonly Endpoint[] = [
  ...createOAuth({ database: unused, changes: noInvalidation, secret: '', random: unused, areas }).endpoints,
  ...createPages(areas, { secret: '', ...pageParts }).endpoints,
  ...listEndpoints(areas, { files: unused, printer: unused, keyFor: unused }),
]

/** The scopes of the areas, in the order in which they are advertised. */
export const areaScopes: readonly string[] = scopeSections.flatMap(({ scopes }) => Object.keys(scopes))

/** The scopes of identity, which belong to no area. */
export const identityScopes = ['openid', 'profile', 'email'] as const

const guarded = new Set(operations.map(({ scope }) => scope))

/** The scopes of areas that at least one operation requires, so that a person can grant them. */
export const grantable: readonly string[] = areaScopes.filter(scope => guarded.has(scope))

type Values = Readonly<Record<string, unknown>>

/** Replacements of, and additions to, an operation's example. */
export type Instead = {
  readonly token?: string | undefined
  readonly params?: Values
  readonly query?: Values
  readonly body?: Values
  /** Run a write as a dry run, where the operation supports it. */
  readonly dryRun?: boolean
}

const buildPath = (operation: Operation, params: Values): string =>
  operation.path.replace(/:(\w+)/g, (_, name: string) => {
    if (params[name] === undefined) throw new Error(`the example of ${operation.id} has no ${name}`)
    return encodeURIComponent(String(params[name]))
  })

const buildQuery = (operation: Operation, { query = {}, dryRun = false }: Instead): string => {
  const all = { ...(resolveExample(operation.example.query) as Values | undefined), ...query }
  const pairs = Object.entries(all).map(([name, value]) => [name, String(value)])
  const isDry = dryRun && operation.method !== 'GET' && operation.mode === 'write'
  return new URLSearchParams([...pairs, ...(isDry ? [['dry_run', 'true']] : [])] as [string, string][]).toString()
}

const buildBody = (operation: Operation, body: Values | undefined): unknown => {
  const { example } = operation
  if (operation.body === undefined) return undefined
  if (example.body === undefined) throw new Error(`${operation.id} has a body and no example of one`)
  return { ...(resolveExample(example.body) as Values), ...body }
}

/**
 * The request that an operation declares as its example; what requires If-Match gets `*`, and what requires a key a new
 * one. An id that has to be looked up is one that nothing has, unless it is told.
 */
export const buildRequest = (operation: Operation, instead: Instead = {}): TestRequest => {
  const params = { ...(resolveExample(operation.example.params) as Values | undefined), ...instead.params }
  const query = buildQuery(operation, instead)
  const path = `/api/v1${buildPath(operation, params)}${query === '' ? '' : `?${query}`}`
  const body = buildBody(operation, instead.body)
  const headers = {
    ...(instead.token === undefined ? {} : { authorization: `Bearer ${instead.token}` }),
    ...(operation.ifMatch === 'required' ? { 'if-match': '*' } : {}),
    ...(operation.idempotency === 'required' ? { 'idempotency-key': randomUUID() } : {}),
  }
  const { content } = operation.example
  if (content !== undefined) return { method: operation.method, path, headers, body: content }
  return body === undefined
    ? { method: operation.method, path, headers }
    : jsonBody(operation.method, path, body, headers)
}

/** Forgets how often operations with a limit were called, so that a suite never uses one up. */
export const resetLimits = async (
  { rateLimit, countTries }: AnyOperation,
  { query }: Pick<TestDatabase, 'query'>,
): Promise<void> => {
  if (rateLimit !== undefined || countTries !== undefined) await query('delete from limits')
}

/** The status an operation declares for its success. */
export const getSuccess = (operation: Operation): number => (operation.returns === undefined ? 204 : operation.status)

// Their examples change nothing that needs a person: money that is due now depends on a preview of the last hour, so one plans
// a change that charges nothing, and nobody in the demo data lacks nothing without having completed the course.
const ASKING_NOBODY = ['setSubscriptionPrice', 'createCourseCompletions']

/** Whether a person has to confirm the example of an operation. */
export const asksPerson = ({ id, confirm }: Operation): boolean => confirm === 'person' && !ASKING_NOBODY.includes(id)

/** Returns the status of an operation's example: 202 where a person has to confirm it. */
export const chooseExampleStatus = (operation: Operation): number =>
  asksPerson(operation) ? 202 : getSuccess(operation)

/** Returns every path of the server with its declared methods; a parameter has a value that exists. */
export const methodsByPath = (): ReadonlyMap<string, ReadonlySet<string>> => {
  const routes = endpoints.map(({ route }) => route.replace(/:\w+/g, 'not_found').split(' ') as [string, string])
  // Examples of one path may use ids or slugs; the first one is used for all.
  const first = new Map<string, string>()
  const calls = operations.map(one => {
    if (!first.has(one.path)) first.set(one.path, buildRequest(one).path.split('?')[0] ?? '')
    return [one.method, first.get(one.path) ?? ''] as const
  })
  const paths = new Map<string, Set<string>>()
  for (const [method, path] of [...routes, ...calls]) paths.set(path, (paths.get(path) ?? new Set()).add(method))
  return paths
}

/** A parameter or member of an operation that takes an id, and the kind of the id. */
export type IdPlace = {
  readonly where: 'params' | 'query' | 'body'
  readonly name: string
  readonly prefix: string
  readonly isList: boolean
}

const placesIn = (where: IdPlace['where'], schema: TSchema | undefined): IdPlace[] => {
  const { properties = {} } = (schema ?? {}) as { properties?: Readonly<Record<string, TSchema & { type?: string }>> }
  return Object.entries(properties).flatMap(([name, property]) => {
    const prefix = /([a-z]{3})_\[0-7\]/.exec(JSON.stringify(property))?.[1]
    return prefix === undefined ? [] : [{ where, name, prefix, isList: property.type === 'array' }]
  })
}

/** Returns every parameter and every member of the body that takes an id, by its schema. */
export const idPlaces = (operation: Operation): IdPlace[] => [
  ...placesIn('params', operation.params),
  ...placesIn('query', operation.query),
  ...placesIn('body', operation.body),
]

/** Returns the first id of each kind that replies contain. */
export const idsIn = (replies: readonly TestReply[]): ReadonlyMap<string, string> => {
  const found = replies.flatMap(({ text }) => [...text.matchAll(/\b([a-z]{3})_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g)])
  return new Map(found.map(([id, prefix = '']) => [prefix, id] as const).reverse())
}

/** Returns an id of a kind that no row has. */
export const nobodysId = (prefix: string): string => toId(prefix as IdPrefix, newUuid(Date.now()))

/** A person's consent to scopes: the page that they saw, and the token; no token when nothing was granted. */
type Granted = {
  readonly consent: TestReply
  readonly token: string | undefined
  readonly scopes: readonly string[]
}

/** Signs a person in once and requests each list of scopes in turn; `ticked` posts those boxes whatever the page has. */
export const grantEach = async (
  visitor: Visitor,
  lists: readonly (readonly string[])[],
  ticked?: readonly string[],
): Promise<Granted[]> => {
  const { port, school } = visitor
  const { json: client } = await register(port, school)
  const browser = openBrowser(port, school)
  const fields = { client_id: client.client_id, redirect_uri: CALLBACK }
  const ask = async (scopes: readonly string[]): Promise<Granted> => {
    const { verifier, challenge } = pkce()
    const at = await browser.open(authorizePath({ ...fields, scope: scopes.join(' '), code_challenge: challenge }))
    const consent = at.text.includes('name="password"') ? await signInOn(browser, at, visitor) : at
    const boxes = (ticked ?? []).map(scope => ['scope', scope] as const)
    const reply = await browser.submit(parseForm(consent), [['decision', 'approve'], ...boxes])
    const code = readCallback(reply).searchParams.get('code')
    if (code === null) return { consent, token: undefined, scopes: [] }
    const exchange = { ...fields, grant_type: 'authorization_code', code, code_verifier: verifier }
    const { json } = await tokenRequest(port, school, exchange)
    return { consent, token: json.access_token, scopes: String(json.scope).split(' ') }
  }
  const granted: Granted[] = []
  for (const scopes of lists) granted.push(await ask(scopes))
  return granted
}

type Summed = { readonly touched: Touched; readonly sums: Map<string, string> }
const summed = new WeakMap<TestDatabase, Promise<Summed>>()

const watched = async (database: TestDatabase): Promise<Summed> => {
  const tables = await database.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' and tablename <> all ($1)`,
    [['limits', 'usage_days', 'view_counts']],
  )
  const names = tables.map(({ name }) => name)
  const touched = await watchTouched(database, 'summed', names)
  return { touched, sums: await readSums(database, names) }
}

const readSums = async (database: TestDatabase, names: Iterable<string>): Promise<Map<string, string>> => {
  const sums = [...names].map(
    // The times at which somebody was last seen or active, and a session ends, are buffered writes, stored at any later time.
    name =>
      `select '${name}' as name, md5(coalesce(string_agg(line, '' order by line), '')) as sum from (select (to_jsonb(t) - 'last_seen_at' - 'last_activity_at'${name === 'sessions' ? " - 'expires_at'" : ''})::text as line from ${name} t) as rows`,
  )
  if (sums.length === 0) return new Map()
  const rows = await database.query<{ name: string; sum: string }>(sums.join(' union all '))
  return new Map(rows.map(({ name, sum }) => [name, sum]))
}

/**
 * A checksum of every row of every table except the counters, to see that a refusal changed nothing; `but` excludes more.
 * Only tables that were written to since are summed again.
 */
export const sumOfRows = async (database: TestDatabase, but: readonly string[] = []): Promise<string> => {
  const observed = summed.get(database) ?? watched(database)
  summed.set(database, observed)
  const { touched, sums } = await observed
  for (const [name, sum] of await readSums(database, await touched.take())) sums.set(name, sum)
  return [...sums]
    .filter(([name]) => !but.includes(name))
    .map(pair => pair.join(' '))
    .sort()
    .join(', ')
}
