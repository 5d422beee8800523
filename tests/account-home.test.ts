import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { enterAccount, formTo, listFields, post } from '#testing/account-pages.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import { awardTo } from '#testing/awards.ts'
import type { Browser } from '#testing/browser.ts'
import type { TestReply } from '#testing/http.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { until } from '#testing/until.ts'

let mailbox: Mailbox
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox.stop())

const enter = (name: PersonName): Promise<Browser> =>
  enterAccount({ port: app.port, school: app.a, email: people[name].email, password: PASSWORD })

// What the tile that leads to a page says.
const readTile = ({ text }: TestReply, path: string): string =>
  new RegExp(`<a href="${path}">[^<]*</a><span class="quiet"><bdi>([^<]*)</bdi>`).exec(text)?.[1] ?? assert.fail(path)

const total = async (actor: Awaited<ReturnType<typeof app.actor>>, path: string): Promise<number> =>
  (await actor.get(`${path}?include_total=true`)).json.total

test('the account begins with the courses of the person, and its tiles say what is behind them', async () => {
  const dev = await app.actor('dev', { scopes: ['account:read', 'courses:read'] })
  const page = await (await enter('dev')).open('/account')
  assert.match(page.text, new RegExp(`<h1>Hello, ${people.dev.name}</h1>`))
  const { data } = (await dev.get('/account/enrollments?expand=course&limit=100')).json
  const open = data.filter((one: { access: { state: string } }) => one.access.state === 'active')
  assert.ok(open.length > 0)
  for (const { course } of open.slice(0, 3)) assert.match(page.text, new RegExp(`href="/learn/${course.slug}"`))
  const orders = await total(dev, '/account/orders')
  assert.match(readTile(page, '/account/orders'), orders === 0 ? /have not bought/ : new RegExp(`^${orders} order`))
  const certificates = await total(dev, '/account/certificates')
  assert.match(
    readTile(page, '/account/certificates'),
    certificates === 0 ? /^None$/ : new RegExp(`^${certificates} cert`),
  )
  assert.match(readTile(page, '/account/sessions'), /In \d+ browsers|this browser only/)
  assert.match(readTile(page, '/account/apps'), /\S/)
})

test('a person reads, writes, changes and deletes a review of a course in which they learn, and of no other', async () => {
  const browser = await enter('eli')
  const list = await browser.open('/account/reviews')
  const dev = await enter('dev')
  const eli = await app.actor('eli', { scopes: ['account:read'] })
  const before = (await eli.get('/account/reviews?limit=100')).json.data
  const { data } = (await eli.get('/account/enrollments?limit=100')).json
  const reviewed = new Set(before.map((one: { course_id: string }) => one.course_id))
  const { course_id: course, course_name: name } =
    data.find((one: { course_id: string }) => !reviewed.has(one.course_id)) ?? assert.fail('a course without a review')
  assert.ok(list.text.includes(`/account/reviews/${course}`))
  const path = `/account/reviews/${course}`
  const page = await browser.open(path)
  assert.ok(page.text.includes(name))
  const write = formTo(page, path, { act: 'save' })
  const empty = await browser.submit(write, [['body', 'Good bread']])
  assert.deepEqual(
    [empty.status, /Choose how good it is/.test(empty.text), /Good bread/.test(empty.text)],
    [422, true, true],
  )
  const fields = listFields(write, { rating: '4', title: 'It rose', body: 'Good <b>bread</b>' })
  const replies = await Promise.all([1, 2].map(() => post(app.port, browser, path, fields)))
  for (const { status, headers } of replies)
    assert.deepEqual([status, headers.location], [303, '/account/reviews?done=saved'])
  const written = async () =>
    (await eli.get('/account/reviews?limit=100')).json.data.filter(
      (one: { course_id: string }) => one.course_id === course,
    )
  assert.deepEqual(
    (await written()).map((one: { rating: number; title: string; body: string }) => [one.rating, one.title, one.body]),
    [[4, 'It rose', 'Good <b>bread</b>']],
  )
  const shown = await browser.open(path)
  assert.match(shown.text, /Good &lt;b&gt;bread&lt;\/b&gt;/)
  const change = formTo(shown, path, { act: 'save' })
  assert.match(
    (
      await browser.submit(change, [
        ['rating', '5'],
        ['body', 'Better'],
      ])
    ).text,
    /Your review was saved/,
  )
  // The page of before names an earlier revision.
  assert.equal(
    (
      await browser.submit(change, [
        ['rating', '1'],
        ['body', 'Worse'],
      ])
    ).status,
    412,
  )
  assert.deepEqual(
    (await written()).map((one: { rating: number }) => one.rating),
    [5],
  )
  const remove = formTo(await browser.open(path), path, { act: 'delete' })
  assert.match((await browser.submit(remove, [])).text, /Your review was deleted/)
  assert.deepEqual(await written(), [])
  // Somebody else finds no course in which they never learned.
  const foreign = (await dev.open('/account/reviews/crs_00000000000000000000000000')).status
  assert.equal(foreign, 404)
})

test('a person asks for a copy of their data once a day, and downloads it', async () => {
  const browser = await enter('femi')
  const page = await browser.open('/account/data')
  assert.match((await browser.submit(formTo(page, '/account/data'), [])).text, /is being made/)
  await until(async () => /download>/.test((await browser.open('/account/data')).text), 'the copy is ready')
  const ready = await browser.open('/account/data')
  const again = await browser.submit(formTo(ready, '/account/data'), [])
  assert.deepEqual([again.status, /within the last day/.test(again.text)], [429, true])
  const href = /href="([^"]+)" download/.exec(ready.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const { pathname, search } = new URL(href, app.a.siteOrigin)
  const file = await browser.open(`${pathname}${search}`)
  assert.ok(file.text.includes(people.femi.email), `${href} ${file.status}`)
  const other = await enter('eli')
  assert.doesNotMatch((await other.open('/account/data')).text, /download>/)
})

test('who completed a course has its certificate on the page of the course, with ways to show it', async () => {
  const dev = await app.actor('dev', { scopes: ['account:read'] })
  const { url, pdf_url, serial } = await awardTo(
    await app.actor('ada', { scopes: ['courses:read', 'courses:write', 'members:write'] }),
    (await dev.get('/account')).json.id,
  )
  const browser = await enter('dev')
  const path = '/learn/sourdough-from-scratch'
  assert.doesNotMatch((await browser.open(path)).text, /You did it/)
  await app.database.query(
    `update enrollments e set completed_at = stoa.now() from courses c, members m
     where e.school_id = $1 and c.school_id = $1 and m.school_id = $1 and c.id = e.course_id and m.id = e.member_id
       and c.slug = 'sourdough-from-scratch' and m.email = $2`,
    [app.a.id, people.dev.email],
  )
  const { text } = await browser.open(path)
  assert.match(text, /<h1>You did it, /)
  for (const part of [`href="${pdf_url}"`, `href="${url}"`, `<code>${url}</code>`, serial])
    assert.ok(text.includes(part), part)
  const [, linkedIn = ''] = /href="(https:\/\/www\.linkedin\.com[^"]+)"/.exec(text) ?? []
  const { searchParams } = new URL(linkedIn.replaceAll('&amp;', '&'))
  assert.deepEqual([searchParams.get('certUrl'), searchParams.get('certId')], [url, serial])
  assert.equal(searchParams.get('name'), 'Sourdough from scratch')
})

test('certificates and what apps did are listed for their person alone', async () => {
  const dev = await app.actor('dev', { scopes: ['account:read', 'account:write'] })
  const [browser, eli] = [await enter('dev'), await enter('eli')]
  const { data } = (await dev.get('/account/certificates')).json
  assert.ok(data.length > 0)
  const page = await browser.open('/account/certificates')
  for (const { serial, pdf_url: pdf } of data) {
    assert.ok(page.text.includes(serial))
    assert.ok(page.text.includes(`href="${pdf}"`))
    assert.ok(!(await eli.open('/account/certificates')).text.includes(serial))
  }
  const activity = '/account/apps/activity'
  const before = (await browser.open(activity)).text.match(/<li>/g)?.length ?? 0
  assert.equal((await dev.write('PATCH', '/account', { name: 'Dev of the app' })).status, 200)
  const acts = (await browser.open(activity)).text
  assert.equal(acts.match(/<li>/g)?.length, before + 1)
  assert.match(acts, /<li><span lang="en">Update/)
  assert.doesNotMatch((await eli.open(activity)).text, /Update your account/)
})
