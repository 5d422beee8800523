// One thing: the pages of orders, without a worker: what they show they know from our own books or from the provider.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before } from 'node:test'
import { people } from '#src/demo/index.ts'
import { toId } from '#src/kit/ids.ts'
import { enterAccount, formTo, listFields, post } from '#testing/account-pages.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import type { Browser } from '#testing/browser.ts'
import type { TestReply } from '#testing/http.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { checkout, decide, once, performAsOperator, sell } from '#testing/orders.ts'
import { type OutsideProvider, startOutsideProvider } from '#testing/outside-provider.ts'
import { setProvider } from '#testing/payments.ts'
import { seller, sellProduct } from '#testing/products.ts'
import { sellingSettings } from '#testing/selling.ts'

const app = testApp()
let setting: Promise<void> | undefined
const setProviders = (): Promise<void> => {
  setting ??= setProvider(app, 'manual', { instructions: HOLDER }).then(() => setProvider(app, 'test', {}))
  return setting
}
const test = (title: string, work: () => Promise<void>): void =>
  ledgerTest(app)(title, async () => {
    await setProviders()
    await work()
  })
const settings = sellingSettings(app)
const IBAN = 'PT50000201231234567890154'
const HOLDER = { account_holder: 'Crumb & Crust, Lda.', iban: IBAN, text: 'Bank of Bread.\n\nOr pay at the door.' }

let outside: OutsideProvider
before(async () => {
  outside = await startOutsideProvider()
})
after(() => outside.stop())

const staff = () => app.actor('ada', { scopes: ['courses:read', 'courses:write', 'orders:read'] })
const buyer = (name: PersonName) => app.actor(name, { scopes: ['account:read', 'account:write', 'courses:read'] })
const enter = (name: PersonName) =>
  enterAccount({ port: app.port, school: app.a, email: people[name].email, password: PASSWORD })

type Placed = { readonly id: string; readonly number: string; readonly path: string }

/** Places an order through an app; returns it with the address of its page. */
const place = async (name: PersonName, priceIds: readonly string[], more = {}): Promise<Placed> => {
  const { status, json, text } = await checkout(await buyer(name), priceIds, more)
  assert.equal(status, 201, text)
  return { ...json, path: `/account/orders/${json.number}` }
}

let courses = 0
const createCourse = async (amount = 2500, more = {}) => {
  courses += 1
  return sell(await staff(), `Rye number ${courses}`, [{ ...once(amount), ...more }])
}
const placeOne = async (name: PersonName, amount = 2500) => place(name, [(await createCourse(amount)).priceId])

/** Chooses a way to pay on the page for it, and returns the answer without following a redirect to another page. */
const choose = async (browser: Browser, { path }: Placed, provider: string): Promise<TestReply> => {
  const form = formTo(await browser.open(`${path}/pay`), `${path}/pay`, { provider })
  return post(app.port, browser, `${path}/pay`, listFields(form))
}

/** Does something on the page of a test payment, as its buyer. */
const onPage = async (reply: TestReply, action: string): Promise<TestReply> => {
  const { pathname: path } = new URL(reply.headers.location ?? '')
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: app.a.baseUrl }
  return app.send({ method: 'POST', path, headers, body: `action=${action}` })
}

/** Cancels what a person has not paid, so that the next test may place orders. */
const cancelAll = async (name: PersonName): Promise<void> => {
  const actor = await buyer(name)
  const { data } = (await actor.get('/account/orders?status=pending')).json
  for (const { id } of data) await actor.write('DELETE', `/account/orders/${id}`)
}

const shows = (page: TestReply, ...parts: readonly (string | RegExp)[]): void => {
  for (const part of parts)
    assert.ok(typeof part === 'string' ? page.text.includes(part) : part.test(page.text), `${part} on: ${page.text}`)
}

test('the list says when there is nothing, then has every order with its state, total and next step, in pages', async () => {
  const eli = await enter('eli')
  shows(await eli.open('/account/orders'), /not bought anything yet/, 'href="/courses"')
  shows(await eli.open('/account'), 'href="/account/orders"')
  const { priceId } = await createCourse(2500)
  const actor = await buyer('eli')
  const placed: Placed[] = []
  for (let count = 0; count < 11; count++) {
    const order = await place('eli', [priceId])
    placed.push(order)
    if (count < 10) await actor.write('DELETE', `/account/orders/${order.id}`)
  }
  const page = await eli.open('/account/orders')
  shows(
    page,
    /Rye number \d+/,
    '€25.00',
    'Waiting for payment',
    'Canceled',
    `href="${placed[10]?.path}/pay">Pay €25.00`,
  )
  const [, next = ''] = /href="([^"]*cursor=[^"]*)"[^>]*>Older orders/.exec(page.text) ?? []
  const older = await eli.open(next.replaceAll('&amp;', '&'))
  shows(older, `href="${placed[0]?.path}"`, 'Newest orders')
  assert.doesNotMatch(older.text, /Older orders/)
  const away = await app.send({ path: '/account/orders', headers: { accept: 'text/html' } })
  assert.equal(away.headers.location, '/account/sign-in?return_to=%2Faccount%2Forders')
  await cancelAll('eli')
})

test('an order that waits for payment says until when it is kept and which app asked, and can be canceled once', async () => {
  const femi = await enter('femi')
  const { id, priceId } = await createCourse(2500, { enrollment_cap: 1 })
  const order = await place('femi', [priceId])
  const page = await femi.open(order.path)
  shows(page, 'Waiting for payment', /kept for you until \d/, `href="${order.path}/pay">Pay €25.00`)
  shows(page, /Requested by the app<\/dt><dd><bdi>[^<]+</)
  // Nothing is under way, so the page does not look again.
  assert.equal(page.headers.refresh, undefined)
  const form = formTo(page, order.path, { act: 'cancel' })
  shows(await femi.submit(form, []), 'The order was canceled', 'You canceled this order')
  const left = (await (await staff()).get(`/courses/${id}/prices`)).json.data[0].seats_left
  assert.equal(left, 1)
  // Canceled twice is canceled.
  shows(await femi.submit(form, []), 'You canceled this order')
  const late = await femi.open(`${order.path}/pay`)
  shows(late, 'You canceled this order')
})

test('I-09 what the query says changes nothing, and the order of somebody else is like one that does not exist', async () => {
  const [femi, eli] = [await enter('femi'), await enter('eli')]
  const order = await placeOne('femi')
  const lied = await femi.open(`${order.path}?status=paid&paid=1&redirect_status=succeeded&again=-1&done=paid`)
  shows(lied, 'Waiting for payment')
  assert.doesNotMatch(lied.text, /Thank you/)
  for (const path of [order.path, `${order.path}/pay`, `${order.path}/billing`]) {
    const foreign = await eli.open(path)
    const unknown = await eli.open(path.replace(order.number, 'ORD-999999'))
    assert.deepEqual([foreign.status, unknown.status], [404, 404])
    const plain = ({ text }: TestReply) => text.replace(/name="token" value="[^"]*"/, '')
    assert.equal(plain(foreign), plain(unknown))
    shows(foreign, 'There is no order with this number', people.eli.email, 'action="/account/sign-out"')
  }
  for (const number of ['%00', 'ord-1', '..%2f', "'--", 'A'.repeat(41)])
    assert.equal((await eli.open(`/account/orders/${number}`)).status, 404, number)
  const stranger = await app.send({ path: `${order.path}/pay`, headers: { accept: 'text/html' } })
  const back = encodeURIComponent(`${order.path}/pay`)
  assert.equal(stranger.headers.location, `/account/sign-in?return_to=${back}`)
  await cancelAll('femi')
})

test('a test payment in two tabs opens one page, and the order is paid without a webhook', async () => {
  const femi = await enter('femi')
  const { course, order } = await (async () => {
    const course = await createCourse()
    return { course, order: await place('femi', [course.priceId]) }
  })()
  const methods = await femi.open(`${order.path}/pay`)
  shows(methods, 'TEST payment', 'Bank transfer', 'Pay €25.00 as a TEST')
  assert.doesNotMatch(String(methods.headers['content-security-policy']), /form-action/)
  const [one, other] = await Promise.all([choose(femi, order, 'test'), choose(femi, order, 'test')])
  assert.deepEqual([one.status, other.status], [303, 303])
  assert.equal(one.headers.location, other.headers.location)
  assert.match(one.headers.location ?? '', /\/test-payments\/test_\w+$/)
  const waiting = await femi.open(order.path)
  shows(waiting, 'TEST: no money moves', 'looks again by itself', 'Try to pay again')
  assert.equal(waiting.headers.refresh, '3; url=?again=1')
  assert.equal((await femi.open(`${order.path}?again=19`)).headers.refresh, '3; url=?again=20')
  const tired = await femi.open(`${order.path}?again=20`)
  assert.equal(tired.headers.refresh, undefined)
  shows(tired, /<a class="button" href="[^"]*">Look again/)
  const back = await onPage(one, 'pay')
  assert.equal(back.headers.location, `${app.a.siteOrigin}${order.path}`)
  // It was asked just now, and is asked again after five seconds.
  shows(await femi.open(order.path), 'Waiting for payment')
  await app.moveClock(6)
  const paid = await femi.open(order.path)
  shows(paid, 'Thank you', 'TEST: no money moves', /Paid with<\/dt><dd>A test payment</)
  const { slug } = (await (await staff()).get(`/courses/${course.id}`)).json
  shows(paid, `href="/learn/${slug}?start=" aria-label="Start: `)
  assert.equal(paid.headers.refresh, undefined)
  const late = await post(app.port, femi, `${order.path}/pay`, listFields(formTo(methods, `${order.path}/pay`)))
  assert.deepEqual([late.status, late.headers.location], [303, order.path])
  assert.equal((await femi.open(`${order.path}/pay`)).text.includes('How would you like to pay'), false)
})

test('a declined payment says so and may be tried again; one that failed gives everything back and can be paid anew', async () => {
  const femi = await enter('femi')
  const order = await placeOne('femi')
  const first = await choose(femi, order, 'test')
  await onPage(first, 'decline')
  shows(await femi.open(order.path), 'Your last attempt was declined', 'You can try again', 'Try to pay again')
  await onPage(first, 'decline_finally')
  await app.moveClock(6)
  const failed = await femi.open(order.path)
  shows(failed, 'Payment failed', 'nothing was charged', 'Choose another card', `href="${order.path}/pay"`)
  assert.equal(failed.headers.refresh, undefined)
  const second = await choose(femi, order, 'test')
  assert.notEqual(second.headers.location, first.headers.location)
  await onPage(second, 'take_long')
  shows(await femi.open(order.path), 'Payment on its way', 'This can take some days')
  assert.equal((await femi.open(order.path)).headers.refresh, '3; url=?again=1')
  shows(await femi.open(`${order.path}/pay`), 'Payment on its way')
  await onPage(second, 'complete')
  await app.moveClock(6)
  shows(await femi.open(order.path), 'Thank you')
})

test('a bank transfer shows what to transfer, and what the school confirms', async () => {
  const femi = await enter('femi')
  const order = await placeOne('femi', 123_456)
  const chosen = await choose(femi, order, 'manual')
  assert.deepEqual([chosen.status, chosen.headers.location], [303, order.path])
  const page = await femi.open(order.path)
  const groups = IBAN.match(/.{1,4}/g)?.map(group => `<span>${group}</span>`) ?? []
  shows(page, 'Crumb &amp; Crust, Lda.', groups.join(''), `<span class="copy">${order.number}</span>`, '€1,234.56')
  shows(page, 'Bank of Bread.', 'Or pay at the door.', 'Pay in another way')
  shows(page, 'you get a mail')
  // It takes days, so the page does not look again by itself.
  assert.equal(page.headers.refresh, undefined)
  assert.doesNotMatch(page.text, /looks again/)
  shows(await femi.open(`${order.path}/pay`), 'You chose to pay by transfer')
  shows(await femi.open('/account/orders'), `href="${order.path}">Pay €1,234.56`)
  await decide(app, 'confirmPayment', order.id, { amount: 100_000 })
  shows(await femi.open(order.path), '€1,000.00 of €1,234.56 has arrived. €234.56 is missing.', /class="copy">€234.56</)
  await decide(app, 'confirmPayment', order.id, {})
  shows(await femi.open(order.path), 'Thank you')
  await decide(app, 'refundOrder', order.id, { amount: 23_456, reason: 'requested' })
  const partial = await femi.open(order.path)
  shows(partial, 'Partially refunded', '€234.56 of €1,234.56', /€234\.56, (?:on its way|paid back)/, 'Start')
  await decide(app, 'refundOrder', order.id, { reason: 'requested' })
  const refunded = await femi.open(order.path)
  shows(refunded, 'All that you paid', 'You can no longer use this')
  assert.doesNotMatch(refunded.text, /\/learn\//)
  const bare = await placeOne('femi')
  const untold = { account_holder: null, iban: null, text: null }
  await setProvider(app, 'manual', { instructions: { ...untold, text: 'Ring the bell at the counter.' } })
  try {
    shows(await femi.open(`${bare.path}/pay`), 'Pay the school')
    await choose(femi, bare, 'manual')
    shows(await femi.open(bare.path), 'Ring the bell at the counter.')
    await setProvider(app, 'manual', { instructions: untold })
    assert.doesNotMatch(
      (await femi.open(`${bare.path}/pay`)).text,
      /value="manual"/,
      'who is told nothing cannot pay so',
    )
  } finally {
    await setProvider(app, 'manual', { instructions: HOLDER })
    await cancelAll('femi')
  }
})

test('a way to pay that the school switched off, an order that ended and an unknown way change nothing', async () => {
  const femi = await enter('femi')
  const order = await placeOne('femi')
  const form = formTo(await femi.open(`${order.path}/pay`), `${order.path}/pay`, { provider: 'test' })
  await setProvider(app, 'test')
  try {
    const refused = await femi.submit(form, [])
    assert.equal(refused.status, 409)
    shows(refused, 'does not accept payments in this way any more', 'Bank transfer')
    assert.doesNotMatch(refused.text, /TEST payment/)
  } finally {
    await setProvider(app, 'test', {})
  }
  for (const provider of ['', 'free', 'paypal', 'outside'])
    shows(await femi.submit(form, [['provider', provider]]), 'How would you like to pay')
  await (await buyer('femi')).write('DELETE', `/account/orders/${order.id}`)
  shows(await femi.submit(form, []), 'You canceled this order')
})

test('a provider that cannot be reached is said, and nothing is lost: the same payment is begun again', async () => {
  const femi = await enter('femi')
  await setProvider(app, 'outside', { secrets: outside.secrets })
  try {
    const order = await placeOne('femi')
    outside.fail('pages', 'error')
    const failed = await choose(femi, order, 'outside')
    assert.deepEqual([failed.status, failed.headers['retry-after']], [503, '5'])
    shows(failed, 'does not answer at the moment', 'Nothing was charged', 'Card and more')
    shows(await femi.open(order.path), 'Waiting for payment')
    const begun = await choose(femi, order, 'outside')
    assert.match(begun.headers.location ?? '', /^https:\/\/outside\.example\/pay\/out_/)
    const { payments } = (await (await buyer('femi')).get(`/account/orders/${order.id}`)).json
    assert.deepEqual(
      payments.map(({ state, provider }: Record<string, string>) => [state, provider]),
      [['open', 'outside']],
    )
    assert.deepEqual(outside.effects, [`page ${payments[0].id}`])
  } finally {
    await setProvider(app, 'outside')
    await cancelAll('femi')
  }
})

test('a page that has ended is replaced by a new one, and an order that is sold out meanwhile cannot be paid again', async () => {
  const femi = await enter('femi')
  const { id, priceId } = await createCourse(2500, { enrollment_cap: 1 })
  const order = await place('femi', [priceId])
  const first = await choose(femi, order, 'test')
  await app.moveClock(20 * 60)
  assert.equal((await choose(femi, order, 'test')).headers.location, first.headers.location)
  await app.moveClock(15 * 60)
  const second = await choose(femi, order, 'test')
  assert.equal(second.status, 303)
  assert.notEqual(second.headers.location, first.headers.location)
  await onPage(second, 'decline_finally')
  await app.moveClock(6)
  shows(await femi.open(order.path), 'Payment failed')
  const dev = await buyer('dev')
  const taken = await checkout(dev, [priceId])
  assert.equal(taken.status, 201, taken.text)
  const refused = await choose(femi, order, 'test')
  assert.equal(refused.status, 409)
  shows(refused, 'sold out by now')
  await dev.write('DELETE', `/account/orders/${taken.json.id}`)
  assert.ok(id)
})

test('what costs nothing is paid already; products lead to the downloads, and somebody without a password may choose one', async () => {
  const femi = await enter('femi')
  const product = await sellProduct(await seller(app), { name: 'Book of crusts' })
  const course = await createCourse(0, { payment_type: 'free', amount: 0 })
  const order = await place('femi', [course.priceId])
  const free = await femi.open(`${order.path}/pay`)
  shows(free, 'Thank you', 'Start', '€0.00')
  assert.doesNotMatch(free.text, /Set the password/)
  const bought = await place('femi', [toId('prc', product.priceId)])
  await choose(femi, bought, 'manual')
  await decide(app, 'confirmPayment', bought.id, {})
  const { query } = app.database
  const mine = `member_id = (select id from members where school_id = $1 and email = $2) and school_id = $1`
  const [credential] = await query<{ secret: string }>(`select secret from credentials where ${mine}`, [
    app.a.id,
    people.femi.email,
  ])
  await query(`delete from credentials where ${mine}`, [app.a.id, people.femi.email])
  const page = await femi.open(bought.path)
  shows(
    page,
    'href="/account/downloads" aria-label="Download: Book of crusts"',
    'href="/account/reset">Set the password',
  )
  await query(
    `insert into credentials (school_id, member_id, kind, secret, created_at, updated_at)
     select school_id, id, 'password', $3, stoa.now(), stoa.now() from members where school_id = $1 and email = $2`,
    [app.a.id, people.femi.email, credential?.secret],
  )
})

test('the billing changes before payment, unless it is wrong or would change the tax', async () => {
  const femi = await enter('femi')
  await settings({
    legal: {
      name: 'Crumb',
      address: { line1: 'Rua 1', line2: null, region: null, postal_code: '4000-001', city: 'Porto', country: 'PT' },
    },
    tax: {
      mode: 'inclusive',
      rates: [
        { country: 'PT', percent: '23', name: 'IVA' },
        { country: 'ES', percent: '21', name: 'IVA' },
      ],
      taxed_at: { online: 'buyer', in_person: 'school' },
      reverse_charge: true,
    },
  })
  try {
    const { priceId } = await createCourse()
    const order = await place('femi', [priceId], { billing: { country: 'PT' } })
    shows(await femi.open(order.path), 'Includes €4.67 of tax (23%)', `href="${order.path}/billing">Change`)
    const open = async () => formTo(await femi.open(`${order.path}/billing`), `${order.path}/billing`)
    const company = 'Padaria <b>Duarte</b>, Lda.'
    const saved = await femi.submit(await open(), [
      ['company', company],
      ['country', 'PT'],
      ['line1', 'Rua das Flores 7'],
      ['postal_code', '4050-262'],
      ['city', 'Porto'],
    ])
    shows(saved, 'The billing was changed', 'Padaria &lt;b&gt;Duarte&lt;/b&gt;', '4050-262 Porto', 'Portugal')
    const other = await femi.submit(await open(), [['country', 'ES']])
    assert.equal(other.status, 409)
    shows(other, 'would be taxed differently')
    const wrong = await femi.submit(await open(), [
      ['country', 'XX'],
      ['line1', ''],
      ['name', 'x'.repeat(200)],
    ])
    assert.equal(wrong.status, 422)
    shows(wrong, /Nothing was saved\. Please check: [^<]*Name/)
    await choose(femi, order, 'manual')
    await decide(app, 'confirmPayment', order.id, {})
    shows(await femi.submit(await open().catch(() => formTo(saved, order.path)), []), /Paid|Thank you/)
    shows(await femi.open(`${order.path}/billing`), 'Thank you')
  } finally {
    await app.database.query('delete from school_selling where school_id = $1', [app.a.id])
  }
})

test('the pages of orders are in Portuguese too', async () => {
  const femi = await enter('femi')
  const order = await placeOne('femi')
  const headers = { 'accept-language': 'pt' }
  shows(await femi.open(order.path, headers), 'À espera de pagamento', 'Pagar 25,00')
  shows(await femi.open(`${order.path}/pay`, headers), 'Como gostaria de pagar?', 'Transferência bancária')
  shows(await femi.open('/account/orders', headers), 'As suas encomendas')
  shows(await femi.open(`${order.path}/billing`, headers), 'Código postal')
  await cancelAll('femi')
})

test('an order that staff recorded names no app and has what it gave', async () => {
  const dev = await enter('dev')
  const { priceId } = await createCourse()
  const [row] = await app.database.query<{ id: string }>('select id from members where school_id = $1 and email = $2', [
    app.a.id,
    people.dev.email,
  ])
  await performAsOperator(app, {
    operation: 'recordOutsideOrder',
    params: { member_id: toId('mem', row?.id ?? randomUUID()) },
    body: { items: [{ price_id: priceId }] },
  })
  const [, path = ''] = /href="(\/account\/orders\/[A-Z0-9-]+)"/.exec((await dev.open('/account/orders')).text) ?? []
  const page = await dev.open(path)
  shows(page, 'Thank you', 'Start')
  assert.doesNotMatch(page.text, /Requested by the app/)
})
