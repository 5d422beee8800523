import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#testing/app.ts'
import type { TestReply } from '#testing/http.ts'
import { putLessons, TEACHING } from '#testing/learning.ts'
import { openCourse, PLANNING, sellPlan } from '#testing/memberships.ts'
import { once, sell } from '#testing/orders.ts'

const app = testApp()

const open = (path: string): Promise<TestReply> =>
  app.send({ path, headers: { accept: 'text/html', 'accept-language': 'en' } })

const rowOf = (text: string, lesson: string): string =>
  [...text.matchAll(/<li[^>]*>((?:(?!<\/li>)[\s\S])*class="row-line[\s\S]*?)<\/li>/g)]
    .map(([row]) => row)
    .find(row => row.includes(`>${lesson}<`)) ?? assert.fail(`no row of ${lesson}`)

test('the outline of a course says what may be tried, how long a lesson is, and when it opens', async () => {
  const ada = await app.actor('ada', { scopes: TEACHING })
  const course = await sell(ada, 'Lamination', [once()])
  const [preview] = await putLessons(ada, course.id, [
    { name: 'Butter', preview: true, duration_seconds: 300 },
    { name: 'Turns', duration_seconds: 1260 },
    { name: 'Proof', type: 'quiz' },
    { name: 'Guests', drip: { mode: 'on_date', date: '2090-05-03' } },
    { name: 'Holidays', drip: { mode: 'on_date', date: '2020-05-03' } },
    { name: 'Leftovers', drip: { mode: 'days_after_enrollment', value: 7 } },
  ])
  const { text } = await open('/courses/lamination')
  assert.match(rowOf(text, 'Butter'), new RegExp(`href="/courses/lamination/preview/${preview}"`))
  assert.match(rowOf(text, 'Butter'), /Free preview<\/span><small>5 mins/)
  assert.match(rowOf(text, 'Turns'), /<small>21 mins<\/small>/)
  assert.match(rowOf(text, 'Proof'), /<small>Quiz<\/small>/)
  assert.match(rowOf(text, 'Guests'), /<small>opens on 3 May 2090<\/small>/)
  assert.match(rowOf(text, 'Holidays'), /<small>Text<\/small>/)
  assert.match(rowOf(text, 'Leftovers'), /<small>opens 7 days after you enroll<\/small>/)
  for (const name of ['Turns', 'Proof', 'Guests', 'Holidays', 'Leftovers'])
    assert.doesNotMatch(rowOf(text, name), /<a /, name)
  assert.match(text, /6 lessons · 26 mins/)
  assert.match(text, /<a href="#outline">1 lesson free to try<\/a>/)
  assert.match(
    (await open('/courses')).text,
    /\/courses\/lamination"[\s\S]*€49<\/span><span class="fact">6 lessons · 26 mins/,
  )
})

test('a course promises a certificate where one is issued, and names the plans that open it and are on the site', async () => {
  const ada = await app.actor('ada', { scopes: [...new Set([...TEACHING, ...PLANNING])] })
  const course = await sell(ada, 'Crispbread', [once(2500)])
  const monthly = { payment_type: 'subscription', amount: 900, interval: 'month' }
  const input = { plan_type: 'recurring' }
  const listed = await sellPlan(ada, { ...input, name: 'Crackers club' }, [monthly])
  const hidden = await sellPlan(ada, { ...input, name: 'Secret club', visibility: 'unlisted' }, [monthly])
  assert.doesNotMatch((await open('/courses/crispbread')).text, /Crackers club|Certificate of/)
  for (const plan of [listed, hidden]) await openCourse(ada, plan, course.id)
  const { text } = await open('/courses/crispbread')
  assert.match(text, /Or with a membership: <a href="\/plans\/crackers-club"[^>]*>Crackers club<\/a>, €9 per month/)
  assert.doesNotMatch(text, /Secret club/)
  assert.match(text, />Buy for €25<\/a>/)
  assert.match((await open('/courses/sourdough-from-scratch')).text, /Certificate of Crumb &amp; Crust/)
})

test('the bar of a phone buys at the first price, and is not there for what nobody can buy', async () => {
  const ada = await app.actor('ada', { scopes: ['courses:read', 'courses:write'] })
  const course = await sell(ada, 'Grissini', [once(1500)])
  const readBar = async (path: string) => /<nav class="buy-bar"[\s\S]*?<\/nav>/.exec((await open(path)).text)?.[0]
  assert.match(
    (await readBar('/courses/grissini')) ?? '',
    new RegExp(`<strong>€15</strong>[\\s\\S]*href="/checkout\\?price=${course.priceId}">Buy the course</a>`),
  )
  assert.match((await readBar('/courses/first-loaf')) ?? '', /<strong>Free<\/strong>[\s\S]*>Enroll for free<\/a>/)
  assert.equal((await ada.write('POST', '/courses', { name: 'Not yet' })).status, 201)
  await sell(ada, 'Priceless', [])
  assert.equal(await readBar('/courses/priceless'), undefined)
})
