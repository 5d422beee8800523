import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { testApp } from '#testing/app.ts'
import { learner } from '#testing/learn-pages.ts'
import { endpoints, operations } from '#testing/matrix.ts'

const app = testApp()

// The operations of the staff that no page of the console performs, each with the reason.
const WITHOUT: Readonly<Record<string, string>> = {
  createMemberBatch: 'an import of people, which has its own pages later',
  getAppearanceVersion: 'the page of the appearance lists its versions and restores them',
  getCertificate: 'the page of an enrollment lists the certificates of the person',
  getFormVersion: 'the page of a form says what it asked when each submission was sent',
  getInvoice: 'the page of an order lists its documents',
  getMemberNote: 'the page of a person lists their notes',
  getPostVersion: 'the page of a post lists its versions and restores them',
  getQuizQuestion: 'the page of a quiz lists its questions',
  getRefund: 'the page of an order lists its refunds',
  getRegistration: 'the page of a date lists its registrations',
  listFormVersions: 'the page of a form says what it asked when each submission was sent',
  listMetrics: 'the pages of analytics are about metrics that are known',
}

// Pages and forms of the console that no link and no form of the demo school leads to, each with what does.
const ELSEWHERE: Readonly<Record<string, string>> = {}

const ROOT = new URL('../', import.meta.url)
const IMPORT = /\bfrom '((?:\.|#src\/)[^']+)'/g

// The sources of the console, from its list of sections on: a file that nothing imports performs nothing.
const collectSources = (file: URL, sources: Map<string, string>): Map<string, string> => {
  if (sources.has(file.href) || !file.pathname.includes('/src/web/') || !existsSync(file)) return sources
  const source = readFileSync(file, 'utf8')
  sources.set(file.href, source)
  for (const [, specifier = ''] of source.matchAll(IMPORT))
    collectSources(specifier.startsWith('#') ? new URL(specifier.slice(1), ROOT) : new URL(specifier, file), sources)
  return sources
}

test('every operation that staff may call is performed by a page of the console, or has a reason why none does', () => {
  const sources = [...collectSources(new URL('src/web/staff/index.ts', ROOT), new Map()).values()].join('\n')
  const staff = operations.filter(({ who }) => ['staff', 'owner', 'lecturer_of'].includes(who))
  const missing = staff.map(({ id }) => id).filter(id => !sources.includes(`'${id}'`))
  assert.deepEqual(missing.toSorted(), Object.keys(WITHOUT).toSorted())
})

const MOST_PAGES = 900

const routes = endpoints
  .map(({ route }) => route.split(' '))
  .map(([method = '', path = '']) => ({ method, path }))
  .filter(({ path }) => /^\/staff(?:\/|$)/.test(path))

const buildPattern = (path: string): RegExp => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`)

const patterns = routes.map(route => ({ ...route, pattern: buildPattern(route.path) }))

// A path of its own comes before one with a parameter.
const findRoute = (method: string, path: string) =>
  patterns
    .filter(one => one.method === method && one.pattern.test(path))
    .toSorted((one, other) => one.path.split(':').length - other.path.split(':').length)[0]

const decode = (text: string): string =>
  text.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'")

// Where a page leads: its links and the forms that open pages, and the addresses to which its other forms are sent.
const readPage = (text: string, own: string) => {
  const links = [...text.matchAll(/(?:href|value)="(\/staff[^"]*)"/g)].map(([, href = '']) => decode(href))
  const posted = [...text.matchAll(/formaction="(\/staff[^"]*)"/g)].map(([, action = '']) => decode(action))
  const opened: string[] = []
  for (const [form] of text.matchAll(/<form\b[^>]*>/g)) {
    const action = decode(/ action="([^"]*)"/.exec(form)?.[1] ?? own)
    if (/ method="post"/.test(form)) posted.push(action)
    else opened.push(action)
  }
  return { links: [...links, ...opened], posted }
}

test('every page and every form of the console can be reached from its first page', async () => {
  const owner = await learner(app, 'ada')
  const reached = new Set<string>()
  const visits = new Map<string, number>()
  const seen = new Set<string>(['/staff'])
  const waiting = ['/staff']
  const name = (method: string, path: string) => `${method} ${path}`
  const count = (address: string): number =>
    visits.get(findRoute('GET', address.replace(/[?#].*/, ''))?.path ?? '') ?? 0
  const isDone = (): boolean => routes.every(({ method, path }) => reached.has(name(method, path)))
  for (let pages = 0; pages < MOST_PAGES && waiting.length > 0 && !isDone(); pages++) {
    // Pages of routes that were seen least come first.
    waiting.sort((one, other) => count(one) - count(other))
    const address = waiting.shift() ?? ''
    const path = address.replace(/[?#].*/, '')
    const route = findRoute('GET', path)
    if (route === undefined) continue
    visits.set(route.path, (visits.get(route.path) ?? 0) + 1)
    const { status, text } = await owner.open(address)
    if (status !== 200) continue
    reached.add(name('GET', route.path))
    const { links, posted } = readPage(text, path)
    for (const action of posted) {
      const target = findRoute('POST', action.replace(/[?#].*/, ''))
      if (target !== undefined) reached.add(name('POST', target.path))
    }
    for (const link of links) {
      const next = link.replace(/#.*/, '')
      if (seen.has(next) || count(next) > 25) continue
      seen.add(next)
      waiting.push(next)
    }
  }
  const missing = routes.map(({ method, path }) => name(method, path)).filter(one => !reached.has(one))
  assert.deepEqual(missing.toSorted(), Object.keys(ELSEWHERE).toSorted())
})
