import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { listFields, post } from '#testing/account-pages.ts'
import { testApp } from '#testing/app.ts'
import { openBrowser, parseForm } from '#testing/browser.ts'
import type { TestReply } from '#testing/http.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { begin, fillIn, isConsent, newestCode } from '#testing/people.ts'
import { askForSignInCode, linkTo } from '#testing/sign-in-codes.ts'
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

const CODE = '/oauth/authorize/sign-in/code'
const at = () => ({ port: app.port, school: app.a })

const ask = async (email: string, parameters: Readonly<Record<string, string>> = {}) => {
  const authorization = await begin(at(), parameters)
  return { ...authorization, page: await askForSignInCode(authorization.browser, authorization.page, email) }
}

const openSessions = (email: string) =>
  app.database.query<{ amr: string[] }>(
    `select s.amr from sessions s join members m on m.school_id = s.school_id and m.id = s.member_id
     where s.school_id = $1 and m.email = $2 and s.ended_at is null`,
    [app.a.id, email],
  )

test('a member signs in for an app with a code, and continues with its consent', async () => {
  const { browser, page } = await ask(people.dev.email, { prompt: 'login' })
  assert.match(page.text, /six-digit code/)
  const wrong = await fillIn(browser, page, { code: '000000' })
  assert.equal(wrong.status, 400)
  const consent = await fillIn(browser, wrong, { code: await newestCode(mailbox, people.dev.email) })
  assert.ok(isConsent(consent), consent.text)
  assert.ok(consent.text.includes(people.dev.email))
  assert.deepEqual(await openSessions(people.dev.email), [{ amr: ['otp'] }])
})

test('the link shows one button in its browser, says elsewhere where to go, and uses nothing up', async () => {
  const { email } = people.eli
  const { browser } = await ask(email)
  const link = await linkTo(mailbox, email)
  for (let n = 0; n < 7; n++) {
    const scanned = await openBrowser(app.port, app.a).open(link)
    assert.deepEqual([scanned.status, /Continue where you requested the code/.test(scanned.text)], [200, true])
    assert.ok(!scanned.text.includes(email))
    await browser.open(link)
  }
  const button = await browser.open(link)
  assert.equal(button.text.match(/<button/g)?.length, 1)
  assert.deepEqual(await openSessions(email), [])
  assert.ok(isConsent(await fillIn(browser, button, {})))
  assert.equal((await openSessions(email)).length, 1)
  assert.equal((await openBrowser(app.port, app.a).open(link.replace(/&code=.*/, ''))).status, 400)
})

test('whoever does not stay signed in on a device does not by a code or its link either', async () => {
  const { email } = people.dev
  for (const isRemembered of [true, false])
    for (const way of ['code', 'link']) {
      await app.database.query('delete from limits')
      const count = mailbox.arrived.filter(({ to }) => to.includes(email)).length
      const { browser, page } = await begin(at(), { prompt: 'login' })
      const form = parseForm(page)
      const typed = listFields(form, { email, way: 'code' }).filter(([name]) => name !== 'remember' || isRemembered)
      const asked = await post(app.port, browser, form.action, typed)
      const code = await newestCode(mailbox, email, count + 1)
      const shown = way === 'code' ? (asked.headers.location ?? '') : await linkTo(mailbox, email)
      const fields = listFields(parseForm(await browser.open(shown)), { code })
      const entered = await post(app.port, browser, CODE, fields)
      const again = await post(app.port, browser, CODE, fields)
      const line = (entered.headers['set-cookie'] ?? []).find(one => one.includes('-session-')) ?? ''
      assert.match(line, isRemembered ? /; Max-Age=7776000$/ : /; SameSite=Lax$/, way)
      assert.deepEqual(again.headers['set-cookie'], entered.headers['set-cookie'])
    }
})

const comparable = ({ status, headers, text }: TestReply, email: string) => {
  const { date: _date, 'x-request-id': _id, 'content-length': _length, ...rest } = headers
  const hide = (value: string) => value.replaceAll(email, '…').replace(/(request(?:=|" value="))[\w-]{43}/g, '$1')
  return { status, rest: JSON.parse(hide(JSON.stringify(rest))), text: hide(text) }
}

test('E-03 members, staff and unknown addresses get the same pages from the same statements', async () => {
  const seen = []
  for (const email of [people.dev.email, people.carla.email, people.ada.email, 'nobody@crumb.example']) {
    const { browser, page: signIn } = await begin(at())
    statements.length = 0
    const fields = listFields(parseForm(signIn), { email, way: 'code' })
    const sent = await post(app.port, browser, '/oauth/authorize/sign-in', fields)
    const page = await browser.open(sent.headers.location ?? '')
    const wrong = await post(app.port, browser, CODE, listFields(parseForm(page), { code: '000000' }))
    const asked = statements.map(text => text.trim())
    seen.push({ asked, replies: [sent, page, wrong].map(reply => comparable(reply, email)) })
  }
  for (const one of seen) assert.deepEqual(one, seen[0])
  const [mail] = await mailbox.waitFor(people.carla.email, 1, /password/)
  assert.doesNotMatch(mail?.email.text ?? '', /code=|^\d{6}$/m)
})

test('one code opens one session: its form posted several times at once and again leads on to the same consent', async () => {
  const { email } = people.femi
  const { browser, page } = await ask(email)
  const fields = listFields(parseForm(page), { code: await newestCode(mailbox, email) })
  const old = { ...browser, cookies: new Map(browser.cookies) }
  const replies = await Promise.all(Array.from({ length: 3 }, () => post(app.port, old, CODE, fields)))
  const later = await post(app.port, old, CODE, fields)
  const places = [...replies, later].map(({ status, headers }) => [status, headers.location, headers['set-cookie']])
  assert.match(String(places[0]?.[1]), /^\/oauth\/authorize\/consent\?/)
  for (const place of places) assert.deepEqual(place, places[0])
  assert.equal((await openSessions(email)).length, 1)
  const wrong = await post(app.port, old, CODE, listFields(parseForm(page), { code: '000000' }))
  assert.deepEqual([wrong.status, wrong.headers['set-cookie']], [400, undefined])
  const stranger = await post(app.port, openBrowser(app.port, app.a), CODE, fields)
  assert.deepEqual([stranger.status, stranger.headers['set-cookie']], [400, undefined])
  await app.moveClock(61)
  const late = await post(app.port, old, CODE, fields)
  assert.equal(late.headers['set-cookie'], undefined)
  assert.equal((await openSessions(email)).length, 1)
})

test('the code works for its own authorization alone, five times; what is no address gets none', async () => {
  const { email } = people.dev
  await app.database.query('delete from limits')
  const { browser, page } = await ask(email)
  const code = await newestCode(mailbox, email, 3)
  const other = await begin(at(), {}, browser)
  const otherPage = await askForSignInCode(browser, other.page, 'nobody@crumb.example')
  assert.equal((await fillIn(browser, otherPage, { code })).status, 400)
  for (let n = 1; n <= 5; n++)
    assert.equal((await fillIn(browser, page, { code: String((Number(code) + n) % 1e6).padStart(6, '0') })).status, 400)
  assert.equal((await fillIn(browser, page, { code })).status, 400)
  const refused = await askForSignInCode(browser, other.page, 'dev')
  assert.deepEqual([refused.status, /not an e-mail address/.test(refused.text)], [400, true])
})
