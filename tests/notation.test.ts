import assert from 'node:assert/strict'
import { test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { testApp } from '#testing/app.ts'
import type { Browser } from '#testing/browser.ts'
import { learner, listLinks } from '#testing/learn-pages.ts'
import { endpoints } from '#testing/matrix.ts'
import { formWith } from '#testing/staff-pages.ts'

const app = testApp()

// Of each kind of page so many are looked at.
const MOST = 2

const routes = endpoints
  .filter(({ route }) => route.startsWith('GET '))
  .map(({ route }) => ({ route, pattern: new RegExp(`^${route.slice('GET '.length).replace(/:\w+/g, '[^/]+')}$`) }))
  // A path without a parameter is more than an example of one with it.
  .sort((one, other) => one.route.split(':').length - other.route.split(':').length)

const findRoute = (path: string): string | undefined =>
  routes.find(({ pattern }) => pattern.test(path.replace(/[?#].*$/, '')))?.route

// What people read, without what they typed, what programs read, the names of time zones among which they choose, and how the
// values of a field are typed.
const readText = (html: string): string =>
  html
    .replace(/<(script|style|code|pre|textarea|select)\b[\s\S]*?<\/\1>/g, ' ')
    .replace(/<p class="quiet hint"[\s\S]*?<\/p>/g, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')

// Dates and times as programs write them, and the time of no school of the tests.
const FAULTS = /.{0,60}(?:\b\d{4}-\d\d(?:-\d\d)?\b|\bT?\d\d:\d\d(?::\d\d)?(?:\.\d+)?Z\b|\bUTC\b).{0,40}/g

const skipped = (path: string): boolean =>
  !path.startsWith('/') ||
  /^\/(?:files|docs|api|downloads|calendar)\b|\.(?:xml|ics|txt|md|json|pdf)$|\/csv\b|sign-out/.test(path)

const walk = async (browser: Browser, language: string, starts: readonly string[]) => {
  const seen = new Map<string, number>()
  const faults: string[] = []
  const waiting = [...starts]
  const known = new Set(waiting)
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const route = findRoute(path)
    if (route === undefined || (seen.get(route) ?? 0) >= MOST) continue
    seen.set(route, (seen.get(route) ?? 0) + 1)
    const page = await browser.open(path.replace(/#.*$/, ''), { 'accept-language': language })
    if (!String(page.headers['content-type']).startsWith('text/html')) continue
    assert.ok(page.status < 500, `${path} ${page.status}`)
    for (const [fault] of readText(page.text).matchAll(FAULTS)) faults.push(`${path}: ${fault}`)
    for (const link of listLinks(page).map(href => href.replaceAll('&amp;', '&'))) {
      if (known.has(link) || skipped(link)) continue
      known.add(link)
      waiting.push(link)
    }
  }
  return { faults, routes: [...seen.keys()] }
}

const STARTS = [
  '/',
  '/events',
  '/blog',
  '/plans',
  '/products',
  '/account',
  '/learn',
  '/staff',
  '/staff/subscriptions',
  '/staff/outbox',
]

for (const language of ['en', 'pt'])
  test(`no page shows a date or a time as programs write them, in ${language}`, async () => {
    await app.database.query('update members set locale = $1 where email = any ($2)', [
      language,
      [people.ada.email, people.dev.email],
    ])
    const found = [
      await walk(await learner(app, 'ada'), language, STARTS),
      await walk(await learner(app, 'dev'), language, STARTS),
    ]
    assert.deepEqual(
      found.flatMap(({ faults }) => faults),
      [],
    )
    const kinds = new Set(found.flatMap(one => one.routes))
    assert.ok(kinds.size > 100, `only ${kinds.size} kinds of pages were looked at`)
  })

test('numbers are read by the language of the page, and an amount that may be either of two is refused with both', async () => {
  await app.database.query("update members set locale = 'en' where email = $1", [people.ada.email])
  await app.database.query("update schools set currency = 'KWD' where id = $1", [app.a.id])
  const ada = await learner(app, 'ada')
  const course = listLinks(await ada.open('/staff/courses')).find(path => /^\/staff\/courses\/crs_\w+$/.test(path))
  const add = async (amount: string, more: readonly (readonly [string, string])[] = []) => {
    const page = await ada.open(`${course}/prices`)
    return ada.submit(formWith(page, 'amount'), [['payment_type', 'one_time'], ['amount', amount], ...more])
  }
  const refused = await add('1,250', [['access_days', '1 000']])
  assert.equal(refused.status, 422)
  assert.match(refused.text, /This can be read as 1250\.000 or as 1\.250\./)
  assert.match(refused.text, /name="amount"[^>]* value="1,250"/)
  for (const typed of ['0x10', '1e3', 'Infinity', '\u22125']) assert.equal((await add(typed)).status, 422, typed)
  const added = await add('1 250', [['access_days', '1 000']])
  assert.match(added.text.replace(/\s/g, ' '), /KWD 1,250\.000/)
  await app.database.query("update members set locale = 'pt' where email = $1", [people.ada.email])
  await app.database.query("update schools set currency = 'EUR' where id = $1", [app.a.id])
  assert.match((await add('1.234,50')).text.replace(/\s/g, ' '), /1234,50 €/)
  assert.match((await add('2.000')).text.replace(/\s/g, ' '), /2000,00 €/)
})
