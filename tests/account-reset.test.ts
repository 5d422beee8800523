import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { enterAccount, formatCookie, formTo, listFields, openWith, post, signInAt } from '#testing/account-pages.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import { type Browser, openBrowser } from '#testing/browser.ts'
import type { TestReply } from '#testing/http.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { newestCode } from '#testing/people.ts'
import { connect, lastCallAt } from '#testing/tokens.ts'

let mailbox: Mailbox
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox.stop())

const NEW = 'a poolish left too long on the shelf'
const visitor = (name: PersonName) => ({ port: app.port, school: app.a, email: people[name].email, password: PASSWORD })

const ask = async (browser: Browser, email: string): Promise<TestReply> =>
  browser.submit(formTo(await browser.open('/account/reset'), '/account/reset'), [['email', email]])

const answer = (browser: Browser, page: TestReply, code: string, password = NEW): Promise<TestReply> =>
  browser.submit(formTo(page, '/account/reset/code'), [
    ['code', code],
    ['password', password],
  ])

test('a person who forgot the password sets a new one by a code, is signed in again, and all their other sessions and tokens end', async () => {
  const connected = await connect(app, 'dev')
  const elsewhere = await enterAccount(visitor('dev'))
  const browser = openBrowser(app.port, app.a)
  const page = await ask(browser, people.dev.email)
  const code = await newestCode(mailbox, people.dev.email)
  assert.match((await answer(browser, page, code, 'short')).text, /at least 10/)
  const done = await answer(browser, page, code)
  assert.match(done.text, /new password was set/)
  assert.ok(done.text.includes(people.dev.name))
  assert.equal((await openWith(app.port, formatCookie(elsewhere), '/account')).status, 303)
  assert.equal(await lastCallAt(app.port, app.a, connected.access), 401)
  const entering = { email: people.dev.email, password: NEW }
  assert.equal((await signInAt(openBrowser(app.port, app.a), entering)).status, 200)
  assert.equal((await signInAt(openBrowser(app.port, app.a), visitor('dev'))).status, 400)
  const again = await post(
    app.port,
    browser,
    '/account/reset/code',
    listFields(formTo(page, '/account/reset/code'), { code }),
  )
  assert.equal(again.headers.location, '/account/reset')
  const [mail] = await mailbox.waitFor(people.dev.email, 1, /was changed/)
  assert.match(mail?.email.text ?? '', /were disconnected/)
})

test('E-03 a reset for an unknown address gets the same reply, and sends no mail', async () => {
  const observations = []
  for (const email of [people.eli.email, 'nobody@crumb.example']) {
    const page = await ask(openBrowser(app.port, app.a), email)
    observations.push([page.status, page.text.replaceAll(email, '…').replace(/value="[\w-]{43}"/, '')])
  }
  assert.deepEqual(observations[0], observations[1])
  await newestCode(mailbox, people.eli.email)
  assert.equal(mailbox.arrived.filter(({ to }) => to.includes('nobody@crumb.example')).length, 0)
})

test('E-14 the code works only in the browser that requested it, with its token, five times; nothing changes otherwise', async () => {
  const [browser, other] = [openBrowser(app.port, app.a), openBrowser(app.port, app.a)]
  const page = await ask(browser, people.carla.email)
  const code = await newestCode(mailbox, people.carla.email)
  const form = formTo(page, '/account/reset/code')
  const sent = listFields(form, { code, password: NEW })
  await other.open('/account/reset')
  assert.equal((await post(app.port, other, '/account/reset/code', sent)).status, 403)
  assert.equal((await post(app.port, openBrowser(app.port, app.a), '/account/reset/code', sent)).status, 403)
  const token = new Map(formTo(await other.open('/account/reset'), '/account/reset').fields).get('token') ?? ''
  const elsewhere = await post(app.port, other, '/account/reset/code', listFields(form, { code, password: NEW, token }))
  assert.equal(elsewhere.headers.location, '/account/reset')
  const crossSite = { 'sec-fetch-site': 'cross-site' }
  assert.equal((await post(app.port, browser, '/account/reset/code', sent, crossSite)).status, 403)
  assert.equal((await post(app.port, browser, '/account/reset', sent, crossSite)).status, 403)
  for (let n = 0; n < 5; n++)
    assert.equal((await answer(browser, page, String(Number(code) ^ (n + 1)).padStart(6, '0'))).status, 400)
  assert.equal((await answer(browser, page, code)).status, 400)
  assert.equal((await signInAt(openBrowser(app.port, app.a), visitor('carla'))).status, 200)
})
