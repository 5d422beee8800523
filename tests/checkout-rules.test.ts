import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { sha256 } from '#src/kit/crypto.ts'
import { toId } from '#src/kit/ids.ts'
import { enterAccount, formTo } from '#testing/account-pages.ts'
import type { Actor } from '#testing/actor.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { type Browser, openBrowser } from '#testing/browser.ts'
import { buyerForm, codeForm, identify, look, postOnce } from '#testing/checkout.ts'
import { makeEvent } from '#testing/events.ts'
import type { TestReply } from '#testing/http.ts'
import { assertLedger } from '#testing/ledger.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { sellPlan } from '#testing/memberships.ts'
import { checkout, once, type Sold, sell } from '#testing/orders.ts'
import { newestCode } from '#testing/people.ts'
import { seller, sellProduct } from '#testing/products.ts'
import { sellingSettings } from '#testing/selling.ts'
import { until } from '#testing/until.ts'

let mailbox: Mailbox
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox.stop())
afterEach(() => assertLedger(app.database))

const SCOPES = ['courses:read', 'courses:write', 'coupons:read', 'coupons:write', 'members:read', 'orders:read']
const staff = (): Promise<Actor> => app.actor('ada', { scopes: SCOPES })

let sold: Promise<Sold> | undefined
const bread = async (): Promise<string> => {
  sold ??= staff().then(ada => sell(ada, 'Rye for beginners'))
  return (await sold).priceId
}

const readOrders = (email: string) =>
  app.database.query<{ number: string; status: string; total: string; billing: { country: string | null } }>(
    `select o.number, o.status, o.total, o.billing from orders o
     join members m on m.school_id = o.school_id and m.id = o.member_id
     where o.school_id = $1 and m.email_folded = $2 order by o.counter`,
    [app.a.id, email],
  )
const isMember = async (email: string): Promise<boolean> =>
  (
    await app.database.query(`select from members where school_id = $1 and email_folded = $2 and status = 'active'`, [
      app.a.id,
      email,
    ])
  ).length === 1

const begin = async (email: string, priceIds?: readonly string[], more: Readonly<Record<string, string>> = {}) => {
  const { browser, page } = await look(app, priceIds ?? [await bread()])
  const codePage = await identify(browser, page, { email, ...more })
  assert.equal(codePage.status, 200, codePage.text)
  return { browser, codePage }
}

const enter = (name: 'dev' | 'eli' | 'femi' | 'carla'): Promise<Browser> =>
  enterAccount({ port: app.port, school: app.a, email: people[name].email, password: PASSWORD })

const setMode = async (mode: string): Promise<void> => {
  await app.database.query('update schools set signup_mode = $1 where id = $2', [mode, app.a.id])
  await until(async () => {
    const { status, text } = await app.send({ path: '/account/sign-up' })
    return (status === 403 ? 'closed' : text.includes('by invitation') ? 'invite' : 'open') === mode
  }, `the sign-up mode ${mode}`)
}

const REFUSED_ADDRESSES = [
  '',
  'price=javascript:alert(1)',
  'price=//evil.example',
  'price=prc_',
  'price=%00',
  'price=%zz',
  'quantity=2',
]

test('an address that names no price is refused, and so are more than 20, before anything is looked up', async () => {
  const browser = openBrowser(app.port, app.a)
  for (const query of REFUSED_ADDRESSES) {
    const { status, text } = await browser.open(`/checkout?${query}`)
    assert.equal(status, 400, query)
    assert.doesNotMatch(text, /javascript|evil/)
  }
  for (const count of [21, 100]) {
    const reply = await look(app, Array<string>(count).fill(await bread()))
    assert.deepEqual([reply.page.status, /at most 20/.test(reply.page.text)], [400, true])
  }
  for (const quantity of ['0', '-1', '1.5', '1e9', '100', 'x'])
    assert.equal((await browser.open(`/checkout?price=${await bread()}&quantity=${quantity}`)).status, 400, quantity)
  const many = await browser.open(`/checkout?price=${await bread()}&quantity=2`)
  assert.match(many.text, /cannot be bought in this quantity/)
  const unknown = await browser.open('/checkout?price=prc_00000000000000000000000000')
  assert.deepEqual([unknown.status, /is not for sale/.test(unknown.text)], [200, true])
})

test('E-17 signing in comes back to the checkout, and to no other site', async () => {
  const { browser, page } = await look(app, [await bread()])
  const link = /href="(\/account\/sign-in\?[^"]*)"/.exec(page.text)?.[1] ?? ''
  assert.equal(new URL(link, 'http://x').searchParams.get('return_to'), `/checkout?price=${await bread()}`)
  const signIn = await browser.open(link)
  const back = await browser.submit(formTo(signIn, '/account/sign-in'), [
    ['email', people.dev.email],
    ['password', PASSWORD],
  ])
  assert.match(back.text, /You are signed in as Dev/)
  const evil = await browser.open(`/checkout?price=${await bread()}&return_to=//evil.example`)
  assert.doesNotMatch(evil.text, /evil/)
})

test('a member who is signed in orders at once, once for each page, and three orders wait at most', async () => {
  const browser = await enter('dev')
  const { page } = await look(app, [await bread()], browser)
  assert.doesNotMatch(page.text, /name="email"/)
  const replies = await Promise.all([1, 2].map(() => postOnce(app, browser, buyerForm(page))))
  const placed = `/checkout/${new Map(buyerForm(page).fields).get('id')}`
  for (const { status, headers } of replies) assert.deepEqual([status, headers.location], [303, placed])
  assert.equal((await readOrders(people.dev.email)).length, 1)
  const ada = await staff()
  for (const count of [1, 2, 3]) {
    const another = await sell(ada, `Another course ${count}`)
    const again = await look(app, [another.priceId], browser)
    const reply = await postOnce(app, browser, buyerForm(again.page))
    assert.equal(reply.status, count < 3 ? 303 : 400)
    if (count === 3) assert.match(reply.text, /Three orders of yours/)
  }
  assert.equal((await readOrders(people.dev.email)).length, 3)
})

const hasForm = ({ text }: TestReply): boolean => /action="[^"]*\/checkout\?/.test(text.replaceAll('method="get"', ''))

test('what an order that waits for payment has already is not offered a second time, and the page leads to the order', async () => {
  const ada = await seller(app, ['membership_plans:read', 'membership_plans:write'])
  const course = await sell(ada, 'Only once', [{ ...once(), enrollment_cap: 1 }])
  const product = await sellProduct(ada, { name: 'Only one book' })
  const plan = await sellPlan(ada, { name: 'Only one plan', plan_type: 'recurring' }, [
    { payment_type: 'subscription', amount: 900, interval: 'month' },
  ])
  const browser = await enter('femi')
  const femi = await app.actor('femi', { scopes: ['account:read', 'account:write'] })
  const priceIds = [course.priceId, toId('prc', product.priceId), plan.priceIds[0] ?? '']
  for (const priceId of priceIds) {
    const [one, other] = [await look(app, [priceId], browser), await look(app, [priceId], browser)]
    const replies = await Promise.all([one, other].map(({ page }) => postOnce(app, browser, buyerForm(page))))
    assert.deepEqual(replies.map(({ status }) => status).sort(), [303, 400], 'one of two pages at once orders')
    const waiting = (await readOrders(people.femi.email)).filter(({ status }) => status === 'pending')
    assert.equal(waiting.length, 1)
    const [order] = waiting
    const { page } = await look(app, [priceId], browser)
    assert.match(page.text, /is in an order of yours that waits for payment\./)
    assert.match(page.text, new RegExp(`href="[^"]*/account/orders/${order?.number}">Go to order ${order?.number}<`))
    assert.equal(hasForm(page), false, page.text)
    assert.doesNotMatch(page.text, /is sold out/, 'the seat is held by the own order')
    assert.match((await look(app, [priceId])).page.text, /name="email"|is sold out/, 'others see nothing of it')
    const { id } = (await femi.get(`/account/orders/number:${order?.number}`)).json
    assert.equal((await femi.write('DELETE', `/account/orders/${id}`)).status, 200)
    assert.ok(hasForm((await look(app, [priceId], browser)).page), 'what was canceled is offered again')
  }
})

test('a buyer who proves an address of somebody whose order waits gets no second one, and more tickets are sold', async () => {
  const femi = await app.actor('femi', { scopes: ['account:read', 'account:write'] })
  const rye = await sell(await staff(), 'Proven later')
  const { browser } = await begin(people.femi.email, [rye.priceId])
  const order = (await checkout(femi, [rye.priceId])).json
  const [mail] = await mailbox.waitFor(people.femi.email, 1, /purchase/)
  const link = new URL(/https?:\S+\/checkout\/\S+/.exec(mail?.email.text ?? '')?.[0] ?? '')
  const refused = await postOnce(app, browser, codeForm(await browser.open(`${link.pathname}${link.search}`)))
  assert.equal(refused.status, 400)
  assert.match(refused.text, /An order of yours with the same waits for payment\. Nothing was ordered now/)
  assert.equal((await femi.write('DELETE', `/account/orders/${order.id}`)).status, 200)
  const event = await makeEvent(app, await app.actor('ada', { scopes: ['events:read', 'events:write'] }), {}, [
    { name: 'Regular', amount: 700 },
  ])
  const signedIn = await enter('femi')
  const path = `/checkout?${new URLSearchParams({ price: event.priceId, occurrence: event.occurrenceId })}`
  assert.equal((await postOnce(app, signedIn, buyerForm(await signedIn.open(path)))).status, 303)
  const again = await signedIn.open(path)
  assert.match(again.text, /is in an order of yours that waits for payment\./)
  const asked = await postOnce(app, signedIn, buyerForm(again))
  assert.deepEqual(
    [asked.status, /one-more/.test(asked.text)],
    [400, true],
    'a second seat of the same date is asked about',
  )
  const [, name = ''] = /name="([^"]*one-more)"/.exec(asked.text) ?? []
  const wanted = { [name]: 'yes' }
  assert.equal((await postOnce(app, signedIn, buyerForm(asked), wanted)).status, 303, 'a ticket for somebody else')
})

test('a total that changed is shown with the old one, and is ordered only when it is confirmed', async () => {
  const set = sellingSettings(app)
  const email = 'changed@crumb.example'
  const { browser, codePage } = await begin(email)
  await set({
    tax: {
      mode: 'exclusive',
      rates: [{ country: '*', percent: '10', name: 'Tax' }],
      taxed_at: { online: 'school', in_person: 'place' },
    },
  })
  const code = await newestCode(mailbox, email)
  const changed = await browser.submit(codeForm(codePage), [['code', code]])
  assert.equal(changed.status, 400)
  assert.match(changed.text, /from €49\.00 to €53\.90/)
  assert.deepEqual([await isMember(email), await readOrders(email)], [false, []])
  const twice = await browser.submit(codeForm(codePage), [['code', code]])
  assert.match(twice.text, /from €49\.00 to €53\.90/, 'the form of the old total never orders')
  const reply = await postOnce(app, browser, codeForm(changed))
  assert.equal(reply.status, 303)
  assert.deepEqual(
    (await readOrders(email)).map(({ total }) => total),
    ['5390'],
  )
  await set({})
})

test('the tax of another country is shown before a code is sent, and the order has the country', async () => {
  const set = sellingSettings(app)
  const rates = [
    { country: 'PT', percent: '23', name: 'IVA' },
    { country: '*', percent: '0', name: 'VAT' },
  ]
  await set({ tax: { mode: 'exclusive', rates, taxed_at: { online: 'buyer', in_person: 'place' } } })
  const email = 'taxed@crumb.example'
  const { browser, page } = await look(app, [await bread()])
  assert.match(page.text, /<select id="country"/)
  const missing = await identify(browser, page, { email, country: '' })
  assert.match(missing.text, /choose your country/)
  const form = { ...buyerForm(missing), fields: buyerForm(missing).fields }
  const shown = await browser.submit(form, Object.entries({ email, name: 'Gil', country: 'PT' }))
  assert.match(shown.text, /from €49\.00 to €60\.27/)
  assert.equal((await app.database.query('select from mails where recipient = $1', [email])).length, 0)
  const wrong = await identify(browser, shown, { email, country: 'PT', tax_id: 'PT1' })
  assert.match(wrong.text, /tax id does not have the form/)
  const codePage = await identify(browser, shown, { email, country: 'PT' })
  await postOnce(app, browser, codeForm(codePage), { code: await newestCode(mailbox, email) })
  const [order] = await readOrders(email)
  assert.deepEqual([order?.total, order?.billing.country], ['6027', 'PT'])
  await set({})
})

test('the sentence about withdrawal is agreed to where the school wants it, and kept with the order', async () => {
  const set = sellingSettings(app)
  await set({ checkout: { withdrawal_waiver: { text: 'I begin at once.', required: true } } })
  const email = 'waiver@crumb.example'
  const { browser, page } = await look(app, [await bread()])
  assert.match(page.text, /I begin at once\./)
  const missing = await identify(browser, page, { email })
  assert.deepEqual([missing.status, /tick this box/.test(missing.text)], [400, true])
  const codePage = await identify(browser, page, { email, waive_withdrawal: 'yes' })
  await postOnce(app, browser, codeForm(codePage), { code: await newestCode(mailbox, email) })
  const [order] = await app.database.query<{ waiver: { text: string } }>(
    `select waiver from orders where school_id = $1 and email_folded = $2`,
    [app.a.id, email],
  )
  assert.equal(order?.waiver.text, 'I begin at once.')
  await set({})
})

test('a code in the address reduces the total, and one that stops to apply is not ordered without', async () => {
  const ada = await staff()
  const { json: coupon } = await ada.write('POST', '/coupons', { name: 'Ten', kind: 'percent', percent_off: '10' })
  await ada.write('POST', `/coupons/${coupon.id}/codes`, { code: 'RYE-TEN' })
  const browser = openBrowser(app.port, app.a)
  const unknown = await browser.open(`/checkout?price=${await bread()}&code=NOPE`)
  assert.match(unknown.text, /The code NOPE does not exist/)
  assert.doesNotMatch(buyerForm(unknown).action, /NOPE/)
  const page = await browser.open(`/checkout?price=${await bread()}&code=rye%20ten`)
  assert.match(page.text, /€44\.10/)
  const email = 'coded@crumb.example'
  const codePage = await identify(browser, page, { email })
  assert.equal((await ada.write('PATCH', `/coupons/${coupon.id}`, { active: false })).status, 200)
  const refused = await browser.submit(codeForm(codePage), [['code', await newestCode(mailbox, email)]])
  assert.match(refused.text, /cannot be used now/)
  assert.deepEqual([await isMember(email), await readOrders(email)], [false, []])
})

test('what is sold out, or the buyer has already, is left out with the reason and the next step', async () => {
  const ada = await staff()
  const free = await sell(ada, 'Already theirs', [{ payment_type: 'free', amount: 0 }])
  const browser = await enter('eli')
  const own = await look(app, [free.priceId], browser)
  const paid = await postOnce(app, browser, buyerForm(own.page))
  assert.equal(paid.status, 303)
  const { page } = await look(app, [free.priceId, await bread()], browser)
  assert.match(page.text, /Already theirs<\/bdi><\/strong> is yours already\. <a href="[^"]*\/account\/courses"/)
  assert.doesNotMatch(buyerForm(page).action, new RegExp(free.priceId))
})

test('a new code goes on with the same checkout, which is gone after an hour', async () => {
  const email = 'late@crumb.example'
  const { browser, codePage } = await begin(email)
  const first = await newestCode(mailbox, email)
  await app.moveClock(15 * 60 + 1)
  assert.equal((await browser.submit(codeForm(codePage), [['code', first]])).status, 400)
  const path = codeForm(codePage).action
  const sent = await browser.submit(formTo(codePage, `${path}/codes`), [])
  assert.match(sent.text, /sent a new e-mail/)
  const second = await newestCode(mailbox, email, 2)
  assert.equal((await postOnce(app, browser, codeForm(sent), { code: second })).status, 303)
  assert.equal((await readOrders(email)).length, 1)
  const slow = await begin('slow@crumb.example')
  await app.moveClock(3601)
  assert.equal((await slow.browser.open(codeForm(slow.codePage).action)).status, 404)
})

test('a school that is not open sells to members and the invited: strangers get the same page, and no e-mail', async () => {
  const email = 'stranger@crumb.example'
  const during = await begin('during@crumb.example')
  const code = await newestCode(mailbox, 'during@crumb.example')
  await setMode('closed')
  const closed = await postOnce(app, during.browser, codeForm(during.codePage), { code })
  assert.deepEqual([closed.status, /sells to its members/.test(closed.text)], [403, true])
  assert.deepEqual([await isMember('during@crumb.example'), closed.headers['set-cookie']], [false, undefined])
  const { page } = await look(app, [await bread()])
  assert.match(page.text, /sells to its members/)
  await begin(email)
  await app.database.query(
    `insert into members (school_id, id, email, email_folded, name, name_folded, role, status, created_at, updated_at)
     values ($1, gen_random_uuid(), $2, $2, 'Ida', 'ida', 'member', 'invited', stoa.now(), stoa.now())`,
    [app.a.id, 'invited@crumb.example'],
  )
  const { browser, codePage } = await begin('invited@crumb.example')
  const invited = await newestCode(mailbox, 'invited@crumb.example')
  assert.equal((await postOnce(app, browser, codeForm(codePage), { code: invited })).status, 303)
  assert.equal((await readOrders('invited@crumb.example')).length, 1)
  assert.equal((await app.database.query('select from mails where recipient = $1', [email])).length, 0)
  await setMode('open')
})

test('a network begins 100 checkouts an hour, and a browser without its cookie none', async () => {
  const { browser, page } = await look(app, [await bread()])
  const stranger = openBrowser(app.port, app.a)
  assert.equal((await postOnce(app, stranger, buyerForm(page), { email: 'x@crumb.example', name: 'X' })).status, 403)
  await app.database.query(
    `insert into limits (key, starts_at, ends_at, count) values ($1, stoa.now(), stoa.now() + interval '1 hour', 100)
     on conflict (key) do update set count = 100, ends_at = excluded.ends_at`,
    [sha256(`checkout:network\n${app.a.id}\n127.0.0.1`)],
  )
  const reply = await postOnce(app, browser, buyerForm(page), { email: 'many@crumb.example', name: 'M' })
  assert.equal(reply.status, 429)
  assert.ok(Number(reply.headers['retry-after']) > 0)
  assert.equal((await app.database.query('select from checkouts where email_folded like $1', ['many@%'])).length, 0)
})
