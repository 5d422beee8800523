import assert from 'node:assert/strict'
import { test } from 'node:test'
import { areas } from '#src/areas.ts'
import { viewedReads } from '#src/contract/member-view.ts'
import { people } from '#src/demo/index.ts'
import { toId } from '#src/kit/ids.ts'
import { enterAccount, formTo, listFields, post } from '#testing/account-pages.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import type { Browser } from '#testing/browser.ts'
import { later, stopMovableClock } from '#testing/clock.ts'
import { readMemberId } from '#testing/learning.ts'

const app = testApp()

const enter = (name: PersonName): Promise<Browser> =>
  enterAccount({ port: app.port, school: app.a, email: people[name].email, password: PASSWORD })

const idFor = async (name: PersonName): Promise<string> => toId('mem', await readMemberId(app, name))

const pathFor = async (name: PersonName): Promise<string> => `/staff/people/${await idFor(name)}/view`

/** Begins to see the school as somebody; returns the page that follows. */
const begin = async (browser: Browser, name: PersonName) => {
  const path = await pathFor(name)
  const page = await browser.open(path)
  return browser.submit(formTo(page, path), listFields(formTo(page, path)))
}

const end = async (browser: Browser) => {
  const page = await browser.open('/staff/viewing')
  return browser.submit(formTo(page, '/staff/viewing'), listFields(formTo(page, '/staff/viewing')))
}

const isBannered = ({ text }: { readonly text: string }): boolean => text.includes('href="/staff/viewing"')

test('staff see the site and the courses as a member, with a banner on every page, until they end it', async () => {
  const ben = await enter('ben')
  const said = await ben.open(await pathFor('dev'))
  assert.match(said.text, /Nothing is changed/)
  assert.equal(isBannered(await ben.open('/courses')), false)
  const home = await begin(ben, 'dev')
  assert.match(home.text, /You see the school as Dev Patel \(until/)
  const dev = await enter('dev')
  for (const path of ['/', '/courses', '/learn', '/account/courses', '/account/certificates']) {
    const [seen, own] = [await ben.open(path), await dev.open(path)]
    assert.equal(seen.status, 200, path)
    assert.ok(isBannered(seen), path)
    assert.match(seen.text, /Dev Patel/, path)
    const links = (text: string): string[] => [...text.matchAll(/href="(\/(?:learn|courses)\/[^"]+)"/g)].map(String)
    assert.deepEqual(links(seen.text), links(own.text), path)
  }
  const console = await ben.open('/staff/people')
  assert.ok(isBannered(console) && console.status === 200, 'the console is shown to Ben as himself')
  const { person } = JSON.parse((await ben.open('/account/standing')).text)
  assert.equal(person, await idFor('ben'), 'and its forms are sent by him')
  const form = formTo(await ben.open('/staff/viewing'), '/staff/viewing')
  const elsewhere = formTo(await (await enter('ada')).open('/account'), '/account/sign-out')
  for (const token of ['', Object.fromEntries(listFields(elsewhere)).token ?? '']) {
    const forged = await post(app.port, ben, form.action, [['token', token]])
    assert.equal(forged.status, 403, 'the form of somebody else ends nothing')
  }
  assert.ok(isBannered(await ben.open('/courses')))
  const after = await end(ben)
  assert.equal(after.status, 200)
  assert.equal(isBannered(await ben.open('/courses')), false)
  assert.match((await ben.open('/account')).text, /Ben Okafor/)
})

test('whoever sees the school as a member writes nothing and does not see the account', async () => {
  const ben = await enter('ben')
  const dev = await app.actor('dev', { scopes: ['account:read', 'courses:read'] })
  const before = (await dev.get('/account/enrollments?limit=100')).text
  await begin(ben, 'dev')
  const [order] = (await dev.get('/account/orders?limit=1')).json.data
  const refused = [
    ...['', '/profile', '/email', '/password', '/sessions', '/apps', '/data', '/deletion', '/emails', '/calendar'],
    ...['/orders', `/orders/${order?.number ?? '1'}`, '/subscriptions', '/payment-methods', '/downloads'],
    ...['/registrations', '/comments', '/reviews', '/app-activity', '/welcome', '/confirmations/cnf_1'],
  ]
  for (const path of [...refused.map(one => `/account${one}`), '/%61ccount/profile', '/checkout', '/checkout/1']) {
    const reply = await ben.open(path)
    assert.ok([403, 404].includes(reply.status), `${path} ${reply.status}`)
    assert.doesNotMatch(reply.text, /dev@crumb\.example/, path)
  }
  const { data: enrollments } = (await dev.get('/account/enrollments?state=active&expand=course')).json
  const course = `/learn/${enrollments[0].course.slug}`
  const opened = await ben.open(course)
  const lesson =
    new RegExp(`href="(${course}/les_[^"?#]+)`).exec(opened.text)?.[1] ?? assert.fail(opened.text.slice(-3000))
  const page = await ben.open(lesson)
  assert.equal(page.status, 200)
  const token = /name="token" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  for (const [path, fields] of [
    [lesson, [['act', 'complete']]],
    ['/account/profile', [['name', 'Devil']]],
    ['/account/sessions', [['act', 'all']]],
    ['/account/comments/new', [['body', 'Not mine']]],
    ['/checkout', [['item', 'x']]],
  ] as const) {
    const reply = await post(app.port, ben, path, [
      ['token', token],
      ...fields.map(([a, b]): [string, string] => [a, b]),
    ])
    assert.equal(reply.status, 403, `${path} ${reply.text.slice(0, 300)}`)
  }
  assert.equal((await dev.get('/account/enrollments?limit=100')).text, before)
})

test('nobody sees the school as an admin, an owner or somebody who is not active; a lecturer and a student as nobody', async () => {
  const [ada, ben] = [await enter('ada'), await enter('ben')]
  for (const browser of [ada, ben])
    for (const name of ['ada', 'ben'] as const) {
      const reply = await begin(browser, name)
      assert.equal(reply.status, 409, name)
      assert.match(reply.text, /Nothing was done/)
      assert.equal(isBannered(await browser.open('/')), false)
    }
  assert.equal((await begin(ben, 'carla')).status, 200, 'a lecturer is seen as on the site')
  await end(ben)
  for (const name of ['carla', 'dev'] as const) {
    const reply = await (await enter(name)).open(await pathFor('femi'))
    assert.equal(reply.status, 403, name)
  }
  const other = await app.actor('ada', { scopes: ['members:read'], school: app.b })
  const [stranger] = (await other.get('/members?email=dev@crumb.example')).json.data
  assert.equal((await ben.open(`/staff/people/${stranger.id}/view`)).status, 404, 'somebody of another school')
})

test('the activity of the member says who saw the school as them, and the audit log when it began and ended', async () => {
  const ada = await app.actor('ada', { scopes: ['members:read', 'school:read'] })
  const browser = await enter('ada')
  await begin(browser, 'femi')
  await end(browser)
  const { data } = (await ada.get(`/members/${await idFor('femi')}/activity?limit=5`)).json
  const views = data.filter(({ operation }: { operation?: string }) => operation?.endsWith('MemberView'))
  assert.deepEqual(
    views.map((one: { operation: string; by: { name: string } }) => [one.operation, one.by.name]),
    [
      ['endMemberView', 'Ada Moreira'],
      ['startMemberView', 'Ada Moreira'],
    ],
  )
})

test('whatever staff read of the account of a member, they read as much with an operation of their own', () => {
  const operations = new Map(areas.flatMap(area => area.operations).map(one => [one.id, one]))
  for (const [own, staff] of Object.entries(viewedReads)) {
    assert.deepEqual([operations.get(own)?.who, operations.get(own)?.mode], ['self', 'read'], own)
    const as = operations.get(staff)
    assert.equal(as?.mode, 'read', staff)
    assert.ok(['staff', 'lecturer_of', 'holder'].includes(as?.who ?? ''), `${staff} ${as?.who}`)
  }
})

test('it ends with the suspension of either, and by itself after half an hour', async () => {
  const ada = await app.actor('ada', { scopes: ['members:read', 'members:write'] })
  const ben = await enter('ben')
  await begin(ben, 'eli')
  assert.ok(isBannered(await ben.open('/')))
  assert.equal((await ada.write('PUT', `/members/${await idFor('eli')}/suspension`, {})).status, 200)
  assert.equal(isBannered(await ben.open('/')), false)
  assert.equal((await ada.write('DELETE', `/members/${await idFor('eli')}/suspension`)).status, 200)
  const move = await stopMovableClock(app.database, later(new Date(), 1000))
  await begin(ben, 'dev')
  await move(30 * 60_000 - 1)
  assert.ok(isBannered(await ben.open('/')))
  await move(30 * 60_000)
  assert.equal(isBannered(await ben.open('/')), false)
  assert.match((await ben.open('/account/profile')).text, /value="Ben Okafor"/)
})
