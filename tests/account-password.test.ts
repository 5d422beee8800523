import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { people } from '#src/demo/index.ts'
import {
  enterAccount,
  formatCookie,
  formTo,
  listFields,
  openWith,
  post,
  readSession,
  signInAt,
} from '#testing/account-pages.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import { openBrowser, parseForm } from '#testing/browser.ts'
import type { TestReply } from '#testing/http.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { approve, CALLBACK, openConsent, pkce, register, tokenRequest } from '#testing/oauth.ts'
import { callAt, connect, lastCallAt } from '#testing/tokens.ts'

let mailbox: Mailbox
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox.stop())

const NEW = 'seventeen loaves before the bakery opens'
const visitor = (name: PersonName, password = PASSWORD) => ({
  port: app.port,
  school: app.a,
  email: people[name].email,
  password,
})

const isIn = async (cookie: string): Promise<boolean> => (await openWith(app.port, cookie, '/account')).status === 200

const mayEnter = async (name: PersonName, password: string): Promise<boolean> => {
  const page = await signInAt(openBrowser(app.port, app.a), visitor(name, password))
  assert.ok([200, 400].includes(page.status))
  return page.status === 200
}

const change = async (
  browser: Awaited<ReturnType<typeof enterAccount>>,
  fields: Readonly<Record<string, string>>,
): Promise<TestReply> => {
  const page = await browser.open('/account/password')
  return browser.submit(formTo(page, '/account/password'), Object.entries(fields))
}

test('E-10 a changed password gives a new session id, ends every other session and the old id, and says so by mail', async () => {
  const [dev, elsewhere] = [await enterAccount(visitor('dev')), await enterAccount(visitor('dev'))]
  const connected = await connect(app, 'dev', { metadata: { client_name: 'Kept' } })
  const before = formatCookie(dev)
  const done = await change(dev, { current: PASSWORD, password: NEW })
  assert.match(done.text, /password was changed[\s\S]*connected apps stay connected/)
  assert.ok(!before.includes(readSession(dev) ?? '?'))
  assert.ok(await isIn(formatCookie(dev)))
  assert.equal(await isIn(before), false)
  assert.equal(await isIn(formatCookie(elsewhere)), false)
  assert.equal(await callAt(app.port, app.a, connected.access), 200)
  assert.deepEqual([await mayEnter('dev', NEW), await mayEnter('dev', PASSWORD)], [true, false])
  const [mail] = await mailbox.waitFor(people.dev.email, 1, /password/)
  assert.match(mail?.email.text ?? '', /connected apps stay connected/)
  assert.ok(!mail?.raw.includes(NEW))
})

test('with the box ticked every app is disconnected too, and the mail says that', async () => {
  const connected = await connect(app, 'carla', { metadata: { client_name: 'Lost' } })
  const carla = await enterAccount(visitor('carla'))
  const done = await change(carla, { current: PASSWORD, password: NEW, apps: 'disconnect' })
  assert.match(done.text, /all apps were disconnected/)
  assert.equal(await lastCallAt(app.port, app.a, connected.access), 401)
  const [mail] = await mailbox.waitFor(people.carla.email, 1, /password/)
  assert.match(mail?.email.text ?? '', /were disconnected/)
})

test('pending consents and unused codes end with the old password', async () => {
  const { exchange } = await approve(visitor('eli'))
  const { json: client } = await register(app.port, app.a)
  const elsewhere = openBrowser(app.port, app.a)
  const consent = await openConsent(elsewhere, visitor('eli'), {
    client_id: client.client_id,
    redirect_uri: CALLBACK,
    scope: 'openid',
    code_challenge: pkce().challenge,
  })
  assert.match(consent.text, /value="approve"/)
  const eli = await enterAccount(visitor('eli'))
  assert.match((await change(eli, { current: PASSWORD, password: NEW })).text, /was changed/)
  const refused = await tokenRequest(app.port, app.a, exchange)
  assert.deepEqual([refused.status, refused.json.error], [400, 'invalid_grant'])
  const decided = await elsewhere.submit(parseForm(consent), [['decision', 'approve']])
  assert.equal(decided.headers.location, undefined)
  assert.equal(decided.status, 400)
})

test('E-14 a change without the token, or from another site, is 403; a wrong or weak password is reported: nothing changes', async () => {
  const [ben, ada] = [await enterAccount(visitor('ben')), await enterAccount(visitor('ada'))]
  const passwords = { current: PASSWORD, password: NEW }
  const form = formTo(await ben.open('/account/password'), '/account/password')
  const foreign = new Map(formTo(await ada.open('/account/password'), '/account/password').fields).get('token') ?? ''
  for (const token of ['', 'A'.repeat(43), foreign])
    assert.equal(
      (await post(app.port, ben, '/account/password', listFields(form, { ...passwords, token }))).status,
      403,
    )
  const hostile: Record<string, string>[] = [
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'content-type': 'text/plain' },
  ]
  for (const headers of hostile) {
    const reply = await post(app.port, ben, '/account/password', listFields(form, passwords), headers)
    assert.equal(reply.status, 403, JSON.stringify(headers))
  }
  const faults = [
    [{ current: 'not the password', password: NEW }, /current password is not correct/],
    [{ current: PASSWORD, password: 'short' }, /at least 10/],
    [{ current: PASSWORD, password: 'password123' }, /This password is too common/],
    [{ current: PASSWORD, password: people.ben.email }, /contains your name/],
    [{ current: PASSWORD, password: 'x'.repeat(257) }, /at most 256/],
  ] as const
  for (const [fields, pattern] of faults) {
    const page = await change(ben, fields)
    assert.equal(page.status, 400)
    assert.match(page.text, pattern)
    assert.doesNotMatch(page.text, /type="password"[^>]* value=/)
  }
  assert.deepEqual([await mayEnter('ben', PASSWORD), await mayEnter('ben', NEW)], [true, false])
  const honest = { origin: 'null', 'sec-fetch-site': 'same-origin' }
  const done = await post(app.port, ben, '/account/password', listFields(form, passwords), honest)
  const location = done.headers.location ?? ''
  assert.deepEqual([done.status, location], [303, '/account?done=password'])
})

test('E-04 the current password cannot be guessed on the page: its tries are counted with those of sign-in', async () => {
  const ada = await enterAccount(visitor('ada'))
  const statuses: number[] = []
  for (let n = 0; n < 12; n++)
    statuses.push((await change(ada, { current: `guess ${n} of many`, password: NEW })).status)
  assert.deepEqual([...new Set(statuses)], [400, 429])
  const right = await change(ada, { current: PASSWORD, password: NEW })
  assert.equal(right.status, 429)
  assert.ok(Number(right.headers['retry-after']) > 0)
  await app.moveClock(15 * 60 + 1)
  assert.equal(await mayEnter('ada', PASSWORD), true)
})

test('one of two concurrent changes succeeds; the other is refused because its current password is wrong', async () => {
  const [one, two] = [await enterAccount(visitor('eli', NEW)), await enterAccount(visitor('eli', NEW))]
  const [first, second] = ['a first new sentence at dawn', 'a second new sentence at dusk']
  const [here, there] = await Promise.all([
    change(one, { current: NEW, password: first }),
    change(two, { current: NEW, password: second }),
  ])
  const winners = [here, there].filter(({ text }) => /was changed/.test(text))
  assert.equal(winners.length, 1)
  for (const reply of [here, there]) assert.ok(reply.status < 500)
  const entered = [await mayEnter('eli', first), await mayEnter('eli', second)]
  assert.deepEqual(entered, [here === winners[0], there === winners[0]])
})
