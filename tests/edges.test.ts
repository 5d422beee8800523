import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { TSchema } from 'typebox'
import type { Operation } from '#src/contract/operation.ts'
import { people } from '#src/demo/index.ts'
import { enterAccount } from '#testing/account-pages.ts'
import type { Actor } from '#testing/actor.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { listEdges } from '#testing/arbitrary.ts'
import type { Browser } from '#testing/browser.ts'
import { lookUp } from '#testing/examples.ts'
import type { TestRequest } from '#testing/http.ts'
import {
  buildRequest,
  endpoints,
  grantable,
  type Instead,
  identityScopes,
  operations,
  resetLimits,
} from '#testing/matrix.ts'
import { chosen, pickSome } from '#testing/share.ts'

const app = testApp({ hasSubscriptions: true })

// In `npm test`, of each operation.
const EDGES = 6

type Values = Readonly<Record<string, unknown>>

/** The requests of an operation with one parameter or member at an edge of what its schema accepts. */
const buildRequests = (operation: Operation, instead: Instead): TestRequest[] => {
  const requests = (['params', 'query', 'body'] as const).flatMap(place => {
    const schema = operation[place] as TSchema | undefined
    if (schema === undefined || (place === 'body' && operation.example.body === undefined)) return []
    const base = { ...(operation.example[place] as object | undefined), ...instead[place] }
    return listEdges(schema, base).map(value => buildRequest(operation, { ...instead, [place]: value as Values }))
  })
  return [...new Map(requests.map(request => [`${request.path} ${request.body}`, request])).values()]
}

let owner: Actor | undefined
// The owner keeps an app until a request of this file has ended its access.
const ownerNow = async (): Promise<Actor> => {
  if ((await owner?.get('/account'))?.status !== 200)
    owner = await app.actor('ada', { scopes: [...identityScopes, ...grantable] })
  assert.ok(owner)
  return owner
}

const lookUpAll = async (): Promise<ReadonlyMap<string, Instead>> => {
  const { token } = await ownerNow()
  // An app that does not ask, for what is done to another one.
  await app.actor('ada', { metadata: { client_name: 'Recipe Box' } })
  const all = new Map<string, Instead>()
  for (const operation of operations) all.set(operation.id, await lookUp(operation, token, one => app.send(one)))
  return all
}
let lookingUp: ReturnType<typeof lookUpAll> | undefined

for (const operation of chosen(operations))
  test(`H ${operation.id} accepts or refuses each value at the edge of what its schema allows`, async () => {
    lookingUp ??= lookUpAll()
    const instead = (await lookingUp).get(operation.id) ?? {}
    const { token } = await ownerNow()
    const failures = new Set<string>()
    for (const request of pickSome(buildRequests(operation, { ...instead, token }), EDGES, operation.id)) {
      await resetLimits(operation, app.database)
      const { status, text } = await app.send(request)
      if (status >= 500) failures.add(`${status} ${request.path} ${request.body?.slice(0, 400) ?? ''} ${text}`)
    }
    assert.deepEqual([...failures], [])
    if (operation.confirm === 'person') await app.moveClock(16 * 60)
  })

test('H every read answers after values at the edges were stored', async () => {
  const { token } = await ownerNow()
  for (const operation of operations.filter(({ method }) => method === 'GET')) {
    const instead = (await lookingUp)?.get(operation.id) ?? {}
    const { status, text } = await app.send(buildRequest(operation, { ...instead, token }))
    assert.ok(status < 500, `${operation.id} answers ${status}: ${text}`)
  }
})

const WEB = new URL('../src/web/', import.meta.url)

// The names of the query parameters that pages read.
const queryNames = async (): Promise<readonly string[]> => {
  const files = (await readdir(WEB, { recursive: true })).filter(name => name.endsWith('.ts'))
  const texts = await Promise.all(files.map(name => readFile(new URL(name, WEB), 'utf8')))
  return [
    ...new Set(
      texts.flatMap(text => [...text.matchAll(/\.get\('([a-z_]+(?:\[[a-z]+\])?)'\)/g)].map(([, name = '']) => name)),
    ),
  ]
}

const QUERY_EDGES = ['', '-1', '9'.repeat(18), 'a'.repeat(2000), '\u0000', '%', 'slug:', '0001-01-01', '9999-12-31']

const pages = endpoints
  .map(({ route }) => route)
  .filter(route => /^GET \/(?!api\/|oauth\/|\.well-known|assets\/|webhooks\/)/.test(route))

const findRoute = (path: string): string | undefined =>
  pages.find(route => new RegExp(`^${route.slice(4).replace(/:\w+/g, '[^/]+')}$`).test(path))

const linksIn = (text: string): readonly string[] =>
  [...text.matchAll(/href="(\/[^"#?]*)/g)].map(([, path = '']) => path)

/** Follows links from some pages; returns a path for each route that it meets. */
const walk = async (browser: Browser, from: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  const found = new Map<string, string>()
  const waiting = [...from]
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const route = findRoute(path)
    if (route === undefined || found.has(route)) continue
    found.set(route, path)
    const { status, text } = await browser.open(path)
    assert.ok(status < 500, `${path}: ${status} ${text}`)
    waiting.push(...linksIn(text))
  }
  return found
}

test('H every page that links lead to answers with each parameter of its address at an edge', async () => {
  const names = await queryNames()
  assert.ok(names.length > 30, names.join(' '))
  const person = { port: app.port, school: app.a, email: people.ada.email, password: PASSWORD }
  const browser = await enterAccount(person)
  const found = await walk(browser, ['/', '/account', '/staff', '/search', '/calendar', '/learn'])
  assert.ok(found.size > 80, `${found.size} pages`)
  const failures: string[] = []
  const note = async (path: string): Promise<void> => {
    const { status, text } = await browser.open(path)
    if (status >= 500) failures.push(`${path.slice(0, 300)}: ${status} ${text.slice(0, 200)}`)
  }
  for (const [index, path] of [...found.values()].entries()) {
    for (const value of pickSome(QUERY_EDGES, 1, path)) {
      const all = new URLSearchParams(names.map((name): [string, string] => [name, value]))
      await note(`${path}?${all}`)
    }
    const quarter = [...names.entries()].filter(([at]) => (at + index) % 4 === 0)
    // One parameter alone is not hidden by the refusal of another; a quarter of them on each page.
    for (const [at, name] of pickSome(quarter, 3, path))
      await note(`${path}?${new URLSearchParams({ [name]: QUERY_EDGES[at % QUERY_EDGES.length] ?? '' })}`)
  }
  for (const route of pages.filter(one => one.includes(':')))
    for (const value of pickSome(
      QUERY_EDGES.filter(one => one !== '' && one.length < 1000),
      1,
      route,
    ))
      await note(route.slice(4).replace(/:\w+/g, encodeURIComponent(value)))
  assert.deepEqual(failures, [])
})
