import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import sharp from 'sharp'
import { testApp } from '#testing/app.ts'
import { integrationsHere } from '#testing/integrations.ts'
import { learner } from '#testing/learn-pages.ts'
import { endpoints, operations } from '#testing/matrix.ts'
import { openUploads } from '#testing/page-uploads.ts'
import { addShownWebhook } from '#testing/webhooks.ts'

const app = testApp()

// The operations of the staff that no page of the console performs, each with the reason.
const WITHOUT: Readonly<Record<string, string>> = {
  createMemberBatch: 'the pages of imports take files, and the command too',
  getAppearanceVersion: 'the page of the appearance lists its versions and restores them',
  getCertificate: 'the page of an enrollment lists the certificates of the person',
  getFormVersion: 'the page of a form says what it asked when each submission was sent',
  getInvoice: 'the page of an order lists its documents',
  getLessonVersion: 'the editor of a lesson lists its versions and restores them',
  getMemberNote: 'the page of a person lists their notes',
  getPostVersion: 'the page of a post lists its versions and restores them',
  getQuizQuestion: 'the page of a quiz lists its questions',
  getRefund: 'the page of an order lists its refunds',
  getRegistration: 'the page of a date lists its registrations',
  getSchoolUsage: 'people are counted by the analytics, and how often the API is asked is for whoever runs apps',
  listChanges: 'programs read the feed',
  listFormVersions: 'the page of a form says what it asked when each submission was sent',
  listMetrics: 'the pages of analytics are about metrics that are known',
  listOrderTransactions: 'the page of an order lists its payments, refunds and disputes',
  listSchoolStaff: 'the list of people finds admins and owners by their role',
  reorderSectionLessons: 'the outline of a course moves one lesson at a time, also to another section',
}

// What no page of the demo school leads to, each with the source that does, and what it says there.
const ELSEWHERE: Readonly<Record<string, readonly [file: string, says: string]>> = {
  'GET /staff/outbox/:id': ['src/web/staff/school/outbox/index.ts', 'renderName('],
  'GET /staff/search.json': ['src/web/browser/palette-hits.ts', '/staff/search.json'],
  'GET /staff/uploads/:upload': ['src/web/browser/upload/transfer.ts', '/staff/uploads'],
  'GET /staff/viewing': ['src/web/page/viewing.ts', 'VIEWING_PATH}">'],
  'POST /staff/pages/:id/versions': ['src/web/staff/publishing/pages/versions.ts', '!isNewest && restoreForm('],
  'POST /staff/payments/live': ['src/web/staff/shop/payments/live.ts', "startsWith('https:')"],
  'POST /staff/texts/pictures': ['src/web/staff/texts/attributes.ts', 'PICTURES}"'],
  'POST /staff/uploads': ['src/web/browser/upload/transfer.ts', '/staff/uploads'],
  'POST /staff/uploads/:upload': ['src/web/browser/upload/transfer.ts', '/staff/uploads'],
  'POST /staff/uploads/:upload/content': ['src/web/browser/upload/transfer.ts', '/content'],
  'POST /staff/viewing': ['src/web/staff/people/viewing/index.ts', 'showRunning'],
}

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

const readAttribute = (tag: string, name: string): string | undefined => {
  const found = new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1]
  return found === undefined ? undefined : decode(found)
}

// Words that people and courses of the demo are found by.
const WORDS = ['eli', 'sourdough']

// What a form that opens a page sends, as somebody fills it in: each of its buttons, words to search, the first of its choices.
const fillIn = (form: string, page: string, word: string): string[] => {
  const given = new URLSearchParams()
  for (const [tag] of form.matchAll(/<input\b[^>]*>/g)) {
    const name = readAttribute(tag, 'name')
    const isSent = !/ type="(?:checkbox|radio|submit)"/.test(tag) || / checked/.test(tag)
    if (name !== undefined && isSent)
      given.append(name, readAttribute(tag, 'value') || (/search/.test(tag) ? word : ''))
  }
  for (const [, name = '', inside = ''] of form.matchAll(/<select\b[^>]* name="([^"]*)"[^>]*>([\s\S]*?)<\/select>/g))
    given.append(name, /<option value="([^"]+)"/.exec(inside)?.[1] ?? '')
  const ticked = /<input[^>]* name="id" value="([^"]*)" form="bulk"/.exec(page)?.[1]
  if (form.includes(' id="bulk"') && ticked !== undefined) given.append('id', ticked)
  const buttons = [...form.matchAll(/<button\b[^>]* name="([^"]*)" value="([^"]*)"/g)]
  if (buttons.length === 0) return [given.toString()]
  return buttons.map(([, name = '', value = '']) => `${given}&${new URLSearchParams({ [name]: value })}`)
}

// Where a page leads: its links and the forms that open pages, and the addresses to which its other forms are sent.
const readPage = (text: string, own: string) => {
  const links = [...text.matchAll(/(?:href|value)="(\/staff[^"]*)"/g)].map(([, href = '']) => decode(href))
  const posted = [...text.matchAll(/formaction="(\/staff[^"]*)"/g)].map(([, action = '']) => decode(action))
  for (const [form] of text.matchAll(/<form\b[\s\S]*?<\/form>/g)) {
    const tag = /<form\b[^>]*>/.exec(form)?.[0] ?? ''
    const action = readAttribute(tag, 'action') ?? own
    if (readAttribute(tag, 'method') === 'post') posted.push(action)
    else links.push(...WORDS.flatMap(word => fillIn(form, text, word)).map(query => `${action}?${query}`))
  }
  return { links, posted }
}

test('every page and every form of the console can be reached from its first page', async () => {
  const owner = await learner(app, 'ada')
  await integrationsHere(app, [
    ...['create', '--confidential', '--name', 'Till', '--redirect-uri', 'https://till.example/callback'],
  ])
  const bytes = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#a52' } })
    .png()
    .toBuffer()
  const uploads = await openUploads(app, 'ada')
  await uploads.upload({ name: 'loaf.png', type: 'image/png', bytes }, 'course')
  const list = { name: 'people.csv', type: 'text/csv', bytes: Buffer.from('email,name\nbo@example.com,Bo\n') }
  const ada = await app.actor('ada', { scopes: ['members:write'] })
  await ada.write('POST', '/members/imports', { upload_id: await uploads.upload(list, 'import') })
  await addShownWebhook(app)
  const reached = new Set<string>()
  const visits = new Map<string, number>()
  const seen = new Set<string>(['/staff'])
  const waiting = ['/staff']
  const name = (method: string, path: string) => `${method} ${path}`
  const count = (address: string): number =>
    visits.get(findRoute('GET', address.replace(/[?#].*/, ''))?.path ?? '') ?? 0
  const expected = routes
    .map(({ method, path }) => name(method, path))
    .filter(route => !Object.hasOwn(ELSEWHERE, route))
  const isDone = (): boolean => expected.every(route => reached.has(route))
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
  assert.deepEqual(
    expected.filter(route => !reached.has(route)),
    [],
  )
})

test('what leads to the other pages and forms of the console is there', () => {
  const declared = routes.map(({ method, path }) => `${method} ${path}`)
  for (const [route, [file, says]] of Object.entries(ELSEWHERE)) {
    assert.ok(declared.includes(route), route)
    assert.ok(readFileSync(new URL(file, ROOT), 'utf8').includes(says), route)
  }
})
