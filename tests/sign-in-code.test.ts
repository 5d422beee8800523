import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { listFields, post, readSession } from '#testing/account-pages.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import { type AppProcess, startServer } from '#testing/app-process.ts'
import { type Browser, openBrowser, parseForm } from '#testing/browser.ts'
import { buyerForm, codeForm, look, postOnce } from '#testing/checkout.ts'
import type { TestReply } from '#testing/http.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { sell } from '#testing/orders.ts'
import { fillIn, newestCode } from '#testing/people.ts'
import { runCommand } from '#testing/process.ts'
import { changeRole } from '#testing/roles.ts'
import { askForSignInCode, beginWithCode, linkTo } from '#testing/sign-in-codes.ts'
import { isOfRequest } from '#testing/statements.ts'
import { until } from '#testing/until.ts'

let mailbox: Mailbox
const statements: string[] = []
const processes: AppProcess[] = []
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
  onStatement: text => void (isOfRequest(text) && statements.push(text)),
})
after(async () => {
  await Promise.all(processes.map(one => one.stop()))
  await mailbox.stop()
})

const COURSE = '/courses/sourdough-from-scratch'
const ACCOUNT = '/account/sign-in/code'
const QUARTER = 15 * 60 + 1

const mailsTo = (email: string): number => mailbox.arrived.filter(({ to }) => to.includes(email)).length

const sessionsOf = (email: string) =>
  app.database.query<{ amr: string[]; is_open: boolean }>(
    `select s.amr, s.ended_at is null as is_open from sessions s
     join members m on m.school_id = s.school_id and m.id = s.member_id
     where s.school_id = $1 and m.email = $2 order by s.auth_time, s.id`,
    [app.a.id, email],
  )

const emptied = async (name: PersonName): Promise<string> => {
  const { email } = people[name]
  await app.database.query('delete from limits')
  await app.database.query(
    'update sessions set ended_at = stoa.now() where member_id in (select id from members where email = $1)',
    [email],
  )
  return email
}

const openSessions = async (email: string): Promise<number> =>
  (await sessionsOf(email)).filter(({ is_open: isOpen }) => isOpen).length

test('a member signs in with a code from a mail and is back where they were going', async () => {
  const email = await emptied('dev')
  const { browser, page } = await beginWithCode(app, email, `${COURSE}?from=mail`)
  assert.match(page.text, /six-digit code/)
  assert.ok(page.text.includes(email))
  const wrong = await fillIn(browser, page, { code: '000000' })
  assert.deepEqual([wrong.status, readSession(browser)], [400, undefined])
  assert.match(wrong.text, /not correct/)
  const back = await fillIn(browser, wrong, { code: await newestCode(mailbox, email) })
  assert.deepEqual([back.status, back.text.includes('Sourdough from scratch')], [200, true])
  assert.ok(readSession(browser))
  assert.deepEqual((await sessionsOf(email)).at(-1), { amr: ['otp'], is_open: true })
  assert.match((await browser.open('/account')).text, new RegExp(people.dev.name))
  assert.doesNotMatch((await browser.open('/account')).text, /You have no password yet/)
})

test('the link of the mail shows one button in the browser that asked, and opening it has no effect', async () => {
  const email = await emptied('eli')
  const { browser, page } = await beginWithCode(app, email, COURSE)
  const link = await linkTo(mailbox, email)
  // A scanner opens it before anybody else, and more often than a code may be tried.
  for (let n = 0; n < 7; n++) {
    const scanned = await openBrowser(app.port, app.a).open(link)
    assert.equal(scanned.status, 200)
    assert.match(scanned.text, /Continue where you requested the code/)
    assert.doesNotMatch(scanned.text, /<form(?! class="languages")/)
    assert.ok(!scanned.text.includes(email))
    await browser.open(link)
  }
  const button = await browser.open(link)
  assert.equal(button.text.match(/<button(?! type="submit" name="language")/g)?.length, 1)
  assert.ok(button.text.includes(email))
  assert.equal(await openSessions(email), 0)
  const back = await fillIn(browser, button, {})
  assert.equal(back.status, 200)
  assert.match(back.text, /Sourdough from scratch/)
  assert.equal(await openSessions(email), 1)
  // The link leads whoever is signed in on, and nobody else anywhere.
  assert.match((await browser.open(link)).text, /Sourdough from scratch/)
  assert.match((await openBrowser(app.port, app.a).open(link)).text, /Continue where you requested/)
  assert.match((await browser.submit(parseForm(page), [['code', '000000']])).text, /Sourdough from scratch/)
})

const comparable = ({ status, headers, text }: TestReply, email: string) => {
  const { date: _date, 'x-request-id': _id, 'content-length': _length, ...rest } = headers
  return { status, rest, text: text.replaceAll(email, '…').replace(/name="token" value="[^"]*"/g, '') }
}

const readSeen = async (email: string) => {
  const browser = openBrowser(app.port, app.a)
  const signIn = await browser.open(`/account/sign-in?${new URLSearchParams({ return_to: COURSE })}`)
  const fields = listFields(parseForm(signIn), { email, way: 'code' })
  statements.length = 0
  const sent = await post(app.port, browser, '/account/sign-in', fields)
  const page = await browser.open(sent.headers.location ?? '')
  const wrong = await post(app.port, browser, ACCOUNT, listFields(parseForm(page), { code: '000000' }))
  const asked = statements.map(text => text.trim())
  return { asked, replies: [sent, page, wrong].map(reply => comparable(reply, email)) }
}

test('E-03 a member, a lecturer, staff and unknown addresses get the same pages from the same statements; the mail of staff says password', async () => {
  await app.database.query('delete from limits')
  await app.database.query(`update members set status = 'suspended', suspended_at = stoa.now() where email = $1`, [
    people.femi.email,
  ])
  const before = mailsTo(people.carla.email)
  const dev = await readSeen(people.dev.email)
  const others = [people.carla.email, people.ada.email, people.femi.email, 'nobody@crumb.example']
  for (const email of others) assert.deepEqual(await readSeen(email), dev, email)
  assert.ok(dev.asked.length > 0)
  for (const name of ['carla', 'ada'] as const) {
    const [mail] = await mailbox.waitFor(people[name].email, 1, /password/)
    assert.match(mail?.email.text ?? '', /use your password/)
    assert.doesNotMatch(mail?.email.text ?? '', /^\d{6}$|code=\d/m)
  }
  assert.equal(mailsTo(people.carla.email), before + 1)
  // Mails are sent in their order, so those before would have arrived.
  await beginWithCode(app, people.eli.email)
  await linkTo(mailbox, people.eli.email, 2)
  assert.equal(mailsTo(people.femi.email), 0)
  // Who has no account gets a code with which to create one, and sees the same.
  assert.match(await newestCode(mailbox, 'nobody@crumb.example'), /^\d{6}$/)
  await app.database.query(`update members set status = 'active', suspended_at = null where email = $1`, [
    people.femi.email,
  ])
})

const readMember = (email: string) =>
  app.database.query<{ name: string; status: string; role: string; has_password: boolean }>(
    `select m.name, m.status, m.role, p.member_id is not null as has_password from members m
     left join credentials p on p.school_id = m.school_id and p.member_id = m.id
     where m.school_id = $1 and m.email = $2`,
    [app.a.id, email],
  )

test('whoever is new says their name after the code, and has an account without a password', async () => {
  await app.database.query('delete from limits')
  const email = 'noor@crumb.example'
  const { browser, page } = await beginWithCode(app, email, COURSE)
  const wrong = await fillIn(browser, page, { code: '000000', name: 'Noor Haddad' })
  assert.deepEqual([wrong.status, readSession(browser)], [400, undefined])
  const code = await newestCode(mailbox, email)
  const named = await fillIn(browser, page, { code })
  assert.deepEqual([named.status, readSession(browser)], [200, undefined])
  assert.match(named.text, /name="name"/)
  assert.deepEqual(await readMember(email), [])
  const nameless = await fillIn(browser, named, { name: ' \u200b ' })
  assert.deepEqual([nameless.status, readSession(browser)], [200, undefined])
  const back = await fillIn(browser, named, { name: 'Noor Haddad' })
  assert.deepEqual([back.status, back.text.includes('Sourdough from scratch')], [200, true])
  assert.deepEqual(await readMember(email), [
    { name: 'Noor Haddad', status: 'active', role: 'member', has_password: false },
  ])
  assert.deepEqual(await sessionsOf(email), [{ amr: ['otp'], is_open: true }])
})

test('the form of somebody new that is posted twice at once makes one account and one session', async () => {
  await app.database.query('delete from limits')
  const email = 'ines@crumb.example'
  const { browser, page } = await beginWithCode(app, email)
  const named = await fillIn(browser, page, { code: await newestCode(mailbox, email) })
  const fields = listFields(parseForm(named), { name: 'Inês Prata' })
  const replies = await Promise.all([0, 1, 2].map(() => post(app.port, browser, ACCOUNT, fields)))
  const [first, ...others] = replies.map(({ status, headers }) => [status, headers.location, headers['set-cookie']])
  assert.equal(first?.[0], 303)
  for (const other of others) assert.deepEqual(other, first)
  assert.equal((await readMember(email)).length, 1)
  assert.equal(await openSessions(email), 1)
  await app.database.query('update sessions set ended_at = stoa.now() where ended_at is null')
  assert.equal((await post(app.port, browser, ACCOUNT, fields)).status, 400)
  assert.equal(await openSessions(email), 0)
})

// The school is known to the server for a moment as it was.
const setSignUp = async (mode: 'open' | 'invite'): Promise<void> => {
  await app.database.query('update schools set signup_mode = $1 where id = $2', [mode, app.a.id])
  await until(async () => {
    const { text } = await openBrowser(app.port, app.a).open('/account/sign-up')
    return text.includes('by invitation') === (mode === 'invite')
  }, `accounts are ${mode}`)
}

test('where accounts are by invitation, nobody new gets a code, and who was invited joins with theirs', async () => {
  await app.database.query('delete from limits')
  await setSignUp('invite')
  try {
    const belonging = { databaseUrl: app.database.appUrl, secret: app.secret }
    await runCommand(belonging, [
      'members',
      'invite',
      'vera@crumb.example',
      '--name',
      'Vera',
      '--school',
      app.a.baseUrl,
    ])
    await mailbox.waitFor('vera@crumb.example', 1, /invited/)
    const stranger = await beginWithCode(app, 'zeno@crumb.example')
    const invited = await beginWithCode(app, 'vera@crumb.example')
    // The invitation has a code of its own.
    const code = await newestCode(mailbox, 'vera@crumb.example', 2)
    assert.equal(mailsTo('zeno@crumb.example'), 0)
    assert.equal((await fillIn(stranger.browser, stranger.page, { code })).status, 400)
    const named = await fillIn(invited.browser, invited.page, { code })
    assert.match((await fillIn(invited.browser, named, { name: 'Vera Lima' })).text, /Hello, Vera Lima/)
  } finally {
    await setSignUp('open')
  }
})

test('Enter signs in with a password that was typed, and asks for a code without one', async () => {
  const email = await emptied('dev')
  const browser = openBrowser(app.port, app.a)
  const signIn = await browser.open('/account/sign-in')
  assert.match((await fillIn(browser, signIn, { email })).text, /six-digit code/)
  // What a password manager typed in the folded part does not stand in the way of a code.
  assert.match((await fillIn(browser, signIn, { email, password: 'stale', way: 'code' })).text, /six-digit code/)
  assert.equal((await fillIn(browser, signIn, { email, password: 'stale' })).status, 400)
  assert.match((await fillIn(browser, signIn, { email, password: PASSWORD })).text, /Hello, /)
})

test('a code that was mailed opens no account that became one of staff, was suspended or changed its address', async () => {
  const email = await emptied('femi')
  const changes = [
    async () => {
      const role = await changeRole(app.database.elsewhere(), app.a, email, 'lecturer')
      return () => changeRole(app.database.elsewhere(), app.a, email, role)
    },
    async () => {
      await app.database.query(`update members set status = 'suspended' where email = $1`, [email])
      return () => app.database.query(`update members set status = 'active' where email = $1`, [email])
    },
    async () => {
      const change = (to: string, from: string) =>
        app.database.query('update members set email = $1, email_folded = $1 where email = $2', [to, from])
      await change('femi2@crumb.example', email)
      return () => change(email, 'femi2@crumb.example')
    },
  ]
  for (const [n, change] of changes.entries()) {
    const { browser, page } = await beginWithCode(app, email)
    const code = await newestCode(mailbox, email, n + 1)
    const back = await change()
    const refused = await fillIn(browser, page, { code })
    assert.deepEqual([refused.status, readSession(browser)], [400, undefined])
    await back()
  }
  assert.equal(await openSessions(email), 0)
})

test('E-14 the code works in the browser that asked alone, with its token, five times and for 15 minutes', async () => {
  const email = await emptied('dev')
  const count = mailsTo(email)
  const { browser, page } = await beginWithCode(app, email)
  const code = await newestCode(mailbox, email, count + 1)
  const sent = listFields(parseForm(page), { code })
  const other = await beginWithCode(app, 'other@crumb.example')
  assert.equal((await post(app.port, other.browser, ACCOUNT, sent)).status, 403)
  assert.equal((await fillIn(other.browser, other.page, { code })).status, 400)
  assert.equal((await post(app.port, browser, ACCOUNT, sent, { 'sec-fetch-site': 'cross-site' })).status, 403)
  const form = parseForm(await openBrowser(app.port, app.a).open('/account/sign-in'))
  const foreign = await post(app.port, browser, '/account/sign-in', listFields(form, { email, way: 'code' }))
  assert.equal(foreign.status, 403)
  for (let n = 1; n <= 5; n++)
    assert.equal((await fillIn(browser, page, { code: String((Number(code) + n) % 1e6).padStart(6, '0') })).status, 400)
  assert.equal((await fillIn(browser, page, { code })).status, 400)
  const late = await beginWithCode(app, email)
  const lateCode = await newestCode(mailbox, email, count + 2)
  await app.moveClock(QUARTER)
  const again = await fillIn(late.browser, late.page, { code: lateCode })
  assert.match(again.text, /name="password"/)
  assert.match((await late.browser.open(`${ACCOUNT}?code=${lateCode}`)).text, /Continue where you requested/)
  assert.equal(await openSessions(email), 0)
})

test('one code opens one session: its form posted twice, in two tabs, and to two processes', async () => {
  const email = await emptied('eli')
  const count = mailsTo(email)
  const { browser, page } = await beginWithCode(app, email)
  const code = await newestCode(mailbox, email, count + 1)
  const button = await browser.open(await linkTo(mailbox, email))
  const forms = [listFields(parseForm(page), { code }), listFields(parseForm(button), { return_to: '/account' })]
  const other = await startServer({ databaseUrl: app.database.appUrl, secret: app.secret }, mailbox.url)
  processes.push(other)
  const host = new URL(app.a.siteOrigin).host
  const replies = await Promise.all(
    [app.port, other.port].flatMap(port => forms.map(fields => post(port, browser, ACCOUNT, fields, { host }))),
  )
  const places = replies.map(({ status, headers }) => [status, headers.location, headers['set-cookie']])
  assert.equal(places[0]?.[0], 303)
  for (const place of places) assert.deepEqual(place, places[0])
  assert.equal(await openSessions(email), 1)
  // After a sign-out the same form opens nothing, though a try is left.
  await app.database.query('update sessions set ended_at = stoa.now() where ended_at is null')
  const replayed = await post(app.port, browser, ACCOUNT, forms[0] ?? [])
  assert.deepEqual([replayed.status, replayed.headers['set-cookie']], [400, undefined])
  assert.equal(await openSessions(email), 0)
})

test('a code that is posted again after a minute is used, and a newer code takes the place of an older one', async () => {
  const email = await emptied('dev')
  const count = mailsTo(email)
  const { browser, page } = await beginWithCode(app, email)
  const first = await newestCode(mailbox, email, count + 1)
  await askForSignInCode(browser, await browser.open('/account/sign-in'), email)
  const second = await newestCode(mailbox, email, count + 2)
  if (first !== second) assert.equal((await fillIn(browser, page, { code: first })).status, 400)
  const sent = listFields(parseForm(page), { code: second })
  const entered = await post(app.port, browser, ACCOUNT, sent)
  const repeated = await post(app.port, browser, ACCOUNT, sent)
  assert.deepEqual([repeated.status, repeated.headers['set-cookie']], [303, entered.headers['set-cookie']])
  const wrong = await post(app.port, browser, ACCOUNT, listFields(parseForm(page), { code: '000000' }))
  assert.deepEqual([wrong.status, wrong.headers['set-cookie']], [400, undefined])
  await app.moveClock(61)
  const late = await post(app.port, browser, ACCOUNT, sent)
  assert.deepEqual([late.status, late.headers['set-cookie']], [303, undefined])
  assert.match(late.headers.location ?? '', /^\/account\/sign-in\?/)
  assert.equal(await openSessions(email), 1)
})

test('E-04 tries are counted with the sign-ins of the account before anything is compared, and a sign-in clears them', async () => {
  const email = await emptied('dev')
  const count = mailsTo(email)
  const stranger = openBrowser(app.port, app.a)
  const signIn = parseForm(await stranger.open('/account/sign-in'))
  const first = await beginWithCode(app, email)
  for (let n = 0; n < 5; n++) assert.equal((await fillIn(first.browser, first.page, { code: '000000' })).status, 400)
  const second = await beginWithCode(app, email)
  for (let n = 0; n < 5; n++) assert.equal((await fillIn(second.browser, second.page, { code: 'x' })).status, 400)
  const code = await newestCode(mailbox, email, count + 2)
  const full = await fillIn(second.browser, second.page, { code })
  assert.equal(full.status, 429)
  assert.match(full.text, /Too many attempts/)
  assert.ok(Number(full.headers['retry-after']) > 0)
  assert.equal(await openSessions(email), 0)
  // A sign-in clears what was counted, as one with a password does.
  await app.moveClock(QUARTER)
  const third = await beginWithCode(app, email)
  const right = await newestCode(mailbox, email, count + 3)
  const password = (browser: Browser) =>
    post(app.port, browser, '/account/sign-in', listFields(signIn, { email, password: 'x' }))
  for (let n = 0; n < 9; n++) assert.equal((await password(stranger)).status, 400)
  assert.equal((await fillIn(third.browser, third.page, { code: right })).status, 200)
  for (let n = 0; n < 9; n++) assert.equal((await password(stranger)).status, 400)
})

test('five codes an hour for an address and a network; a text that is no address gets none', async () => {
  const email = await emptied('eli')
  const browser = openBrowser(app.port, app.a)
  const signIn = await browser.open('/account/sign-in')
  for (let n = 0; n < 5; n++) assert.equal((await askForSignInCode(browser, signIn, email)).status, 200)
  const full = await askForSignInCode(browser, signIn, email)
  assert.deepEqual([full.status, /Too many codes/.test(full.text)], [429, true])
  const unknown = await askForSignInCode(browser, signIn, 'eli')
  assert.deepEqual([unknown.status, /not an e-mail address/.test(unknown.text)], [400, true])
})

test('E-17 nobody returns to another site, and a long address is kept by the link too', async () => {
  const email = await emptied('dev')
  for (const evil of ['//evil.example', '/\\evil.example', 'https://evil.example']) {
    const count = mailsTo(email)
    const { browser, page } = await beginWithCode(app, email, evil)
    assert.doesNotMatch(page.text, /evil/)
    const done = await fillIn(browser, page, { code: await newestCode(mailbox, email, count + 1), return_to: evil })
    assert.match(done.text, /Hello, /)
  }
  const { priceId } = await sell(await app.actor('ada', { scopes: ['courses:read', 'courses:write'] }), 'Far away')
  const checkout = `/checkout?price=${priceId}${Array.from({ length: 18 }, () => `&price=${priceId}`).join('')}`
  const count = mailsTo(email)
  const { browser } = await beginWithCode(app, email, checkout)
  await newestCode(mailbox, email, count + 1)
  const button = await browser.open(await linkTo(mailbox, email, count + 1))
  const reply = await post(app.port, browser, ACCOUNT, listFields(parseForm(button)))
  assert.equal(reply.headers.location, checkout)
})

test('who is signed in already goes on, and a code of somebody else signs nobody out', async () => {
  const email = await emptied('dev')
  const count = mailsTo(email)
  const { browser, page } = await beginWithCode(app, email)
  const code = await newestCode(mailbox, email, count + 1)
  await fillIn(browser, await browser.open('/account/sign-in'), {
    email: people.eli.email,
    password: PASSWORD,
  })
  const before = readSession(browser)
  assert.ok((await fillIn(browser, page, { code })).text.includes(people.eli.email))
  assert.equal(readSession(browser), before)
  assert.ok((await browser.open(`${ACCOUNT}?code=${code}`)).text.includes(people.eli.email))
})

test('what the page of an order promises: who bought without a password comes back by a code, and is offered one', async () => {
  const email = 'hana@crumb.example'
  const ada = await app.actor('ada', { scopes: ['courses:read', 'courses:write'] })
  const free = await sell(ada, 'A free loaf', [{ payment_type: 'free', amount: 0 }])
  const { browser, page } = await look(app, [free.priceId])
  const codePage = await browser.submit(buyerForm(page), [
    ['email', email],
    ['name', 'Hana Sato'],
  ])
  const bought = await postOnce(app, browser, codeForm(codePage), { code: await newestCode(mailbox, email) })
  assert.equal(bought.status, 303)
  const [{ number } = assert.fail()] = await app.database.query<{ number: string }>(
    `select o.number from orders o join members m on m.school_id = o.school_id and m.id = o.member_id
     where o.school_id = $1 and m.email_folded = $2`,
    [app.a.id, email],
  )
  const order = `/account/orders/${number}`
  const again = openBrowser(app.port, app.a)
  const entered = await fillIn(again, await askForSignInCode(again, await again.open(order), email), {
    code: await newestCode(mailbox, email, 2),
  })
  assert.match(entered.text, /a code by mail signs you in/)
  const account = await again.open('/account')
  assert.match(account.text, /You have none: a code by mail signs you in/)
  const reset = await again.open('/account/password')
  assert.match(reset.text, new RegExp(`value="${email}"`))
  await changeRole(app.database.elsewhere(), app.a, email, 'lecturer')
  assert.match((await again.open('/account')).text, /Lecturers and staff need one/)
})

test('whoever does not stay signed in on a device does not by a code or its link either', async () => {
  const sessionLine = ({ headers }: TestReply): string =>
    (headers['set-cookie'] ?? []).find(one => one.includes('-session-')) ?? ''
  for (const isRemembered of [true, false])
    for (const way of ['code', 'link']) {
      const email = await emptied('femi')
      const count = mailsTo(email)
      const browser = openBrowser(app.port, app.a)
      const form = parseForm(await browser.open('/account/sign-in'))
      const typed = listFields(form, { email, way: 'code' }).filter(([name]) => name !== 'remember' || isRemembered)
      const asked = await post(app.port, browser, form.action, typed)
      const code = await newestCode(mailbox, email, count + 1)
      const at = way === 'code' ? (asked.headers.location ?? '') : await linkTo(mailbox, email)
      const fields = listFields(parseForm(await browser.open(at)), { code })
      const [entered, again] = [
        await post(app.port, browser, ACCOUNT, fields),
        await post(app.port, browser, ACCOUNT, fields),
      ]
      assert.match(sessionLine(entered), isRemembered ? /; Max-Age=7776000$/ : /; SameSite=Lax$/, way)
      assert.deepEqual(again.headers['set-cookie'], entered.headers['set-cookie'])
      const [row] = await app.database.query<{ hours: number }>(
        `select extract(epoch from s.expires_at - s.started_at)::integer / 3600 as hours from sessions s
         join members m on m.school_id = s.school_id and m.id = s.member_id
         where s.school_id = $1 and m.email = $2 and s.ended_at is null`,
        [app.a.id, email],
      )
      assert.equal(row?.hours, isRemembered ? 14 * 24 : 12, way)
    }
})

test('a form that was open in another tab during a sign-in leads on by its code button, and asks nobody else to come in', async () => {
  await app.database.query('delete from limits')
  const email = 'tabs@crumb.example'
  const browser = openBrowser(app.port, app.a)
  const address = `/account/sign-in?${new URLSearchParams({ return_to: COURSE })}`
  const [first, second] = [await browser.open(address), await browser.open(address)]
  const code = await askForSignInCode(browser, first, email)
  const named = await fillIn(browser, code, { code: await newestCode(mailbox, email) })
  await fillIn(browser, named, { name: 'Two Tabs' })
  assert.equal(await openSessions(email), 1)
  const mails = mailsTo(email)
  const onward = await askForSignInCode(browser, second, email)
  assert.match(onward.text, /<h1[^>]*>Sourdough from scratch/)
  assert.equal(onward.status, 200)
  const other = await post(
    app.port,
    browser,
    '/account/sign-in',
    listFields(parseForm(second), { email: people.dev.email, way: 'code' }),
  )
  assert.match(other.headers.location ?? '', /^\/account\/confirm/)
  assert.deepEqual([mailsTo(email), await openSessions(email)], [mails, 1])
})

test('the page of sign-in names the course to which one goes, and none that is not public', async () => {
  const say = async (to: string): Promise<string> => {
    const { text } = await openBrowser(app.port, app.a).open(
      `/account/sign-in?${new URLSearchParams({ return_to: to })}`,
    )
    return /<p class="onward">([^<]*)/.exec(text)?.[1] ?? ''
  }
  assert.equal(await say('/learn/sourdough-from-scratch'), 'After you sign in you go on to “Sourdough from scratch”.')
  assert.equal(await say(COURSE), 'After you sign in you go on to “Sourdough from scratch”.')
  const [draft] = await app.database.query<{ slug: string }>(
    `select slug from courses where school_id = $1 and status = 'draft' limit 1`,
    [app.a.id],
  )
  assert.ok(draft)
  for (const to of [`/courses/${draft.slug}`, '/courses/no-such-course', '/learn'])
    assert.equal(await say(to), 'Then you continue to the page that you opened.', to)
  assert.equal(await say('/account'), 'To see and change your account.')
})
