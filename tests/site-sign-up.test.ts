import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { readSession } from '#testing/account-pages.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { type Browser, openBrowser } from '#testing/browser.ts'
import { form, type TestReply } from '#testing/http.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { fillIn, newestCode } from '#testing/people.ts'

let mailbox: Mailbox
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox.stop())

const COURSE = '/courses/sourdough-from-scratch'
const NEW = 'levain at four in the morning'

const begin = (browser: Browser, returnTo = COURSE): Promise<TestReply> =>
  browser.open(`/account/sign-up?${new URLSearchParams({ return_to: returnTo })}`)

test('a stranger creates an account from a course page and is signed in and back at it', async () => {
  const browser = openBrowser(app.port, app.a)
  const email = 'hana@crumb.example'
  const course = await browser.open(COURSE)
  const link = /href="(\/account\/sign-up\?[^"]*)"/.exec(course.text)?.[1] ?? ''
  const codePage = await fillIn(browser, await browser.open(link), { name: 'Hana Sato', email, password: NEW })
  assert.match(codePage.text, /six-digit code/)
  const wrong = await fillIn(browser, codePage, { code: '000000' })
  assert.deepEqual([wrong.status, readSession(browser)], [400, undefined])
  const code = await newestCode(mailbox, email)
  // As a Japanese keyboard writes digits, with what a mail or a page may have between them.
  const wide = [...code].map(digit => String.fromCharCode(digit.charCodeAt(0) + 0xfee0))
  const pasted = `\u200b${wide.slice(0, 3).join('')}\u2011${wide.slice(3).join('')}\u2060`
  const accepted = new RegExp(`^(?:${/ pattern="([^"]+)"/.exec(codePage.text)?.[1]})$`, 'v')
  assert.match(pasted, accepted)
  const back = await fillIn(browser, codePage, { code: pasted })
  assert.deepEqual([back.status, back.text], [200, (await browser.open(COURSE)).text])
  assert.ok(readSession(browser))
  assert.match((await browser.open('/account')).text, /Hana Sato/)
  // Who is signed in already goes on at once.
  assert.match((await begin(browser, '/lecturers')).text, /<h1>Lecturers/)
})

const enrollLink = ({ text }: TestReply): string =>
  /href="(\/account\/sign-up\?return_to=%2Faccount%2Fenroll[^"]*)"/.exec(text)?.[1] ?? ''

test('who is new creates an account without a password from a free course, and enrolls in it', async () => {
  const browser = openBrowser(app.port, app.a)
  const email = 'yuki@crumb.example'
  const signUp = await browser.open(enrollLink(await browser.open('/courses/first-loaf')))
  assert.match(signUp.text, /Create an account/)
  const codePage = await fillIn(browser, signUp, { name: 'Yuki Mori', email })
  const page = await fillIn(browser, codePage, { code: await newestCode(mailbox, email) })
  assert.match(page.text, /Enroll in First loaf/)
  assert.match((await fillIn(browser, page, {})).text, /You are enrolled/)
  assert.match((await browser.open('/account')).text, /Hello, Yuki Mori/)
  // Whoever is signed in goes to the course without the page for new people.
  assert.doesNotMatch((await browser.open('/courses/first-loaf')).text, /account\/sign-up/)
})

test('a member enrolls in a free course from its page, once, and in no other', async () => {
  const browser = openBrowser(app.port, app.a)
  const course = await browser.open('/courses/first-loaf')
  const signUp = await browser.open(enrollLink(course))
  const signIn = await browser.open(/href="(\/account\/sign-in\?[^"]*)"/.exec(signUp.text)?.[1] ?? '')
  const page = await fillIn(browser, signIn, { email: people.femi.email, password: PASSWORD })
  assert.match(page.text, /Enroll in First loaf/)
  const done = await fillIn(browser, page, {})
  assert.deepEqual([done.status, /You are enrolled/.test(done.text), /First loaf/.test(done.text)], [200, true, true])
  assert.equal((await fillIn(browser, page, {})).status, 409)
  assert.equal((await fillIn(browser, page, { course: 'sourdough-from-scratch' })).status, 409)
  assert.equal((await browser.open('/account/enroll?course=nobody')).status, 404)
  assert.doesNotMatch((await browser.open(COURSE)).text, /\/account\/enroll/)
})

test('an address with an account gets a mail that says so, and the page is the same', async () => {
  const [known, fresh] = [openBrowser(app.port, app.a), openBrowser(app.port, app.a)]
  const pages = []
  for (const [browser, email] of [
    [known, people.eli.email],
    [fresh, 'kim@crumb.example'],
  ] as const) {
    const page = await fillIn(browser, await begin(browser), { name: 'Somebody', email, password: NEW })
    pages.push(page.text.replaceAll(email, '').replace(/name="token" value="[^"]*"/, ''))
  }
  assert.equal(pages[0], pages[1])
  await mailbox.waitFor(people.eli.email, 1, /account/)
  const page = await known.open(`/account/sign-up/code?return_to=${encodeURIComponent(COURSE)}`)
  assert.equal((await fillIn(known, page, { code: '123456' })).status, 400)
  assert.equal(readSession(known), undefined)
})

test('weak passwords, bad addresses and names are refused with the rules of the sign-up within an authorization', async () => {
  const browser = openBrowser(app.port, app.a)
  const page = await begin(browser)
  const person = { name: 'Lou', email: 'lou@crumb.example', password: NEW }
  for (const [changed, message] of [
    [{ password: 'short' }, /at least 10/],
    [{ password: 'password12' }, /too common/],
    [{ email: 'lou' }, /not an e-mail address/],
    [{ name: ' ' }, /enter your name/],
  ] as const) {
    const refused = await fillIn(browser, page, { ...person, ...changed })
    assert.equal(refused.status, 400)
    assert.match(refused.text, message)
    assert.doesNotMatch(refused.text, new RegExp(NEW))
  }
})

test('nobody returns to another site after creating an account, whatever the form says', async () => {
  for (const [index, evil] of ['//evil.example', '/\\evil.example', 'https://evil.example', '/%2f%2fevil'].entries()) {
    const browser = openBrowser(app.port, app.a)
    const email = `nobody${index}@crumb.example`
    const page = await begin(browser, evil)
    const codePage = await fillIn(browser, page, { name: 'Nobody', email, password: NEW, return_to: evil })
    assert.doesNotMatch(codePage.text, /evil/)
    const done = await fillIn(browser, codePage, { code: await newestCode(mailbox, email), return_to: evil })
    assert.match(done.text, /Hello, Nobody/)
  }
})

test('a form from another site or another browser changes nothing, and a code works in its own browser alone', async () => {
  const email = 'mika@crumb.example'
  const [mine, other] = [openBrowser(app.port, app.a), openBrowser(app.port, app.a)]
  const fields = { name: 'Mika', email, password: NEW, token: 'x', return_to: '/' }
  assert.equal((await app.send(form('/account/sign-up', fields))).status, 403)
  const page = await begin(mine)
  const foreign = await app.send(form('/account/sign-up', fields, { 'sec-fetch-site': 'cross-site' }))
  assert.equal(foreign.status, 403)
  await fillIn(mine, page, { name: 'Mika', email, password: NEW })
  const code = await newestCode(mailbox, email)
  assert.match(
    (await fillIn(other, await begin(other), { name: 'Mika', email: 'x@crumb.example', password: NEW })).text,
    /six-digit/,
  )
  const stolen = await fillIn(other, await other.open('/account/sign-up/code'), { code })
  assert.equal(stolen.status, 400)
  assert.match((await openBrowser(app.port, app.a).open('/account/sign-up/code')).text, /Create an account at/)
})

test('a closed school has no sign-up', async () => {
  await app.database.query(`update schools set signup_mode = 'closed' where id = $1`, [app.b.id])
  const browser = openBrowser(app.port, app.b)
  const page = await begin(browser)
  assert.equal(page.status, 403)
  assert.match(page.text, /does not accept new accounts/)
  assert.doesNotMatch((await browser.open('/')).text, /sign-up/)
  const signIn = await browser.open('/account/sign-in')
  assert.doesNotMatch(signIn.text, /sign-up/)
  const entered = await fillIn(browser, signIn, { email: people.dev.email, password: PASSWORD })
  assert.equal(entered.status, 200)
})
