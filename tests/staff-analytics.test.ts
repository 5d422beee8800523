import assert from 'node:assert/strict'
import { test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { enterAccount, openWith } from '#testing/account-pages.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import type { Browser } from '#testing/browser.ts'

const app = testApp()

const enter = (name: PersonName): Promise<Browser> =>
  enterAccount({ port: app.port, school: app.a, email: people[name].email, password: PASSWORD })

const open = async (browser: Browser, path: string): Promise<string> => {
  const { status, text } = await browser.open(path)
  assert.equal(status, 200, `${path}: ${text}`)
  return text
}

const listHeadings = (text: string): string[] => [...text.matchAll(/<h2>([^<]*)<\/h2>/g)].map(([, name = '']) => name)

test('staff see charts with their numbers, choose days and a course, and open every report', async () => {
  const ada = await enter('ada')
  const page = await open(ada, '/staff/analytics')
  const headings = listHeadings(page)
  for (const name of ['Net revenue (EUR)', 'Orders paid', 'New members', 'Enrollments', 'Active learners'])
    assert.ok(headings.includes(name), name)
  assert.match(page, /<svg class="chart" [^>]*role="img" aria-label="New members: [\d,]+ from/)
  assert.match(page, /<summary>Numbers<\/summary>[\s\S]*<th scope="row">\d+ \w+ \d{4}<\/th><td class="number">/)
  assert.doesNotMatch(page, /<script(?! type="module")/)
  const months = await open(ada, '/staff/analytics?interval=month&from=2026-09-01&to=2026-11-30')
  assert.match(months, /<option value="month" selected>/)
  assert.match(months, /value="2026-09-01"/)
  const reports = [
    ...(await open(ada, '/staff/analytics/reports')).matchAll(/\/staff\/analytics\/reports\/(\w+)/g),
  ].map(([, name = '']) => name)
  assert.ok(reports.length >= 10)
  for (const name of new Set(reports)) await open(ada, `/staff/analytics/reports/${name}?from=2020-01-01`)
  const courses = await open(ada, '/staff/analytics/reports/course_completion?from=2020-01-01')
  assert.match(
    courses,
    /class="c-main">Course<\/th><th role="columnheader" scope="col" class="c-num">Enrollments<\/th>/,
  )
  const csv = await ada.open('/staff/analytics/reports/course_completion/csv?from=2020-01-01')
  assert.match(
    csv.text,
    /^\uFEFFcurrency,course,enrollments,lesson_completions,completions,certificates,percentage\r\n/,
  )
  const series = await ada.open('/staff/analytics/csv/new_members?interval=month&from=2026-09-01')
  assert.match(series.text, /^\uFEFFstart,currency,part,value\r\n\d{4}-/)
})

test('days that are none are refused on the page, which keeps what was typed', async () => {
  const ada = await enter('ada')
  for (const path of ['/staff/analytics', '/staff/analytics/reports/tax']) {
    const { status, text } = await ada.open(`${path}?from=2026-05-02&to=2026-05-01`)
    assert.equal(status, 400)
    assert.match(text, /role="alert"[^>]*>Choose a valid range/)
    assert.match(text, /value="2026-05-02"/)
  }
  assert.equal((await ada.open('/staff/analytics/reports/nothing')).status, 404)
})

test('a lecturer sees learning in their own courses and no money, in their language', async () => {
  const carla = await enter('carla')
  const page = await open(carla, '/staff/analytics')
  assert.deepEqual(listHeadings(page).slice(0, 4), [
    'Enrollments',
    'Completed lessons',
    'Completed courses',
    'Active learners',
  ])
  assert.ok(!page.includes('Net revenue'))
  const reports = await open(carla, '/staff/analytics/reports')
  assert.ok(reports.includes('reports/course_completion') && !reports.includes('reports/tax'))
  assert.equal((await carla.open('/staff/analytics/reports/tax')).status, 404)
  const { text } = await carla.open('/staff/analytics/csv/net_revenue')
  assert.ok(!text.startsWith('start,'))
  const dev = await enter('dev')
  assert.ok(!(await dev.open('/staff/analytics')).text.includes('<svg class="chart"'))
})

test('strangers are led to the sign-in, people who teach nothing are refused, and nothing is cached', async () => {
  const paths = ['/staff/analytics', '/staff/analytics/reports/tax', '/staff/analytics/csv/net_revenue']
  const dev = await enter('dev')
  const ada = await enter('ada')
  for (const path of paths) {
    const stranger = await openWith(app.port, '', path)
    assert.equal(stranger.status, 303, path)
    assert.match(String(stranger.headers.location), /^\/account\/sign-in\?/)
    const refused = await dev.open(path)
    assert.equal(refused.status, 403, path)
    assert.ok(!refused.text.includes('class="chart"'), path)
    const shown = await ada.open(path)
    assert.equal(shown.status, 200, path)
    assert.match(String(shown.headers['cache-control']), /no-store/, path)
  }
})
