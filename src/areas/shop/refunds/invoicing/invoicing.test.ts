// One thing: what orders are invoiced for and what is credited, from the payment to the books.
import assert from 'node:assert/strict'
import { fromId } from '#src/kit/ids.ts'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { checkout, decide, once, performAsOperator, sell } from '#testing/orders.ts'
import { sellingSettings } from '#testing/selling.ts'

const app = testApp()
const test = ledgerTest(app)

const SCOPES = [
  'courses:read',
  'courses:write',
  'coupons:read',
  'coupons:write',
  'orders:read',
  'school:read',
  'school:write',
]
const staff = () => app.actor('ada', { scopes: SCOPES })
const buyer = (name: 'dev' | 'eli' | 'femi' | 'carla' = 'femi') =>
  app.actor(name, { scopes: ['account:read', 'account:write', 'courses:read'] })

const taxed = (percent: string, mode = 'exclusive') => ({
  mode,
  rates: [
    { country: 'PT', percent, name: 'IVA' },
    { country: '*', percent: '0', name: 'VAT' },
  ],
})
const seller = {
  name: 'Crumb & Crust, Lda.',
  tax_id: 'PT123456789',
  address: { line1: 'Rua do Forno 12', line2: null, postal_code: null, city: 'Lisboa', region: null, country: 'PT' },
}

const readOrder = async (id: string) => (await (await staff()).get(`/orders/${id}`)).json

/** The documents of an order, the oldest first. */
const readDocuments = async (id: string) => {
  const { invoices } = await readOrder(id)
  const { json } = await (await staff()).get(`/invoices?order_id=${id}&limit=100`)
  assert.equal(json.data.length, invoices.length)
  return invoices.map((named: { id: string }) => json.data.find((one: { id: string }) => one.id === named.id))
}

const readKinds = async (id: string): Promise<[string, number, string | null][]> =>
  (await readDocuments(id)).map(({ kind, total, reason }: { kind: string; total: number; reason: string | null }) => [
    kind,
    total,
    reason,
  ])

const place = async (actor: Actor, priceIds: readonly string[], more: object = {}) => {
  const { status, json, text } = await checkout(actor, priceIds, { ...more })
  assert.equal(status, 201, text)
  return json
}

const buy = async (actor: Actor, priceIds: readonly string[], more: object = {}) => {
  const order = await place(actor, priceIds, more)
  await decide(app, 'confirmPayment', order.id, {})
  return order
}

test('the invoice says what the order says, whatever has changed since it was placed', async () => {
  const set = sellingSettings(app)
  const ada = await staff()
  const { id, priceId } = await sell(ada, 'Rye of then', [once(1000), once(9900)])
  const rolls = await sell(ada, 'Rolls of then', [once(333)])
  const { json: coupon } = await ada.write('POST', '/coupons', {
    name: 'Then',
    kind: 'percent',
    percent_off: '33.33',
    stackable: false,
  })
  await ada.write('POST', `/coupons/${coupon.id}/codes`, { code: 'THEN' })
  await set({ tax: taxed('23'), legal: seller })
  const billing = { country: 'PT', company: 'Padaria', address: { line1: 'Rua 1', city: 'Porto' } }
  const order = await place(await buyer(), [priceId, rolls.priceId], { codes: ['THEN'], billing })
  const school = (await ada.get('/school')).json
  const written = [
    await ada.write('PATCH', `/courses/${id}`, { name: 'Another name' }),
    await ada.write('DELETE', `/courses/${id}/prices/${priceId}`),
    await ada.write('PUT', `/courses/${id}/archive`),
    await ada.write('PATCH', `/coupons/${coupon.id}`, { name: 'Now', active: false }),
    await ada.write('PATCH', '/school', { name: 'Renamed' }, { 'if-match': '*' }),
  ]
  assert.deepEqual(
    written.map(({ status }) => status),
    [200, 200, 200, 200, 200],
    written.map(({ text }) => text).join('\n'),
  )
  await set({ tax: taxed('6', 'inclusive'), legal: seller })
  await decide(app, 'confirmPayment', order.id, { received_on: '2026-01-02' })
  await set({})
  await ada.write('PATCH', '/school', { name: school.name }, { 'if-match': '*' })
  const [invoice] = await readDocuments(order.id)
  assert.deepEqual(
    [invoice.total, invoice.tax_total, invoice.discount_total, invoice.tax.mode, invoice.tax.country],
    [order.total, order.tax_total, order.discount_total, 'exclusive', 'PT'],
  )
  assert.deepEqual(
    invoice.lines.map(({ name, amount, tax_amount, tax_percent, discount_amount }: Record<string, unknown>) => ({
      ...{ name, amount, tax_amount, tax_percent, discount_amount },
    })),
    order.lines.map(({ name, amount, tax_amount, tax_percent, discount_amount }: Record<string, unknown>) => ({
      ...{ name, amount, tax_amount, tax_percent, discount_amount },
    })),
  )
  assert.deepEqual(
    [invoice.buyer.company, invoice.buyer.address.city, invoice.order_number, invoice.paid_on],
    ['Padaria', 'Porto', order.number, '2026-01-02'],
  )
  assert.deepEqual([invoice.seller.name, invoice.payment.provider, invoice.is_test], [seller.name, 'manual', true])
  assert.match(invoice.number, /-TEST-/, 'no money moves at an http address: not an invoice')
  const shown = (await readOrder(order.id)).invoices
  assert.deepEqual(shown, [
    {
      ...{ id: invoice.id, kind: 'invoice', number: invoice.number, is_test: true, invoice_id: null },
      ...{ issued_on: invoice.issued_on, total: order.total, print_state: 'pending' },
    },
  ])
})

test('two confirmations of the same transfer at once issue one invoice', async () => {
  const { priceId } = await sell(await staff(), 'At once', [once(2000)])
  const order = await place(await buyer('eli'), [priceId])
  const confirm = () => decide(app, 'confirmPayment', order.id, { amount: 2000 })
  await Promise.all([confirm(), confirm()])
  const { paid_total, refunded_total } = await readOrder(order.id)
  assert.deepEqual([paid_total, refunded_total, await readKinds(order.id)], [4000, 2000, [['invoice', 2000, null]]])
})

test('a person reads the documents of their order; what costs nothing has none', async () => {
  const [femi, eli] = [await buyer(), await buyer('eli')]
  const ada = await staff()
  const { priceId } = await sell(ada, 'Own documents', [once(1000)])
  const free = await sell(ada, 'For nothing', [{ payment_type: 'free', amount: 0 }])
  const order = await place(femi, [priceId])
  const read = async (actor: Actor, id: string) => {
    const { status, json } = await actor.get(`/account/orders/${id}/invoices`)
    return [status, json.data?.length]
  }
  assert.deepEqual(await read(femi, order.id), [200, 0])
  assert.deepEqual(await read(eli, order.id), [404, undefined])
  await decide(app, 'confirmPayment', order.id, {})
  assert.deepEqual(await read(femi, order.id), [200, 1])
  assert.deepEqual(await read(eli, order.id), [404, undefined])
  const own = (await femi.get(`/account/orders/${order.id}`)).json.invoices
  assert.deepEqual(own, (await readOrder(order.id)).invoices)
  const nothing = await place(femi, [free.priceId])
  assert.deepEqual([nothing.status, nothing.invoices, await read(femi, nothing.id)], ['paid', [], [200, 0]])
})

test('undoing a confirmation credits the whole invoice, and confirming again issues a new one', async () => {
  const { priceId } = await sell(await staff(), 'Undone twice', [once(3000)])
  const order = await buy(await buyer('carla'), [priceId])
  await decide(app, 'unconfirmPayment', order.id)
  const undone = [
    ['invoice', 3000, null],
    ['credit_note', 3000, 'payment_undone'],
  ]
  assert.deepEqual(await readKinds(order.id), undone)
  await decide(app, 'confirmPayment', order.id, { amount: 1000 })
  assert.deepEqual(await readKinds(order.id), undone, 'a part is not invoiced')
  await decide(app, 'confirmPayment', order.id, {})
  assert.deepEqual(await readKinds(order.id), [...undone, ['invoice', 3000, null]])
  await decide(app, 'refundOrder', order.id, { amount: 1000, reason: 'requested' })
  const [first, , second, note] = await readDocuments(order.id)
  assert.deepEqual([note.invoice_id, note.total], [second.id, 1000])
  assert.notEqual(first.number, second.number)
})

test('each refund is credited by its lines, and only what was invoiced', async () => {
  const set = sellingSettings(app)
  const ada = await staff()
  const [one, two] = [await sell(ada, 'Credited', [once(1001)]), await sell(ada, 'Kept', [once(500)])]
  await set({ tax: taxed('33.33', 'inclusive'), legal: seller })
  const order = await place(await buyer('eli'), [one.priceId, two.priceId], { billing: { country: 'PT' } })
  await set({})
  await decide(app, 'confirmPayment', order.id, { amount: 1701 })
  assert.deepEqual(await readKinds(order.id), [['invoice', 1501, null]], 'what was paid too much is not invoiced')
  const line_id = order.lines[0].id
  for (const amount of [250, 250, 250, 251])
    await decide(app, 'refundOrder', order.id, { lines: [{ line_id, amount }], reason: 'duplicate' })
  const [invoice, ...notes] = await readDocuments(order.id)
  assert.deepEqual(
    notes.map(({ invoice_id, total, reason, lines }: Record<string, unknown> & { lines: { line_id: string }[] }) => [
      ...[invoice_id, total, reason],
      ...lines.map(line => line.line_id),
    ]),
    [250, 250, 250, 251].map(total => [invoice.id, total, 'duplicate', line_id]),
  )
  const taxes = notes.map((note: { tax_total: number }) => note.tax_total)
  const { refunds } = await readOrder(order.id)
  const returned = refunds.filter(({ reason }: { reason: string }) => reason !== 'overpaid')
  assert.deepEqual(
    taxes,
    returned.map((refund: { tax_amount: number }) => refund.tax_amount),
  )
  assert.equal(
    taxes.reduce((sum: number, tax: number) => sum + tax, 0),
    order.lines[0].tax_amount,
  )
  assert.deepEqual(
    notes.map(({ lines }: { lines: { quantity: number }[] }) => lines[0]?.quantity),
    [0, 0, 0, 1],
  )
})

test('what is gone when money arrives late is invoiced with the order, and credited', async () => {
  const ada = await staff()
  const [carla, femi] = [await buyer('carla'), await buyer()]
  const seat = await sell(ada, 'Late seat', [{ ...once(2000), enrollment_cap: 1 }])
  const other = await sell(ada, 'Not late', [once(1000)])
  const late = await place(carla, [seat.priceId, other.priceId])
  await carla.write('DELETE', `/account/orders/${late.id}`)
  await buy(femi, [seat.priceId])
  await decide(app, 'confirmPayment', late.id, { amount: 3000 })
  assert.deepEqual(await readKinds(late.id), [
    ['invoice', 3000, null],
    ['credit_note', 2000, 'late_payment'],
  ])
})

const outside = async (memberId: string, body: object) => {
  await performAsOperator(app, { operation: 'recordOutsideOrder', params: { member_id: memberId }, body })
  return (await (await staff()).get(`/orders?kind=outside&member_id=${memberId}`)).json.data[0]
}

test('what was paid elsewhere is invoiced unless staff say that it was', async () => {
  const eli = await buyer('eli')
  const { priceId } = await sell(await staff(), 'Elsewhere', [once(1500)])
  const member = (await eli.get('/account')).json.id
  const items = [{ price_id: priceId }]
  const invoiced = await outside(member, { items, received_on: '2026-02-03' })
  const [invoice] = await readDocuments(invoiced.id)
  assert.deepEqual([invoice.payment.provider, invoice.paid_on, invoice.total], ['outside', '2026-02-03', 1500])
  await decide(app, 'unconfirmPayment', invoiced.id)
  await decide(app, 'confirmPayment', invoiced.id, {})
  assert.deepEqual(
    (await readKinds(invoiced.id)).map(([kind]) => kind),
    ['invoice', 'credit_note', 'invoice'],
  )
  const without = await outside(member, { items, invoice: false })
  await decide(app, 'unconfirmPayment', without.id)
  await decide(app, 'confirmPayment', without.id, {})
  await decide(app, 'refundOrder', without.id, { amount: 500, reason: 'requested' })
  assert.deepEqual(await readDocuments(without.id), [])
})

test('a school without a legal name and address sells nothing for money, unless no money moves in it', async () => {
  const { database, secret, folder, b: a } = app
  const live = { database, secret, folder, a }
  const ada = await app.actor('ada', { scopes: SCOPES, school: app.b })
  const femi = await app.actor('femi', { scopes: ['account:read', 'account:write'], school: app.b })
  const { priceId } = await sell(ada, 'For money', [once(2000)])
  const free = await sell(ada, 'For nothing', [{ payment_type: 'free', amount: 0 }])
  const refused = await checkout(femi, [priceId])
  assert.deepEqual(
    [refused.status, refused.json.code, refused.json.missing],
    [409, 'seller_unknown', ['seller_unknown']],
  )
  assert.equal((await place(femi, [free.priceId])).status, 'paid')
  await sellingSettings(live)({ legal: seller })
  const order = await place(femi, [priceId])
  await decide(live, 'confirmPayment', order.id, {})
  const [invoice] = (await ada.get(`/invoices?order_id=${order.id}`)).json.data
  assert.deepEqual(
    [invoice.is_test, invoice.sequence, invoice.seller.name, invoice.seller.tax_id],
    [false, 1, seller.name, seller.tax_id],
  )
  assert.ok(!invoice.number.includes('TEST'))
})

const details = async (id: string) =>
  (await readDocuments(id)).map(
    ({ kind, total, reason, buyer }: Record<string, unknown> & { buyer: { company: string } }) => [
      ...[kind, total, reason],
      buyer.company,
    ],
  )

const refused = async (work: Promise<void>): Promise<string> => {
  try {
    await work
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return assert.fail('must be refused')
}

test('a reissued invoice has the new billing, and lines, totals and tax of the order; once, also when reissued twice at once', async () => {
  const set = sellingSettings(app)
  const ada = await staff()
  const { priceId } = await sell(ada, 'Reissued', [once(10_000)])
  await set({ tax: taxed('23'), legal: seller })
  const order = await buy(await buyer('carla'), [priceId], { billing: { country: 'PT', company: 'Old' } })
  await decide(app, 'refundOrder', order.id, { amount: 300, reason: 'duplicate' })
  const address = { line1: 'Rua 1', city: 'Porto' }
  const reissue = () => decide(app, 'reissueInvoice', order.id, { company: 'New', tax_id: 'PT509442013', address })
  await Promise.all([reissue(), reissue()])
  await set({})
  const expected = [
    ['invoice', 12_300, null, 'Old'],
    ['credit_note', 300, 'duplicate', 'Old'],
    ['invoice', 12_300, null, 'New'],
    ['credit_note', 300, 'duplicate', 'New'],
    ['credit_note', 12_000, 'billing_changed', 'Old'],
  ]
  assert.deepEqual(await details(order.id), expected)
  const [first, , second] = await readDocuments(order.id)
  for (const field of ['lines', 'tax', 'total', 'tax_total', 'payment', 'paid_on', 'currency'])
    assert.deepEqual(second[field], first[field], field)
  assert.deepEqual(
    [second.buyer.tax_id, second.buyer.address.city, second.buyer.country],
    ['PT509442013', 'Porto', 'PT'],
  )
  const after = await readOrder(order.id)
  assert.deepEqual([after.billing.company, after.total, after.tax_total], ['New', order.total, order.tax_total])
  await reissue()
  assert.deepEqual(await details(order.id), expected, 'with the same billing nothing happens')
  await decide(app, 'refundOrder', order.id, { reason: 'requested' })
  assert.deepEqual((await details(order.id)).at(-1), ['credit_note', 12_000, 'requested', 'New'])
  assert.match(await refused(decide(app, 'reissueInvoice', order.id, { company: 'Late' })), /no invoice of which/)
})

test('an invoice is not reissued without one, with another tax, or for a buyer who was erased', async () => {
  const set = sellingSettings(app)
  const ada = await staff()
  const { priceId } = await sell(ada, 'Not reissued', [once(1000)])
  const femi = await buyer()
  const pending = await place(femi, [priceId])
  assert.match(await refused(decide(app, 'reissueInvoice', pending.id, { company: 'X' })), /no invoice/)
  await set({ tax: { ...taxed('23'), reverse_charge: true }, legal: seller })
  const order = await buy(femi, [priceId], { billing: { country: 'PT' }, allow_duplicate: true })
  for (const [billing, expected] of [
    [{ country: 'BR' }, /taxed otherwise/],
    [{ country: 'DE', tax_id: 'DE123456789' }, /taxed otherwise/],
    [{ country: null }, /decides the tax/],
    [{ tax_id: 'PT1' }, /tax_id/],
  ] as const)
    assert.match(await refused(decide(app, 'reissueInvoice', order.id, billing)), expected)
  await set({
    tax: { mode: 'exclusive', rates: [{ country: '*', percent: '23', name: 'IVA' }] },
    legal: seller,
  })
  assert.match(await refused(decide(app, 'reissueInvoice', order.id, { country: 'ES' })), /for another country/)
  await set({})
  assert.deepEqual(await readKinds(order.id), [['invoice', 1230, null]])
  await app.database.query('update orders set email = null, email_folded = null where school_id = $1 and id = $2', [
    app.a.id,
    fromId('ord', order.id),
  ])
  assert.match(await refused(decide(app, 'reissueInvoice', order.id, { company: 'X' })), /erased/)
})
