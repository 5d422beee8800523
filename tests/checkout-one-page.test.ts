// One thing: the form of the checkout, from what is typed to what is ordered and paid.
import assert from 'node:assert/strict'
import { after, afterEach, beforeEach, test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { fromId } from '#src/kit/ids.ts'
import { enterAccount, formTo, readSession } from '#testing/account-pages.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { type Browser, openBrowser, parseForm } from '#testing/browser.ts'
import { buyerForm, codeForm, identify, look, postOnce } from '#testing/checkout.ts'
import { eventScopes, makeEvent } from '#testing/events.ts'
import type { TestReply } from '#testing/http.ts'
import { assertLedger } from '#testing/ledger.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { sell } from '#testing/orders.ts'
import { pressOn } from '#testing/paying.ts'
import { newestCode } from '#testing/people.ts'
import { sellingSettings } from '#testing/selling.ts'
import { useProviders } from '#testing/subscriptions.ts'
import { until } from '#testing/until.ts'

let mailbox: Mailbox
const app = testApp({
  trustProxy: '127.0.0.1',
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
beforeEach(() => useProviders(app))
after(() => mailbox.stop())
afterEach(() => assertLedger(app.database))

const SCOPES = ['courses:read', 'courses:write', 'coupons:read', 'coupons:write', 'orders:read']
const staff = () => app.actor('ada', { scopes: SCOPES })

let count = 0
const bread = async (): Promise<string> => (await sell(await staff(), `Bread ${++count}`)).priceId

const enter = (name: 'dev' | 'eli' | 'femi'): Promise<Browser> =>
  enterAccount({ port: app.port, school: app.a, email: people[name].email, password: PASSWORD })

type Placed = { readonly number: string; readonly status: string; readonly payments: readonly string[] }

const readOrders = (priceId: string): Promise<Placed[]> =>
  app.database.query<Placed>(
    `select o.number, o.status, array(select p.provider from payments p where p.school_id = o.school_id and p.order_id = o.id
       order by p.created_at, p.id) as payments
     from orders o join order_lines l on l.school_id = o.school_id and l.order_id = o.id
     where o.school_id = $1 and l.price_id = $2 order by o.counter`,
    [app.a.id, fromId('prc', priceId)],
  )

const readValues = (page: TestReply): ReadonlyMap<string, string> => new Map(parseForm(page).fields)

const readPath = (page: TestReply): string => `/checkout/${new Map(buyerForm(page).fields).get('id')}`

// What follows a form that was posted: the page of the provider of test payments.
const expectPage = ({ status, headers, text }: TestReply): string => {
  assert.equal(status, 303, text)
  const { pathname } = new URL(headers.location ?? '', app.a.baseUrl)
  assert.match(pathname, /^\/test-payments\//)
  return pathname
}

// The result of a payment, as soon as the books have it.
const awaitResult = async (browser: Browser, path: string, words: RegExp): Promise<TestReply> => {
  let page = await browser.open(path)
  await until(async () => {
    page = await browser.open(path)
    return words.test(page.text)
  }, String(words))
  return page
}

const makeCode = async (code: string): Promise<void> => {
  const ada = await staff()
  const { json } = await ada.write('POST', '/coupons', { name: code, kind: 'percent', percent_off: '20' })
  assert.equal((await ada.write('POST', `/coupons/${json.id}/codes`, { code })).status, 200)
}

const withTax = {
  tax: {
    mode: 'inclusive',
    rates: [{ country: '*', percent: '10', name: 'Tax' }],
    taxed_at: { online: 'buyer', in_person: 'place' },
  },
}

test('acceptance case 7: a filled form with a code shows the new sum and all that was typed, and pays when it is sent again', async () => {
  const set = sellingSettings(app)
  await set(withTax)
  await makeCode('SUMMER20')
  const typed = { country: 'PT', company: 'Crumb, Lda.', tax_id: 'PT123456789', method: 'manual', code: 'summer20' }
  for (const isMember of [true, false]) {
    const priceId = await bread()
    const { browser, page } = await look(app, [priceId], isMember ? await enter('dev') : undefined)
    const person = isMember ? {} : { email: 'vera@crumb.example', name: 'Vera Lindqvist' }
    const first = await postOnce(app, browser, buyerForm(page), { ...typed, ...person })
    assert.equal(first.status, 400)
    assert.match(first.text, /from €49\.00 to €39\.20/)
    assert.match(first.text, />Pay €39\.20</)
    const shown = readValues(first)
    for (const [name, value] of Object.entries({ ...person, company: typed.company, tax_id: typed.tax_id, code: '' }))
      assert.equal(shown.get(name), value, name)
    assert.match(first.text, /<option value="PT" selected>/)
    assert.equal(shown.get('method'), 'manual')
    assert.match(buyerForm(first).action, /code=summer20/)
    assert.deepEqual(await readOrders(priceId), [])
    assert.deepEqual(await app.database.query('select from mails where recipient = $1', ['vera@crumb.example']), [])
    const again = await postOnce(app, browser, buyerForm(first), { country: 'PT', method: 'test' })
    if (isMember) expectPage(again)
    else {
      const codePage = await browser.open(again.headers.location ?? '')
      const code = await newestCode(mailbox, 'vera@crumb.example')
      expectPage(await postOnce(app, browser, codeForm(codePage), { code }))
    }
    const orders = await readOrders(priceId)
    assert.deepEqual(
      orders.map(({ status, payments }) => [status, payments]),
      [['pending', ['test']]],
    )
  }
  await set({})
})

test('a visitor pays in four pages, comes back to what our books say, and stays signed in', async () => {
  const email = 'four@crumb.example'
  const priceId = await bread()
  const { browser, page } = await look(app, [priceId])
  assert.equal(readValues(page).get('method'), 'test', 'pages of providers come first')
  const codePage = await identify(browser, page, { email })
  assert.equal(readSession(browser), undefined)
  const provider = expectPage(await browser.submit(codeForm(codePage), [['code', await newestCode(mailbox, email)]]))
  const waiting = await browser.open(codeForm(codePage).action)
  assert.match(waiting.text, /Waiting for payment/)
  const pressed = await app.send({
    method: 'POST',
    path: provider,
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: app.a.baseUrl },
    body: 'action=pay',
  })
  assert.equal(pressed.headers.location, `${app.a.siteOrigin}${codeForm(codePage).action}`)
  const [order] = await readOrders(priceId)
  const result = await awaitResult(browser, codeForm(codePage).action, /A test payment/)
  assert.match(result.text, new RegExp(`Order ${order?.number}`))
  assert.equal((await readOrders(priceId))[0]?.status, 'paid')
  assert.equal((await browser.open('/account')).status, 200)
})

test('a member pays in three pages, also when the form is sent twice at once and later', async () => {
  const priceId = await bread()
  const { browser, page } = await look(app, [priceId], await enter('eli'))
  assert.doesNotMatch(page.text, /name="email"/)
  const replies = await Promise.all([1, 2].map(() => postOnce(app, browser, buyerForm(page))))
  const pages = [...replies, await postOnce(app, browser, buyerForm(page))].map(expectPage)
  assert.deepEqual(pages, [pages[0], pages[0], pages[0]])
  const [order, ...others] = await readOrders(priceId)
  assert.deepEqual([order?.payments, others], [['test'], []])
  await pressOn(app, pages[0] ?? '', 'pay')
  await awaitResult(browser, readPath(page), /A test payment/)
  const later = await postOnce(app, browser, buyerForm(page))
  assert.deepEqual([later.status, later.headers.location], [303, readPath(page)])
  assert.equal((await readOrders(priceId)).length, 1)
})

test('the form of a code sent twice at once opens one session, and both replies lead to the same page of the provider', async () => {
  const email = 'both@crumb.example'
  const priceId = await bread()
  const { browser, page } = await look(app, [priceId])
  const codePage = await identify(browser, page, { email })
  const code = await newestCode(mailbox, email)
  const replies = await Promise.all([1, 2].map(() => postOnce(app, browser, codeForm(codePage), { code })))
  const later = await postOnce(app, browser, codeForm(codePage), { code })
  const led = [...replies, later].map(reply => [expectPage(reply), reply.headers['set-cookie']])
  assert.deepEqual(led, [led[0], led[0], led[0]])
  assert.deepEqual(
    (await readOrders(priceId)).map(({ payments }) => payments),
    [['test']],
  )
})

const makeDinner = async () =>
  makeEvent(
    app,
    await app.actor('ada', { scopes: eventScopes }),
    { questions: [{ id: 'diet', type: 'text', label: 'What do you not eat?', required: true }] },
    [{ name: 'Regular', amount: 700, max_per_order: 4 }],
  )

test('any other button shows the sum of what the form says now, keeps what was typed, and orders nothing', async () => {
  const event = await makeDinner()
  const browser = openBrowser(app.port, app.a)
  const page = await browser.open(`/checkout?price=${event.priceId}&occurrence=${event.occurrenceId}`)
  const [first = ''] = /<button[^>]*>/.exec(page.text) ?? []
  assert.match(first, /name="act" value="pay" formnovalidate/, 'Enter in a field presses the first button')
  const answer = `answer.${event.priceId}.diet`
  const typed = { email: 'not an address', name: 'Ida', [answer]: 'Walnuts', method: 'manual', code: 'NOPE' }
  const send = (shown: TestReply, fields: Record<string, string>) => postOnce(app, browser, buyerForm(shown), fields)
  const more = await send(page, { ...typed, act: 'update', [`quantity.${event.priceId}`]: '2' })
  assert.equal(more.status, 200)
  assert.match(more.text, />Pay €14\.00</)
  assert.match(more.text, /The code NOPE does not exist/)
  for (const [name, value] of Object.entries(typed)) assert.equal(readValues(more).get(name), value, name)
  const changed = await send(more, { code: '', email: 'ida@crumb.example', [`quantity.${event.priceId}`]: '3' })
  assert.equal(changed.status, 400, 'a choice that the shown sum does not contain is not paid')
  assert.match(changed.text, /from €14\.00 to €21\.00/)
  const tooMany = await send(changed, { act: 'update', [`quantity.${event.priceId}`]: '20' })
  assert.match(tooMany.text, /cannot be bought in this quantity/)
  assert.equal(readValues(tooMany).get(`quantity.${event.priceId}`), '3')
  assert.equal(readValues(tooMany).get(answer), 'Walnuts')
  const unanswered = await send(page, { email: 'ida@crumb.example', name: 'Ida' })
  assert.match(unanswered.text, /Please look at the questions below/)
  assert.deepEqual(await readOrders(event.priceId), [])
})

test('each field says what is wrong with it, and the notice above the form leads to every one of them', async () => {
  const set = sellingSettings(app)
  const address = { line1: 'Rua 1', line2: null, postal_code: null, city: 'Lisbon', region: null, country: 'PT' }
  const legal = { name: 'Crumb & Crust, Lda.', address }
  await set({
    ...withTax,
    legal,
    checkout: { withdrawal_waiver: { text: 'I want to begin at once.', required: true } },
  })
  const event = await makeDinner()
  const browser = openBrowser(app.port, app.a)
  const query = `price=${event.priceId}&occurrence=${event.occurrenceId}&price=${await bread()}`
  const page = await browser.open(`/checkout?${query}`)
  assert.doesNotMatch(page.text, /aria-invalid|field-error/)
  assert.match(page.text, /<p class="quiet">Sold by Crumb &amp; Crust, Lda\., Lisbon\.<\/p>/)
  const typed = { email: 'no address', name: '', country: 'PT', tax_id: 'nonsense', method: 'nothing-such' }
  const refused = await postOnce(app, browser, buyerForm(page), typed)
  assert.equal(refused.status, 400)
  const [, notice = ''] = /<p class="note" role="alert" id="complaint">(.*?)<\/p>/.exec(refused.text) ?? []
  const led = [...notice.matchAll(/href="#([^"]+)"/g)].map(([, id = '']) => id)
  const question = `field-${event.priceId}.diet-error`
  assert.deepEqual(led, ['email', 'name', question, 'method', 'tax_id', 'waive_withdrawal'])
  for (const id of led) assert.match(refused.text, new RegExp(` id="${id}"`), id)
  for (const name of ['email', 'name', 'tax_id', 'waive_withdrawal'])
    assert.match(
      refused.text,
      new RegExp(`<input[^>]* id="${name}"[^>]* aria-invalid="true" aria-describedby="${name}-error`),
      name,
    )
  for (const id of led.filter(one => one !== question))
    assert.match(refused.text, new RegExp(`<p class="field-error" id="${id}-error">`), id)
  assert.match(refused.text, /<details class="card" open>/, 'the fields of a company')
  const coded = await postOnce(app, browser, buyerForm(page), { code: 'NOPE', act: 'update' })
  assert.match(coded.text, /<a href="#code">The code NOPE does not exist/)
  assert.match(coded.text, /<input id="code"[^>]* aria-invalid="true" aria-describedby="code-error">/)
  assert.match(coded.text, /<p class="field-error" id="code-error">The code NOPE does not exist/)
  assert.deepEqual(await readOrders(event.priceId), [])
  await set({})
})

test('codes and items are removed by buttons of the same form', async () => {
  await makeCode('AWAY20')
  const [one, other] = [await bread(), await bread()]
  const browser = openBrowser(app.port, app.a)
  const page = await browser.open(`/checkout?price=${one}&price=${other}&code=AWAY20`)
  assert.match(page.text, />Pay €78\.40</)
  const form = { ...buyerForm(page), fields: buyerForm(page).fields.filter(([name]) => name !== 'act') }
  const typed = { email: 'remover@crumb.example', name: 'Remo' }
  const without = await postOnce(app, browser, form, { ...typed, remove_code: 'AWAY20' })
  assert.deepEqual([without.status, />Pay €98\.00</.test(without.text)], [200, true])
  const single = await postOnce(app, browser, form, { ...typed, remove_item: other })
  assert.match(single.text, />Pay €39\.20</)
  assert.deepEqual([readValues(single).get('email'), readValues(single).get('name')], [typed.email, typed.name])
})

test('whoever goes back from the page of the code finds the form as they sent it, in their browser alone', async () => {
  const { priceId, occurrenceId } = await makeDinner()
  const browser = openBrowser(app.port, app.a)
  const page = await browser.open(`/checkout?price=${priceId}&occurrence=${occurrenceId}`)
  const answer = { [`answer.${priceId}.diet`]: 'Walnuts', [`quantity.${priceId}`]: '1' }
  const person = { email: 'back@crumb.example', name: 'Bea Back', method: 'manual', ...answer }
  const codePage = await identify(browser, page, person)
  const back = /href="(\/checkout\?price=[^"]*checkout=chk_\w{26})"/.exec(codePage.text)?.[1]?.replaceAll('&amp;', '&')
  const form = await browser.open(back ?? assert.fail(codePage.text))
  for (const [name, value] of Object.entries(person)) assert.equal(readValues(form).get(name), value, name)
  const stranger = await openBrowser(app.port, app.a).open(back ?? '')
  assert.equal(stranger.status, 200)
  assert.doesNotMatch(stranger.text, /back@crumb|Bea Back|Walnuts/)
  // The same checkout goes on, with the code that was mailed.
  const again = await identify(browser, form, { ...person, method: 'test' })
  assert.equal(codeForm(again).action, codeForm(codePage).action)
  const code = await newestCode(mailbox, person.email)
  expectPage(await postOnce(app, browser, codeForm(again), { code }))
  assert.equal((await mailbox.waitFor(person.email, 1)).filter(({ email }) => /code/.test(email.text ?? '')).length, 1)
})

test('the page of a checkout that was used is that of its buyer, who pays again or cancels there', async () => {
  const priceId = await bread()
  const browser = await enter('dev')
  const { page } = await look(app, [priceId], browser)
  expectPage(await postOnce(app, browser, buyerForm(page)))
  const path = readPath(page)
  const [order] = await readOrders(priceId)
  assert.equal((await openBrowser(app.port, app.a).open(path)).status, 404)
  assert.equal((await (await enter('eli')).open(path)).status, 404)
  const elsewhere = await enter('dev')
  const own = await elsewhere.open(path)
  assert.equal(own.status, 200)
  assert.match(own.text, new RegExp(`href="/account/orders/${order?.number}/pay"`))
  const canceled = await elsewhere.submit(formTo(own, `/account/orders/${order?.number}`), [])
  assert.equal(canceled.status, 200, canceled.text)
  assert.equal((await readOrders(priceId))[0]?.status, 'canceled')
  assert.match((await browser.open(path)).text, /canceled/i)
})

test('what costs nothing asks for no way to pay, and a trial for one by which it is charged later', async () => {
  const ada = await staff()
  const free = await sell(ada, 'Nothing due', [{ payment_type: 'free', amount: 0 }])
  const trial = await sell(ada, 'Later due', [
    { payment_type: 'subscription', amount: 900, interval: 'month', trial_days: 7 },
  ])
  const browser = await enter('femi')
  const nothing = (await look(app, [free.priceId], browser)).page
  assert.doesNotMatch(nothing.text, /name="method"/)
  const had = await postOnce(app, browser, buyerForm(nothing))
  assert.deepEqual([had.status, had.headers.location], [303, readPath(nothing)])
  const later = (await look(app, [trial.priceId], browser)).page
  assert.match(later.text, /name="method" value="test" checked/)
  assert.doesNotMatch(later.text, /value="manual"/)
  expectPage(await postOnce(app, browser, buyerForm(later)))
  const monthly = await sell(ada, 'Monthly due', [{ payment_type: 'subscription', amount: 900, interval: 'month' }])
  expectPage(
    await postOnce(app, browser, buyerForm((await look(app, [monthly.priceId], browser)).page), { method: 'test' }),
  )
  const rows = await app.database.query<{ saves: boolean }>(
    `select p.saves from payments p join orders o on o.school_id = p.school_id and o.id = p.order_id
     where o.subscription_id is not null and p.provider = 'test'`,
  )
  assert.deepEqual(
    rows.map(({ saves }) => saves),
    [true, true],
  )
})

const OTHER_NETWORK = { 'x-forwarded-for': '203.0.113.7' }

test('acceptance case 15: twenty cards of twenty strangers from one network fail, each form asks for the code, and a buyer elsewhere notices nothing', async () => {
  const priceId = await bread()
  const buyFrom = async (email: string, headers: Readonly<Record<string, string>> = {}) => {
    const browser = openBrowser(app.port, app.a)
    const page = await browser.open(`/checkout?price=${priceId}`, headers)
    const fields = [['email', email] as const, ['name', 'Gil Tavares'] as const]
    const codePage = await browser.submit(buyerForm(page), fields, headers)
    assert.match(codePage.text, /We have sent an e-mail/, email)
    assert.equal(readSession(browser), undefined)
    return { browser, page, codePage }
  }
  for (let stranger = 1; stranger <= 20; stranger++) {
    const email = `card-${stranger}@crumb.example`
    const { browser, codePage } = await buyFrom(email)
    assert.equal((await readOrders(priceId)).length, stranger - 1, 'nothing is ordered before the code')
    const proven = await browser.submit(codeForm(codePage), [['code', await newestCode(mailbox, email)]])
    await pressOn(app, expectPage(proven), 'decline_finally')
  }
  await until(async () => (await readOrders(priceId)).every(({ status }) => status === 'failed'), 'every card failed')
  const last = await buyFrom('card-21@crumb.example')
  const elsewhere = await buyFrom('elsewhere@crumb.example', OTHER_NETWORK)
  assert.deepEqual([elsewhere.page.status, elsewhere.codePage.status], [last.page.status, last.codePage.status])
  const withoutSecrets = ({ text }: TestReply) =>
    text.replace(/name="token" value="[^"]+"|chk_\w{26}/g, '').replaceAll('card-21@', 'elsewhere@')
  assert.equal(withoutSecrets(elsewhere.page), withoutSecrets(last.page))
  assert.equal(withoutSecrets(elsewhere.codePage), withoutSecrets(last.codePage))
  const code = await newestCode(mailbox, 'elsewhere@crumb.example')
  const led = await elsewhere.browser.submit(codeForm(elsewhere.codePage), [['code', code]], OTHER_NETWORK)
  await pressOn(app, expectPage(led), 'pay')
  await awaitResult(elsewhere.browser, codeForm(elsewhere.codePage).action, /A test payment/)
})
