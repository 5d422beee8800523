import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after } from 'node:test'
import type { School } from '#src/contract/school.ts'
import { hmac, purposeKey } from '#src/kit/crypto.ts'
import { toId } from '#src/kit/ids.ts'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import type { TestReply } from '#testing/http.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { checkout, decide, once, quote, sell } from '#testing/orders.ts'
import { askToPay, openPage, pressOn } from '#testing/paying.ts'
import { quiet, setProvider } from '#testing/payments.ts'
import { until } from '#testing/until.ts'

// With a mailbox the worker runs, which settles payments.
let mailbox: Mailbox
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
const test = ledgerTest(app)
after(() => mailbox.stop())

let setting: Promise<void> | undefined
const setProviders = (): Promise<void> => {
  setting ??= setProvider(app, 'manual', {}).then(() => setProvider(app, 'test', {}))
  return setting
}

const SCOPES = ['courses:read', 'courses:write', 'coupons:read', 'coupons:write', 'orders:read']
const staff = (school: School = app.a) => app.actor('ada', { scopes: SCOPES, school })
const person = (name: 'carla' | 'dev' | 'eli' | 'femi') =>
  app.actor(name, { scopes: ['account:read', 'account:write'] })

let reader: Promise<Actor> | undefined
const readOrder = async (id: string) => {
  reader ??= staff()
  return (await (await reader).get(`/orders/${id}`)).json
}

/** An order, by default of Femi, with an open page of the provider of test payments. */
const openOrder = async (name: string, buyer: 'femi' | 'carla' = 'femi') => {
  await setProviders()
  const femi = await person(buyer)
  const { priceId } = await sell(await staff(), name, [once(2500)])
  const { json } = await checkout(femi, [priceId])
  await askToPay(femi, json.id, { provider: 'test' })
  return { ...json, page: await openPage(app, await readOrder(json.id)) }
}

/** What a refusal tells: all of it but the id of the request. */
const told = ({ status, json }: TestReply): unknown => ({ status, ...json, request_id: undefined, instance: undefined })

const signed = (school: School, body: string | Buffer): Record<string, string> => {
  const bytes = Buffer.concat([Buffer.from(`${school.id}.`), Buffer.from(body)])
  const signature = hmac(purposeKey(app.secret, 'test-payments'), bytes).toString('hex')
  return { 'content-type': 'application/json', 'stoa-test-signature': signature }
}

const post = (body: string | Buffer, headers: Record<string, string>, school: School = app.a): Promise<TestReply> =>
  app.send({ method: 'POST', path: '/webhooks/test', headers, body }, school)

const countEvents = async (): Promise<number> => (await app.database.query('select from payment_events')).length

test('an order of somebody else is as unknown as one that does not exist, whatever is done with it', async () => {
  const order = await openOrder('Somebody else’s')
  const [eli, femi] = [await person('eli'), await person('femi')]
  const attempt = async (actor: Actor, ref: string) => [
    await actor.get(`/account/orders/${ref}`),
    await actor.get(`/account/orders/${ref}/invoices`),
    await actor.write('DELETE', `/account/orders/${ref}`),
    await actor.write('PATCH', `/account/orders/${ref}/billing`, { company: 'Mine' }),
    await askToPay(actor, ref, { provider: 'manual' }),
  ]
  for (const [ref, unknown] of [
    [order.id, toId('ord', randomUUID())],
    [`number:${order.number}`, 'number:ORD-999999'],
  ]) {
    const [of, none] = [await attempt(eli, ref ?? ''), await attempt(eli, unknown ?? '')]
    for (const [index, reply] of of.entries()) {
      assert.ok([404, 200].includes(reply.status), `${index}: ${reply.status} ${reply.text}`)
      assert.deepEqual(told(reply), told(none[index] ?? reply), String(index))
      assert.ok(!reply.text.includes('Femi') && !reply.text.includes(order.lines[0].id))
    }
  }
  for (const number of ["ORD-1' or '1'='1", '%00', '٣', '𝟙', 'x'.repeat(500), '%F0%9F%92%A5', '../ORD-1'])
    assert.ok(
      [404, 422].includes((await eli.get(`/account/orders/number:${encodeURIComponent(number)}`)).status),
      number,
    )
  assert.equal((await femi.get(`/account/orders/${order.id}`)).json.status, 'pending')
})

test('what belongs to another school does not exist in this one', async () => {
  const order = await openOrder('Of the first school')
  await decide(app, 'confirmPayment', order.id, {})
  await decide(app, 'refundOrder', order.id, { reason: 'requested' })
  const { refunds } = await readOrder(order.id)
  const there = await staff(app.b)
  const paths = (id: string, refund: string) => [
    ...['', '/transactions', '/entitlements'].map(path => `/orders/${id}${path}`),
    `/refunds/${refund}`,
  ]
  const unknown = paths(toId('ord', randomUUID()), toId('rfd', randomUUID()))
  for (const [index, path] of paths(order.id, refunds[0].id).entries()) {
    const reply = await there.get(path)
    assert.equal(reply.status, 404, path)
    assert.deepEqual(told(reply), told(await there.get(unknown[index] ?? '')))
  }
  for (const query of [`member_id=${order.member.id}`, `item_id=${order.lines[0].item.id}`])
    assert.deepEqual((await there.get(`/orders?${query}`)).json.data, [], query)
  assert.deepEqual((await there.get(`/refunds?order_id=${order.id}`)).json.data, [])
  const { pathname } = new URL(order.page, app.a.baseUrl)
  assert.equal((await app.send({ path: pathname }, app.b)).status, 404)
})

test('a webhook believes no forged event, none of another school, and none that is not one', async () => {
  const order = await openOrder('Forged')
  const { payments } = await readOrder(order.id)
  const event = (more: object = {}) =>
    JSON.stringify({ id: toId('evn', randomUUID()), type: 'test_payment.pay', payment: payments[0].id, ...more })
  const stored = await countEvents()
  const forged = event()
  const { 'stoa-test-signature': signature = '' } = signed(app.a, forged)
  for (const headers of [
    {},
    { 'stoa-test-signature': '' },
    { 'stoa-test-signature': signature.toUpperCase() },
    { 'stoa-test-signature': signature.slice(0, -1) },
    { 'stoa-test-signature': `${signature}0` },
    { 'stoa-test-signature': 'é'.repeat(64) },
    { 'stoa-test-signature': '0'.repeat(7000) },
    signed(app.b, forged),
    signed(app.a, `${forged} `),
  ]) {
    const reply = await post(forged, headers)
    assert.deepEqual([reply.status, reply.json.code], [400, 'invalid_request'])
  }
  const huge = Buffer.alloc(256 * 1024 + 1, ' ')
  assert.equal((await post(huge, signed(app.a, huge))).status, 413)
  assert.equal(await countEvents(), stored)
  const meaningless = [
    ...['', 'null', '[]', '{', '"x"', '1e999', `${'['.repeat(50_000)}`, '{"id":1,"type":2,"payment":3}'],
    '{"id":"evn_x","id":"evn_y","type":"t","payment":"p"}',
    '{"__proto__":{"id":"a","type":"b","payment":"c"}}',
  ]
  for (const body of [...meaningless.map(text => Buffer.from(text)), Buffer.from([0xff, 0xfe, 0x00])])
    assert.equal((await post(body, signed(app.a, body))).status, 200, String(body).slice(0, 60))
  for (const id of ['', 'e'.repeat(256), 'a\u0000b', '\ud800']) {
    const body = event({ id })
    assert.equal((await post(body, signed(app.a, body))).status, 400, JSON.stringify(id))
  }
  for (const payment of ['', 'pay_x', '\u0000', order.id, toId('pay', randomUUID()), 'x'.repeat(10_000)]) {
    const body = event({ payment, type: '\ud800'.repeat(200) })
    assert.equal((await post(body, signed(app.a, body))).status, 200, payment.slice(0, 40))
  }
  await quiet(app)
  assert.deepEqual([(await readOrder(order.id)).status, (await readOrder(order.id)).paid_total], ['pending', 0])
})

test('an event that says "paid" of a payment that nobody paid changes nothing, and one that is replayed counts once', async () => {
  const order = await openOrder('Replayed')
  const { payments } = await readOrder(order.id)
  const body = JSON.stringify({
    id: 'evn_replayed',
    type: 'test_payment.pay',
    payment: payments[0].id,
    amount: 10 ** 9,
  })
  const before = await countEvents()
  const replies = await Promise.all(Array.from({ length: 20 }, () => post(body, signed(app.a, body))))
  assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200])
  assert.equal(await countEvents(), before + 1)
  await quiet(app)
  assert.equal((await readOrder(order.id)).status, 'pending')
  await pressOn(app, order.page, 'pay')
  await until(async () => (await readOrder(order.id)).status === 'paid', 'the order is paid')
  await Promise.all(Array.from({ length: 20 }, () => post(body, signed(app.a, body))))
  await quiet(app)
  assert.equal((await readOrder(order.id)).paid_total, 2500)
})

test('the page of a test payment opens for whoever has its address, which nobody can guess, and says nothing of the buyer', async () => {
  const order = await openOrder('The page')
  const { text } = await app.send({ path: order.page })
  for (const secret of ['Femi', 'femi@', order.id, order.member.id]) assert.ok(!text.includes(secret), secret)
  for (const ref of ['x', '%00', '%FF', '..%2Forders', 'test_', '𝟙', 'y'.repeat(4000), order.number, order.id]) {
    for (const method of ['GET', 'POST']) {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const reply = await app.send({ method, path: encodeURI(`/test-payments/${ref}`), headers, body: 'action=pay' })
      assert.ok([400, 404, 414, 431].includes(reply.status), `${method} ${ref.slice(0, 20)}: ${reply.status}`)
    }
  }
})

test('codes that no one would type are unknown, and a budget of tries is all that they cost', async () => {
  const { priceId } = await sell(await staff(), 'Strange codes')
  const codes = [
    '\u200b\u202eEDOC',
    '💥'.repeat(16),
    "' or 1=1 --",
    'ＳＵＭＭＥＲ',
    '0'.repeat(64),
    '\u0131\u0307',
    'ß',
  ]
  for (const [index, code] of codes.entries()) {
    const actor = await person(index % 2 === 0 ? 'dev' : 'carla')
    const { status, json } = await quote(actor, [priceId], { codes: [code] })
    assert.ok(status === 409 ? json.reason === 'unknown_code' : status === 422, `${JSON.stringify(code)}: ${status}`)
  }
  const dev = await person('dev')
  for (const code of ['', '\u0000', '\ud800', 'x'.repeat(65), 7, null, {}])
    assert.equal((await quote(dev, [priceId], { codes: [code] })).status, 422, JSON.stringify(code))
})

test('G-08 what staff send as an amount, a quantity or a day is checked like everything else', async () => {
  const order = await openOrder('Amounts of staff', 'carla')
  const confirmations = [0, -1, 1.5, 1e12 + 1, 1e21, Number.MAX_SAFE_INTEGER].map(amount => ({ amount }))
  for (const body of [
    ...confirmations,
    { received_on: '9999-12-31' },
    { received_on: '2026-02-30' },
    { amount: '100' },
  ])
    await assert.rejects(decide(app, 'confirmPayment', order.id, body), JSON.stringify(body))
  assert.deepEqual([(await readOrder(order.id)).status, (await readOrder(order.id)).paid_total], ['pending', 0])
  await decide(app, 'confirmPayment', order.id, {})
  const line_id = order.lines[0].id
  for (const refund of [
    ...[0, -1, 1.5, 1e9, 1e21].map(amount => ({ amount })),
    ...[0, -1, 1.5, 2, 1e9].map(quantity => ({ lines: [{ line_id, quantity }] })),
    { lines: [] },
    { lines: [{ line_id: toId('lin', randomUUID()) }] },
  ])
    await assert.rejects(decide(app, 'refundOrder', order.id, { reason: 'other', ...refund }), JSON.stringify(refund))
  assert.equal((await readOrder(order.id)).refunded_total, 0)
})
