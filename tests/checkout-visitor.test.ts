import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { fromId } from '#src/kit/ids.ts'
import { readSession } from '#testing/account-pages.ts'
import { testApp } from '#testing/app.ts'
import { openBrowser } from '#testing/browser.ts'
import { buyerForm, codeForm, identify, look, postOnce } from '#testing/checkout.ts'
import { approveAs } from '#testing/confirming.ts'
import { inDays } from '#testing/events.ts'
import { assertLedger } from '#testing/ledger.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { once, type Sold, sell } from '#testing/orders.ts'
import { newestCode } from '#testing/people.ts'
import { sellingSettings } from '#testing/selling.ts'
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
afterEach(() => assertLedger(app.database))

const SCOPES = ['courses:read', 'courses:write', 'members:read', 'orders:read', 'school:read']
const staff = () => app.actor('ada', { scopes: SCOPES })

let sold: Promise<Sold> | undefined
const bread = async (): Promise<string> => {
  sold ??= staff().then(ada => sell(ada, 'Rye for beginners'))
  return (await sold).priceId
}

const readOrders = (email: string) =>
  app.database.query<{ number: string; status: string; total: string; page: string }>(
    `select o.number, o.status, o.total, o.page from orders o join members m on m.school_id = o.school_id and m.id = o.member_id
     where o.school_id = $1 and m.email_folded = $2 order by o.counter`,
    [app.a.id, email],
  )
const membersWith = (email: string) =>
  app.database.query<{ status: string; email_verified: boolean; name: string }>(
    'select status, email_verified, name from members where school_id = $1 and email_folded = $2',
    [app.a.id, email],
  )

const begin = async (email: string, priceIds?: readonly string[]) => {
  const { browser, page } = await look(app, priceIds ?? [await bread()])
  assert.equal(page.status, 200, page.text)
  const codePage = await identify(browser, page, { email })
  assert.equal(codePage.status, 200, codePage.text)
  return { browser, page, codePage }
}

test('a stranger looks, says who they are, proves it with one code, and has an account, a session and an order', async () => {
  const email = 'hana@crumb.example'
  const { browser, page, codePage } = await begin(email)
  assert.match(page.text, /Rye for beginners/)
  assert.match(page.text, /€49\.00/)
  assert.match(codePage.text, /six-digit code/)
  assert.deepEqual([await membersWith(email), await readOrders(email), readSession(browser)], [[], [], undefined])
  const wrong = await browser.submit(codeForm(codePage), [['code', '000000']])
  assert.equal(wrong.status, 400)
  const reply = await postOnce(app, browser, codeForm(codePage), { code: await newestCode(mailbox, email) })
  const [order] = await readOrders(email)
  assert.deepEqual([order?.status, order?.total, order?.page], ['pending', '4900', '/checkout'])
  assert.equal(reply.status, 303)
  assert.equal(reply.headers.location, codeForm(codePage).action)
  assert.deepEqual(await membersWith(email), [{ status: 'active', email_verified: true, name: 'Gil Tavares' }])
  const credentials = await app.database.query(
    `select from credentials c join members m on m.school_id = c.school_id and m.id = c.member_id where m.email = $1`,
    [email],
  )
  assert.equal(credentials.length, 0)
})

test('what is free is had at once, after the same proof', async () => {
  const ada = await app.actor('ada', { scopes: [...SCOPES, 'curriculum:read', 'curriculum:write'] })
  const free = await sell(ada, 'A free loaf', [{ payment_type: 'free', amount: 0 }])
  const { json: section } = await ada.write('POST', `/courses/${free.id}/sections`, { name: 'Start' })
  const live = { type: 'live', status: 'published', time_zone: 'Europe/Lisbon' }
  for (const [name, days] of [
    ['Bake together', 3],
    ['Baked before', -3],
  ] as const) {
    const { local } = await inDays(app, days)
    const lesson = await ada.write('POST', `/sections/${section.id}/lessons`, { ...live, name, starts_at_local: local })
    assert.equal(lesson.status, 201, lesson.text)
  }
  const email = 'free@crumb.example'
  const { browser, codePage } = await begin(email, [free.priceId])
  // One page says what is open now, what comes by mail, and how to sign in the next time.
  const { text } = await browser.submit(codeForm(codePage), [['code', await newestCode(mailbox, email)]])
  const [order] = await readOrders(email)
  assert.deepEqual([order?.status, order?.total], ['paid', '0'])
  assert.match(text, /aria-label="Start: A free loaf/)
  assert.match(text, /<header class="site-header">/, 'the buyer is signed in, and sees it')
  assert.match(text, /Next dates[\s\S]*Bake together<\/bdi><\/a><br><time class="quiet" datetime="[^"]+">\w+, /)
  assert.doesNotMatch(text, /Baked before/)
  assert.match(text, /A mail with all of this comes to free@crumb\.example/)
  assert.match(text, /a code by mail signs you in\. <a href="\/account\/reset">/)
})

test('the code form posted twice opens one session and places one order', async () => {
  const email = 'twice@crumb.example'
  const { browser, codePage } = await begin(email)
  const code = await newestCode(mailbox, email)
  const replies = await Promise.all([1, 2].map(() => postOnce(app, browser, codeForm(codePage), { code })))
  const later = await postOnce(app, browser, codeForm(codePage), { code })
  const places = [...replies, later].map(({ status, headers }) => [status, headers.location, headers['set-cookie']])
  assert.deepEqual(places, [places[0], places[0], places[0]])
  assert.equal(places[0]?.[0], 303)
  assert.equal((await readOrders(email)).length, 1)
  const wrong = await postOnce(app, browser, codeForm(codePage), { code: '123456' })
  assert.deepEqual([wrong.status, wrong.headers['set-cookie']], [303, undefined])
})

test('the first form posted twice sends one code', async () => {
  const email = 'again@crumb.example'
  const { browser, page } = await begin(email)
  await identify(browser, page, { email })
  await newestCode(mailbox, email)
  const rows = await app.database.query('select from checkouts where email_folded = $1', [email])
  const mails = await app.database.query('select from mails where recipient = $1', [email])
  assert.deepEqual([rows.length, mails.length], [1, 1])
})

test('a code works in its own browser only, and for its own checkout only', async () => {
  const email = 'bound@crumb.example'
  const { codePage } = await begin(email)
  const code = await newestCode(mailbox, email)
  const thief = openBrowser(app.port, app.a)
  assert.equal((await thief.open(codeForm(codePage).action)).status, 404)
  await look(app, [await bread()], thief)
  assert.equal((await thief.submit(codeForm(codePage), [['code', code]])).status, 403)
  const own = await identify(thief, (await look(app, [await bread()], thief)).page, { email: 'thief@crumb.example' })
  assert.equal((await thief.submit(codeForm(own), [['code', code]])).status, 400)
  assert.deepEqual([await membersWith(email), await readOrders(email)], [[], []])
})

test('two tabs of a browser have a checkout each, and each places one order at most', async () => {
  const email = 'tabs@crumb.example'
  const rye = await sell(await staff(), 'Second tab', [once(1200)])
  const first = await begin(email)
  const second = await identify(first.browser, (await look(app, [rye.priceId], first.browser)).page, { email })
  const rows = await app.database.query<{ total: string }>(
    'select total from checkouts where email_folded = $1 order by total',
    [email],
  )
  assert.deepEqual(
    rows.map(({ total }) => total),
    ['1200', '4900'],
  )
  const mails = await mailbox.waitFor(email, 2, /code/)
  const codes = mails.map(mail => /^\d{6}$/m.exec(mail.email.text ?? '')?.[0] ?? '')
  const [one = '', other = ''] = codes
  await postOnce(app, first.browser, codeForm(first.codePage), { code: one })
  // The address has an account now, so the right code of the other tab leads to a mail with a link.
  const late = await first.browser.submit(codeForm(second), [['code', other]])
  assert.match(late.text, /We have sent a new e-mail/)
  const [linked] = await mailbox.waitFor(email, 1, /purchase/)
  const link = new URL(/https?:\S+\/checkout\/\S+/.exec(linked?.email.text ?? '')?.[0] ?? '')
  const button = await first.browser.open(`${link.pathname}${link.search}`)
  await postOnce(app, first.browser, codeForm(button))
  assert.deepEqual((await readOrders(email)).map(({ total }) => total).sort(), ['1200', '4900'])
  assert.equal((await membersWith(email)).length, 1)
})

test('the agreement to the terms links to their page while anybody can read it', async () => {
  const ada = await app.actor('ada', { scopes: ['pages:read', 'pages:write'] })
  const { json } = await ada.write('POST', '/pages', { title: 'Terms of sale', path: '/terms-of-sale' })
  const set = sellingSettings(app)
  await set({ checkout: { terms_page_id: fromId('pag', json.id) } })
  const { browser, page: draft } = await look(app, [await bread()])
  assert.match(draft.text, /for="accept_terms">I agree to the terms of the school\.</)
  await ada.write('PUT', `/pages/${json.id}/publication`, {})
  const { page } = await look(app, [await bread()], browser)
  assert.match(page.text, /I agree to the <a href="\/terms-of-sale" target="_blank" rel="noopener">/)
  await set({})
})

const comparable = ({ status, headers, text }: Awaited<ReturnType<typeof postOnce>>, email: string) => {
  const { date: _date, 'x-request-id': _id, 'content-length': length, ...rest } = headers
  // The address itself is as long as it is.
  const shown = (text.split(email).length - 1) * email.length
  const hide = (value: string) =>
    value
      .replaceAll(email, '…')
      .replace(/chk_\w{26}/g, 'chk')
      .replace(/name="token" value="[^"]*"/g, '')
  return { status, length: Number(length) - shown, headers: JSON.parse(hide(JSON.stringify(rest))), text: hide(text) }
}

test('E-03 the address of a member, of staff, of somebody suspended and an unknown one get the same bytes from the same statements', async () => {
  const ada = await app.actor('ada', { scopes: ['members:read', 'members:write'] })
  const suspension = `/members/${(await ada.get(`/members?email=${people.carla.email}`)).json.data[0].id}/suspension`
  assert.equal((await ada.write('PUT', suspension, {})).status, 200)
  const seen: unknown[] = []
  for (const email of [people.eli.email, people.ben.email, people.carla.email, 'new@crumb.example']) {
    const { browser, page } = await look(app, [await bread()])
    statements.length = 0
    const posted = await postOnce(app, browser, buyerForm(page), { email, name: 'Eli' })
    const ran = statements.map(text => text.trim())
    const codePage = await browser.open(posted.headers.location ?? '')
    const wrong = await postOnce(app, browser, codeForm(codePage), { code: '000000' })
    seen.push([ran, comparable(posted, email), comparable(codePage, email), comparable(wrong, email)])
  }
  for (const one of seen) assert.deepEqual(one, seen[0])
  assert.ok((await ada.write('DELETE', suspension)).status < 300)
  const [mail] = await mailbox.waitFor(people.eli.email, 1, /purchase/)
  assert.doesNotMatch(mail?.email.text ?? '', /^\d{6}$/m)
})

// Somebody who was active, or suspended, and whom staff have deleted.
const deleted = async (email: string, isSuspended = false): Promise<string> => {
  const { browser, codePage } = await begin(email)
  await postOnce(app, browser, codeForm(codePage), { code: await newestCode(mailbox, email) })
  const ada = await app.actor('ada', { scopes: ['members:read', 'members:write'] })
  const id: string = (await ada.get(`/members?email=${email}`)).json.data[0].id
  if (isSuspended) assert.equal((await ada.write('PUT', `/members/${id}/suspension`, {})).status, 200)
  const asked = await ada.write('DELETE', `/members/${id}`)
  assert.equal(asked.status, 202, asked.text)
  await approveAs(app, 'ada', asked.json.confirmation.url)
  return fromId('mem', id) ?? assert.fail(id)
}

test('who was deleted has their account and its history again by buying with the code from the mail', async () => {
  const email = 'gone@crumb.example'
  const id = await deleted(email)
  const [first] = await readOrders(email)
  assert.equal(first?.status, 'canceled')
  const before = mailbox.arrived.filter(({ to }) => to.includes(email)).length
  const { browser, page } = await look(app, [await bread()])
  const posted = await postOnce(app, browser, buyerForm(page), { email, name: 'Gil' })
  const codePage = await browser.open(posted.headers.location ?? '')
  const stranger = await look(app, [await bread()])
  const other = await postOnce(app, stranger.browser, buyerForm(stranger.page), {
    email: 'anew@crumb.example',
    name: 'Gil',
  })
  assert.deepEqual(
    comparable(codePage, email),
    comparable(await stranger.browser.open(other.headers.location ?? ''), 'anew@crumb.example'),
  )
  await mailbox.waitFor(email, before + 1)
  const reply = await postOnce(app, browser, codeForm(codePage), { code: await newestCode(mailbox, email) })
  assert.equal(reply.status, 303, reply.text)
  assert.match(String(reply.headers['set-cookie']), /session/)
  const rows = await app.database.query<{ id: string; status: string }>(
    'select id, status from members where school_id = $1 and email_folded = $2',
    [app.a.id, email],
  )
  assert.deepEqual(rows, [{ id, status: 'active' }])
  const orders = await readOrders(email)
  assert.deepEqual(
    orders.map(({ status }) => status),
    ['canceled', 'pending'],
  )
})

test('who was suspended when they were deleted buys nothing as a visitor and gets no code', async () => {
  const email = 'barred@crumb.example'
  await deleted(email, true)
  const codes = () =>
    mailbox.arrived.filter(({ to, email: mail }) => to.includes(email) && /^\d{6}$/m.test(mail.text ?? '')).length
  const before = codes()
  const { codePage } = await begin(email)
  assert.match(codePage.text, /six-digit code/)
  // Mails are sent in their order.
  await begin('after-barred@crumb.example')
  await newestCode(mailbox, 'after-barred@crumb.example')
  assert.equal(codes(), before)
  const orders = await readOrders(email)
  assert.deepEqual(
    orders.map(({ status }) => status),
    ['canceled'],
  )
  assert.equal((await membersWith(email))[0]?.status, 'deleted')
})

test('a link signs a member in, in the browser in which it was asked for alone, and goes on', async () => {
  const { browser } = await begin(people.femi.email)
  const [mail] = await mailbox.waitFor(people.femi.email, 1, /purchase/)
  const link = /https?:\S+\/checkout\/\S+/.exec(mail?.email.text ?? '')?.[0] ?? ''
  const path = link.slice(app.a.baseUrl.length)
  const before = await readOrders(people.femi.email)
  assert.equal((await openBrowser(app.port, app.a).open(path)).status, 404)
  const page = await browser.open(path)
  assert.equal(page.status, 200)
  assert.match(page.text, /You have an account/)
  assert.equal((await readOrders(people.femi.email)).length, before.length, 'opening a link orders nothing')
  const reply = await postOnce(app, browser, codeForm(page))
  assert.equal(reply.status, 303)
  assert.equal(reply.headers.location, codeForm(page).action)
  assert.equal((await readOrders(people.femi.email)).length, before.length + 1)
  const amr = await app.database.query<{ amr: string[] }>(
    `select s.amr from sessions s join members m on m.school_id = s.school_id and m.id = s.member_id
     where m.email = $1 order by s.auth_time desc limit 1`,
    [people.femi.email],
  )
  assert.deepEqual(amr, [{ amr: ['otp'] }])
})

test('a mail alone opens no account of staff: their link leads to the sign-in', async () => {
  const { browser, codePage } = await begin(people.ada.email)
  const [mail] = await mailbox.waitFor(people.ada.email, 1, /purchase/)
  const text = mail?.email.text ?? ''
  assert.doesNotMatch(text, /key=/)
  assert.match(text, /\/account\/sign-in\?return_to=%2Fcheckout%3Fprice%3Dprc_/)
  assert.equal((await browser.submit(codeForm(codePage), [['code', 'a'.repeat(64)]])).status, 400)
})
