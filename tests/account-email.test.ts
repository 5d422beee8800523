import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { enterAccount, formTo, listFields, post, signInAt } from '#testing/account-pages.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import { type Browser, openBrowser } from '#testing/browser.ts'
import type { TestReply } from '#testing/http.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { newestCode } from '#testing/people.ts'
import { isOfRequest } from '#testing/statements.ts'

let mailbox: Mailbox
const statements: string[] = []
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
  onStatement: text => void (isOfRequest(text) && statements.push(text)),
})
after(() => mailbox.stop())

const ASKS = /action="\/account\/email"/

const visitor = (name: PersonName) => ({ port: app.port, school: app.a, email: people[name].email, password: PASSWORD })

const ask = async (browser: Browser, email: string): Promise<TestReply> =>
  browser.submit(formTo(await browser.open('/account/email'), '/account/email'), [['email', email]])

const type = (browser: Browser, page: TestReply, code: string): Promise<TestReply> =>
  browser.submit(formTo(page, '/account/email/code'), [['code', code]])

const readAddress = async (name: PersonName): Promise<{ email: string; email_verified: boolean }> => {
  const [row] = await app.database.query<{ email: string; email_verified: boolean }>(
    'select email, email_verified from members where school_id = $1 and name = $2',
    [app.a.id, people[name].name],
  )
  return row ?? { email: '', email_verified: false }
}

test('a new address is proven by a code sent to it; both addresses get a mail, and sign-in accepts only the new one', async () => {
  const dev = await enterAccount(visitor('dev'))
  const page = await ask(dev, 'dev.new@crumb.example')
  assert.match(page.text, /Enter the code/)
  assert.equal((await readAddress('dev')).email, people.dev.email)
  const code = await newestCode(mailbox, 'dev.new@crumb.example')
  const wrong = await type(dev, page, code === '000000' ? '000001' : '000000')
  assert.equal(wrong.status, 400)
  assert.match(wrong.text, /not correct/)
  const done = await type(dev, page, code)
  assert.match(done.text, /was changed to the one below[\s\S]*dev\.new@crumb\.example/)
  assert.doesNotMatch(done.text, /not confirmed yet/)
  assert.deepEqual(await readAddress('dev'), { email: 'dev.new@crumb.example', email_verified: true })
  for (const to of [people.dev.email, 'dev.new@crumb.example']) {
    const [mail] = await mailbox.waitFor(to, 1, /was changed/)
    assert.match(mail?.email.text ?? '', /now dev\.new@crumb\.example/)
  }
  const again = openBrowser(app.port, app.a)
  assert.equal((await signInAt(again, visitor('dev'))).status, 400)
  const renamed = { ...visitor('dev'), email: 'dev.new@crumb.example' }
  assert.equal((await signInAt(openBrowser(app.port, app.a), renamed)).status, 200)
  // The code is used up.
  assert.equal((await type(dev, page, code)).text.includes('was changed to the one below'), false)
})

test('an unproven address is proven by the same page, and no mail about a change is sent', async () => {
  await app.database.query('update members set email_verified = false where school_id = $1 and name = $2', [
    app.a.id,
    people.carla.name,
  ])
  const carla = await enterAccount(visitor('carla'))
  assert.match((await carla.open('/account')).text, /not confirmed yet/)
  const page = await ask(carla, people.carla.email)
  const done = await type(carla, page, await newestCode(mailbox, people.carla.email))
  assert.match(done.text, /<h1>Hello, /)
  assert.doesNotMatch(done.text, /not confirmed yet/)
  const mails = mailbox.arrived.filter(
    ({ to, email }) => to.includes(people.carla.email) && /changed/.test(email.subject ?? ''),
  )
  assert.equal(mails.length, 0)
  assert.match((await ask(carla, people.carla.email)).text, /your address already/)
})

test('E-03 an address in use gets the same reply and statements as a free one; only its owner learns of it', async () => {
  const eli = await enterAccount(visitor('eli'))
  const observations = []
  for (const email of ['free@crumb.example', people.ada.email.toUpperCase()]) {
    const form = formTo(await eli.open('/account/email'), '/account/email')
    statements.length = 0
    const reply = await post(app.port, eli, '/account/email', listFields(form, { email }))
    const run = [...statements]
    const { date: _date, 'x-request-id': _id, ...headers } = reply.headers
    observations.push({ status: reply.status, headers, text: reply.text, run })
  }
  assert.deepEqual(observations[0], observations[1])
  const [mail] = await mailbox.waitFor(people.ada.email, 1, /already in use/)
  assert.ok(!/\d{6}/.test(mail?.email.text ?? ''))
  const page = await eli.open('/account/email/code')
  for (let n = 0; n < 3; n++) assert.equal((await type(eli, page, String(100000 + n))).status, 400)
  assert.equal((await readAddress('eli')).email, people.eli.email)
  assert.equal((await readAddress('ada')).email, people.ada.email)
})

test('two people prove one address at the same time: one gets it, the other a page that says so', async () => {
  const both = [await enterAccount(visitor('eli')), await enterAccount(visitor('ben'))]
  const pages: TestReply[] = []
  const codes: string[] = []
  for (const [index, browser] of both.entries()) {
    pages.push(await ask(browser, 'contested@crumb.example'))
    codes.push(await newestCode(mailbox, 'contested@crumb.example', index + 1))
  }
  const replies = await Promise.all(
    both.map((browser, index) => type(browser, pages[index] as TestReply, codes[index] ?? '')),
  )
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 400])
  assert.match(replies.find(({ status }) => status === 400)?.text ?? '', /Another member has just taken this address/)
  const [row] = await app.database.query<{ n: number }>(
    `select count(*)::integer as n from members where school_id = $1 and email_folded = 'contested@crumb.example'`,
    [app.a.id],
  )
  assert.equal(row?.n, 1)
})

test('a new address needs a proof younger than two hours, and its code the session that requested it', async () => {
  const ada = await enterAccount(visitor('ada'))
  const form = formTo(await ada.open('/account/email'), '/account/email')
  await app.moveClock(2 * 60 * 60)
  assert.match((await ada.open('/account/email')).text, /Confirm that it is you/)
  const late = await post(app.port, ada, '/account/email', listFields(form, { email: 'ada.new@crumb.example' }))
  assert.equal(late.status, 303)
  assert.match(late.headers.location ?? '', /^\/account\/confirm\?level=recent&return_to=%2Faccount%2Femail%3Fkept%3D/)
  assert.equal(mailbox.arrived.filter(({ to }) => to.includes('ada.new@crumb.example')).length, 0)
  const again = await ada.open('/account/email')
  const there = await ada.submit(formTo(again, '/account/confirm'), [['password', PASSWORD]])
  assert.match(there.text, ASKS)
  const page = await ask(ada, 'ada.new@crumb.example')
  const code = await newestCode(mailbox, 'ada.new@crumb.example')
  const elsewhere = await enterAccount(visitor('ada'))
  assert.match((await elsewhere.open('/account/email/code')).text, ASKS)
  await app.moveClock(15 * 60 + 1)
  assert.ok(!(await type(ada, page, code)).text.includes('was changed to the one below'))
  assert.equal((await readAddress('ada')).email, people.ada.email)
})

test('an invalid address is refused, without a mail or a code', async () => {
  const ada = await enterAccount(visitor('ada'))
  for (const email of [
    'no address',
    'a@b',
    `${'x'.repeat(300)}@crumb.example`,
    'a@crumb.example\r\nbcc: x@y.example',
  ]) {
    const page = await ask(ada, email)
    assert.equal(page.status, 400, email)
    assert.match(page.text, /not an e-mail address/)
  }
  assert.match((await ada.open('/account/email/code')).text, ASKS)
})
