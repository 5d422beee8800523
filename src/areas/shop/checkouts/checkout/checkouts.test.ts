import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { sumOfRows } from '#testing/matrix.ts'
import { checkout, once, quote, sell } from '#testing/orders.ts'

const app = testApp()
const test = ledgerTest(app)

const SCOPES = ['courses:read', 'courses:write', 'students:write', 'members:read', 'orders:read', 'school:read']
const staff = () => app.actor('ada', { scopes: SCOPES })
const buyer = (name: 'dev' | 'eli' | 'femi' | 'carla' | 'ben' = 'femi') =>
  app.actor(name, { scopes: ['account:read', 'account:write', 'courses:read'] })

const cancel = async (actor: Actor, id: string) =>
  assert.equal((await actor.write('DELETE', `/account/orders/${id}`)).status, 200)

const listErrors = (json: { errors: { pointer: string; code: string }[] }) =>
  json.errors.map(({ pointer, code }) => `${pointer} ${code}`)

test('an order has the amounts of its prices, a number, and the page on which it is paid', async () => {
  const femi = await buyer()
  const [bread, rye] = [await sell(await staff(), 'Amounts'), await sell(await staff(), 'More amounts', [once(1200)])]
  const { status, json, headers } = await checkout(femi, [bread.priceId, rye.priceId], { campaign: 'Spring' })
  assert.equal(status, 201)
  assert.equal(headers.location, `${app.a.baseUrl}/api/v1/account/orders/${json.id}`)
  assert.match(json.number, /^ORD-\d+$/)
  assert.deepEqual(
    [json.status, json.kind, json.currency, json.subtotal, json.discount_total, json.tax_total, json.total],
    ['pending', 'checkout', 'EUR', 6100, 0, 0, 6100],
  )
  assert.deepEqual([json.paid_total, json.refunded_total, json.tax.mode], [0, 0, 'none'])
  assert.deepEqual(
    json.lines.map(({ item, name, quantity, unit_amount, amount }: Record<string, unknown>) => ({
      item,
      name,
      quantity,
      unit_amount,
      amount,
    })),
    [
      { item: { type: 'course', id: bread.id }, name: 'Amounts', quantity: 1, unit_amount: 4900, amount: 4900 },
      { item: { type: 'course', id: rye.id }, name: 'More amounts', quantity: 1, unit_amount: 1200, amount: 1200 },
    ],
  )
  assert.deepEqual(
    [json.payment.state, json.payment.page_url, json.payment.expires_at],
    ['open', `${app.a.baseUrl}/account/orders/${json.number}/pay`, json.expires_at],
  )
  assert.equal(Date.parse(json.expires_at) - Date.parse(json.created_at), 30 * 60_000)
  assert.deepEqual([json.source.client_id, json.source.campaign], [femi.clientId, 'Spring'])
  assert.deepEqual(
    [json.member.name, json.billing.name, json.email],
    ['Femi Adeyemi', 'Femi Adeyemi', 'femi@crumb.example'],
  )
  const read = await femi.get(`/account/orders/number:${json.number}`)
  assert.deepEqual(read.json, {
    ...json,
    allowed_actions: [
      ...['getAccountOrder', 'updateAccountOrderBilling', 'cancelAccountOrder', 'createAccountOrderPayment'],
    ].filter(id => read.json.allowed_actions.includes(id)),
  })
  assert.equal('note' in read.json, false)
  await cancel(femi, json.id)
})

test('a dry run is the quote: the same amounts, and nothing is written', async () => {
  const femi = await buyer()
  const bread = await sell(await staff(), 'Quoted')
  const sum = await sumOfRows(app.database)
  const dry = await quote(femi, [bread.priceId])
  assert.deepEqual([dry.status, dry.json.status, dry.json.result.total, dry.json.result.id], [200, 201, 4900, null])
  assert.deepEqual(
    dry.json.effects.map(({ type, money }: Record<string, string>) => [type, money]),
    [['order.placed', 'Asks the person to pay €49.00 on a page of the school; nothing is charged']],
  )
  assert.equal(await sumOfRows(app.database), sum)
})

test('the write needs a key, and the same key places one order', async () => {
  const femi = await buyer()
  const { priceId } = await sell(await staff(), 'One key')
  const body = { items: [{ price_id: priceId }] }
  const without = await femi.write('POST', '/account/checkouts', body)
  assert.deepEqual([without.status, without.json.code], [400, 'idempotency_key_required'])
  const headers = { 'idempotency-key': randomUUID() }
  const [first, second] = [
    await femi.write('POST', '/account/checkouts', body, headers),
    await femi.write('POST', '/account/checkouts', body, headers),
  ]
  assert.deepEqual([first.status, second.status, second.json.id], [201, 201, first.json.id])
  await cancel(femi, first.json.id)
})

test('G-08 what a client cannot decide is refused, and nothing is written', async () => {
  const femi = await buyer()
  const ada = await staff()
  const { priceId } = await sell(ada, 'Refused')
  const retired = await sell(ada, 'Retired', [once(), once(900)])
  assert.equal((await ada.write('DELETE', `/courses/${retired.id}/prices/${retired.priceId}`)).status, 200)
  const draft = await sell(ada, 'Draft again')
  assert.equal((await ada.write('DELETE', `/courses/${draft.id}/publication`)).status, 200)
  const foreign = await app.actor('ada', { scopes: SCOPES, school: app.b })
  const theirs = await sell(foreign, 'Of the other school')
  const sum = await sumOfRows(app.database)
  const send = (body: unknown) => femi.write('POST', '/account/checkouts', body, { 'idempotency-key': randomUUID() })
  const item = { price_id: priceId }
  const refused: readonly (readonly [body: unknown, errors: readonly string[]])[] = [
    [{ items: [item, item] }, ['/items/1/price_id unique']],
    [{ items: [{ ...item, quantity: 2 }] }, ['/items/0/quantity maximum']],
    [{ items: [{ price_id: retired.priceId }] }, ['/items/0/price_id unknown']],
    [{ items: [{ price_id: draft.priceId }] }, ['/items/0/price_id unknown']],
    [{ items: [item, { price_id: 'prc_00000000000000000000000000' }] }, ['/items/1/price_id unknown']],
    [{ items: [item], billing: { country: 'XX' } }, ['/billing/country country']],
    [{ items: [item], billing: { tax_id: 'PT123456789' } }, ['/billing/country required']],
    [{ items: [item], billing: { country: 'PT', tax_id: 'PT1' } }, ['/billing/tax_id tax_id']],
  ]
  for (const [body, errors] of refused) {
    const reply = await send(body)
    assert.equal(reply.status, 422, JSON.stringify(body))
    assert.deepEqual(listErrors(reply.json), errors, JSON.stringify(body))
  }
  // What the schema refuses.
  const shapes = [
    { items: [] },
    { items: Array.from({ length: 21 }, () => item) },
    ...['total', 'subtotal', 'amount', 'status', 'currency', 'member_id'].map(name => ({ items: [item], [name]: 1 })),
    { items: [{ ...item, unit_amount: 1 }] },
    ...[0, -1, 1.5, 1e9].map(quantity => ({ items: [{ ...item, quantity }] })),
  ]
  for (const body of shapes) assert.equal((await send(body)).status, 422, JSON.stringify(body))
  const unknown = await send({ items: [{ price_id: theirs.priceId }] })
  const nobodys = await send({ items: [{ price_id: 'prc_00000000000000000000000000' }] })
  assert.deepEqual([unknown.status, unknown.json.errors], [422, nobodys.json.errors])
  assert.equal(await sumOfRows(app.database), sum)
})

test('subscriptions and payment plans are bought alone', async () => {
  const prices = [
    { payment_type: 'subscription', amount: 900, interval: 'month' },
    { payment_type: 'payment_plan', amount: 900, interval: 'month', number_of_payments: 3 },
  ]
  const { priceIds } = await sell(await staff(), 'Recurring', prices)
  const other = await sell(await staff(), 'Beside it')
  for (const priceId of priceIds) {
    const { status, json } = await checkout(await buyer(), [priceId, other.priceId])
    assert.deepEqual([status, json.code, listErrors(json)], [409, 'bought_alone', ['/items/0/price_id bought_alone']])
  }
})

test('what costs nothing is paid at once and gives access; free days are given once', async () => {
  const eli = await buyer('eli')
  const ada = await staff()
  const days = { payment_type: 'free', amount: 0, access: { days: 7 } }
  const { id, priceId } = await sell(ada, 'Free', [days])
  const { status, json } = await checkout(eli, [priceId])
  assert.deepEqual([status, json.status, json.total, json.payment.page_url], [201, 'paid', 0, null])
  assert.equal(json.lines[0].fulfilled_at, json.paid_at)
  const own = await eli.get(`/account/enrollments?course_id=${id}`)
  assert.deepEqual(
    own.json.data.map(({ source, access }: { source: string; access: { state: string } }) => [source, access.state]),
    [['order_line', 'active']],
  )
  const given = await ada.get(`/orders/${json.id}/entitlements`)
  assert.deepEqual(
    given.json.data.map(({ line_id, item, ended_by }: Record<string, unknown>) => [line_id, item, ended_by]),
    [[json.lines[0].id, { type: 'course', id }, null]],
  )
  const again = await checkout(eli, [priceId], { allow_duplicate: true })
  assert.deepEqual([again.status, again.json.code], [409, 'free_once'])
  await app.moveClock(8 * 24 * 3600)
  const later = await app.actor('eli', { scopes: ['account:read', 'account:write'] })
  const enrolling = await later.write('POST', '/account/enrollments', { course_id: id })
  assert.deepEqual([enrolling.status, enrolling.json.code], [409, 'free_access_used'])
})

test('what one has already is refused, unless one says that it is bought again', async () => {
  const eli = await buyer('eli')
  const { id, priceId } = await sell(await staff(), 'Had already')
  const ada = await staff()
  const member = (await eli.get('/account')).json.id
  const enrolled = await ada.write('POST', '/enrollments', { member_id: member, course_id: id })
  assert.equal(enrolled.status, 201, enrolled.text)
  const refused = await checkout(eli, [priceId])
  assert.deepEqual([refused.status, refused.json.code], [409, 'already_has_access'])
  const { status, json } = await checkout(eli, [priceId], { allow_duplicate: true })
  assert.equal(status, 201)
  await cancel(eli, json.id)
})

test('a member has at most three orders that wait for payment, until one is canceled or expires', async () => {
  const dev = await buyer('dev')
  const ada = await staff()
  const sold = []
  for (const name of ['One', 'Two', 'Three', 'Four']) sold.push(await sell(ada, `Pending ${name}`))
  const [first, second, third, fourth] = sold.map(({ priceId }) => priceId)
  const placed = []
  for (const priceId of [first, second, third]) placed.push(await checkout(dev, [priceId ?? '']))
  assert.deepEqual(
    placed.map(({ status }) => status),
    [201, 201, 201],
  )
  const refused = await checkout(dev, [fourth ?? ''])
  assert.deepEqual([refused.status, refused.json.code], [409, 'too_many_pending_orders'])
  const { json } = await dev.write('DELETE', `/account/orders/${placed[0]?.json.id}`)
  assert.deepEqual(
    [json.status, json.cancel_reason, json.payment],
    ['canceled', 'buyer', { state: 'ended', page_url: null, expires_at: null }],
  )
  const fits = await checkout(dev, [fourth ?? ''])
  assert.equal(fits.status, 201)
  // By the clock of the database, also where no worker has run yet.
  await app.moveClock(31 * 60)
  assert.equal((await checkout(dev, [first ?? ''])).status, 201)
  for (const { id } of (await dev.get('/account/orders?status=pending')).json.data) await cancel(dev, id)
})

test('canceling gives back the only seat at once', async () => {
  const ada = await staff()
  const { id, priceId } = await sell(ada, 'The only seat', [{ ...once(), enrollment_cap: 1 }])
  const [dev, femi] = [await buyer('dev'), await buyer()]
  const { json } = await checkout(dev, [priceId])
  const left = async () => (await ada.get(`/courses/${id}/prices`)).json.data[0].seats_left
  assert.equal(await left(), 0)
  const refused = await checkout(femi, [priceId])
  assert.deepEqual([refused.status, refused.json.code], [409, 'sold_out'])
  await cancel(dev, json.id)
  assert.equal(await left(), 1)
  const { status, json: other } = await checkout(femi, [priceId])
  assert.equal(status, 201)
  const twice = await dev.write('DELETE', `/account/orders/${json.id}`)
  assert.deepEqual([twice.status, twice.json.revision], [200, json.revision + 1])
  assert.equal((await dev.write('DELETE', `/account/orders/${other.id}`)).status, 404)
  await cancel(femi, other.id)
})
