import assert from 'node:assert/strict'
import { after } from 'node:test'
import { toId } from '#src/kit/ids.ts'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { approveAs } from '#testing/confirming.ts'
import { tablesWith } from '#testing/database.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { checkout, decide, once, sell } from '#testing/orders.ts'
import { seller, sellProduct } from '#testing/products.ts'
import { askForPayment } from '#testing/test-payments.ts'
import { until } from '#testing/until.ts'
import { fetched } from '#testing/uploads.ts'

// With a mailbox the worker runs, which mails and writes exports.
let mailbox: Mailbox
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox.stop())
const test = ledgerTest(app)

const SCOPES = [
  ...['courses:read', 'courses:write', 'coupons:read', 'coupons:write', 'orders:read', 'members:read', 'members:write'],
  'school:read',
]
const staff = () => app.actor('ada', { scopes: SCOPES })
const buyer = (name: 'dev' | 'eli' | 'femi' | 'carla') =>
  app.actor(name, { scopes: ['account:read', 'account:write', 'courses:read', 'digital_products:read'] })

const place = async (actor: Actor, priceIds: readonly string[], more: object = {}) => {
  const { status, json, text } = await checkout(actor, priceIds, { ...more })
  assert.equal(status, 201, text)
  return json
}

const approved = async (ada: Actor, path: string, body?: object): Promise<void> => {
  const { status, json, text } = await ada.write('POST', path, body)
  assert.equal(status, 202, text)
  await approveAs(app, 'ada', json.confirmation.url)
}

const quiet = (): Promise<void> =>
  until(async () => {
    const waiting =
      "select from jobs where kind in ('fact', 'mail', 'invoice') and due_at <= stoa.now() + interval '10 minutes'"
    return (await app.database.query(waiting)).length === 0
  }, 'the delivery of facts and mails, and the invoices')

const sums = ({ total, paid_total, refunded_total, tax_total }: Record<string, unknown>) => [
  ...[total, paid_total, refunded_total, tax_total],
]

const MARKER = 'Quillfeather'

test('an erasure cancels what waits for payment, releases it once, and leaves the books without the person', async () => {
  const [ada, femi] = [await staff(), await buyer('femi')]
  const seat = await sell(ada, 'Seat of the erased', [{ ...once(2000), enrollment_cap: 1 }])
  const other = await sell(ada, 'Kept in the books', [once(3000)])
  const coupon = (
    await ada.write('POST', '/coupons', { name: 'Once', kind: 'percent', percent_off: '10', max_redemptions: 1 })
  ).json.id
  await ada.write('POST', `/coupons/${coupon}/codes`, { code: 'ONLYONCE' })
  await femi.write('PATCH', '/account', { name: `Femi ${MARKER}` })
  const billing = { name: `F. ${MARKER}`, company: `${MARKER} Lda.` }
  const paid = await place(femi, [other.priceId], { billing, campaign: `Fair of ${MARKER}` })
  await decide(app, 'confirmPayment', paid.id, {})
  await decide(app, 'noteOrder', paid.id, { note: `${MARKER} called` })
  await decide(app, 'refundOrder', paid.id, { reason: 'other', amount: 500, note: `for ${MARKER}` })
  const waiting = await place(femi, [seat.priceId], { billing, codes: ['onlyonce'] })
  await askForPayment(femi, waiting.id, 'manual')
  await quiet()
  const read = async (id: string) => (await ada.get(`/orders/${id}`)).json
  const before = await read(paid.id)
  await approved(ada, `/members/${paid.member.id}/erasure`)
  await quiet()

  const canceled = await read(waiting.id)
  assert.deepEqual(
    [canceled.status, canceled.cancel_reason, canceled.payments[0].state],
    ['canceled', 'erasure', 'canceled'],
  )
  assert.equal((await ada.get(`/courses/${seat.id}/prices`)).json.data[0].seats_left, 1)
  const [redemption, ...more] = (await ada.get(`/coupons/${coupon}/redemptions`)).json.data
  assert.deepEqual([redemption.status, more.length], ['returned', 0])
  for (const [type, key, value] of [
    ['order.canceled', 'order_id', waiting.id],
    ['redemption.returned', 'coupon_id', coupon],
  ]) {
    const facts = await app.database.query(`select from facts where type = $1 and payload ->> '${key}' = $2`, [
      type,
      value,
    ])
    assert.equal(facts.length, 1, `${type} once`)
  }
  const kept = await read(paid.id)
  assert.deepEqual(sums(kept), sums(before))
  assert.deepEqual([kept.email, kept.note, kept.source.campaign, kept.refunds[0].note], [null, null, null, null])
  assert.deepEqual([kept.billing.name, kept.billing.company, kept.member.name], [null, null, 'Erased member'])
  // The campaign is in the figures of that quarter of an hour until they are rolled up again.
  const isRolledUp = async () => !(await tablesWith(app.database, MARKER)).includes('metric_buckets')
  await until(isRolledUp, 'the figures without the campaign')
  assert.deepEqual(await tablesWith(app.database, MARKER), ['invoices'], 'the documents keep it, for owners alone')
  const invoices = `/invoices?order_id=${paid.id}`
  const [invoice] = (await ada.get(invoices)).json.data
  assert.equal(invoice.buyer.name, `F. ${MARKER}`, 'Ada is an owner')
  const ben = await app.actor('ben', { scopes: ['orders:read'] })
  assert.ok(!(await ben.get(invoices)).text.includes(MARKER))
  assert.deepEqual((await ada.get('/orders?q=quillfeather')).json.data, [])
  assert.deepEqual(
    (await ada.get('/orders?email=femi@crumb.example&status[in]=canceled,partially_refunded')).json.data,
    [],
  )

  const sent = mailbox.arrived.length
  await decide(app, 'refundOrder', paid.id, { reason: 'other', amount: 500 })
  await quiet()
  assert.deepEqual(
    mailbox.arrived
      .slice(sent)
      .filter(({ email }) => email.subject?.includes(paid.number))
      .map(({ to }) => to),
    [],
    'no mail about the order of a person who was erased',
  )
})

test('a merge moves orders with their payments; the pending ones count together, and are paid by the member who is kept', async () => {
  const [ada, dev, eli] = [await staff(), await buyer('dev'), await buyer('eli')]
  const courses = [await sell(ada, 'Merged one', [once(1000)]), await sell(ada, 'Merged two', [once(1100)])]
  const [one, two] = courses.map(({ priceId }) => priceId)
  const paid = await place(eli, [one ?? ''])
  await decide(app, 'confirmPayment', paid.id, {})
  const kept = [await place(dev, [one ?? '']), await place(dev, [two ?? ''])]
  const moved = [await place(eli, [two ?? '']), await place(eli, [two ?? ''], { allow_duplicate: true })]
  await quiet()
  const [keptId, mergedId] = [kept[0]?.member.id, paid.member.id]
  await approved(ada, `/members/${keptId}/merges`, { member_id: mergedId })
  const all = (await dev.get('/account/orders?limit=100')).json.data
  for (const { id } of [paid, ...kept, ...moved])
    assert.ok(
      all.some((order: { id: string }) => order.id === id),
      id,
    )
  assert.deepEqual((await ada.get(`/orders?member_id=${mergedId}`)).json.data, [])
  const fifth = await checkout(dev, [two ?? ''], { allow_duplicate: true })
  assert.deepEqual([fifth.status, fifth.json.code], [409, 'too_many_pending_orders'], 'four pending orders')
  const access = (await dev.get(`/account/enrollments?course_id=${courses[0]?.id}`)).json.data[0]?.access.state
  assert.equal(access, 'active', 'what the other member had bought')
  const late = moved[0]
  await decide(app, 'confirmPayment', late?.id, {})
  await mailbox.waitFor('dev@crumb.example', 1, new RegExp(`^Receipt for order ${late?.number} at`))
  const [payment] = (await dev.get(`/account/orders/${late?.id}`)).json.payments
  assert.deepEqual([payment.provider, payment.state, payment.paid_amount], ['manual', 'succeeded', 1100])
  for (const { id } of [...kept, ...moved.slice(1)]) await decide(app, 'cancelOrder', id)
})

test('the export of personal data has the orders with their lines, payments, invoices and downloads of the person alone', async () => {
  const [ada, carla] = [
    await staff(),
    await app.actor('carla', { scopes: ['account:read', 'account:write', 'courses:read', 'digital_products:read'] }),
  ]
  const { priceId } = await sell(ada, 'Exported course', [once(1000)])
  const product = await sellProduct(await seller(app), { name: 'Exported recipes' })
  const order = await place(carla, [priceId, toId('prc', product.priceId)], { billing: { company: 'Nunes Lda.' } })
  await decide(app, 'confirmPayment', order.id, {})
  const link = await carla.write('POST', `/account/downloads/${product.files[0]}/links`)
  assert.equal(link.status, 201, link.text)
  assert.equal((await fetched(link.json.url)).status, 200)
  await quiet()
  const path = `/account/exports/${(await carla.write('POST', '/account/exports')).json.id}`
  await until(async () => (await carla.get(path)).json.status === 'ready', 'the export')
  const file = await fetched((await carla.get(path)).json.file.url)
  const { data } = JSON.parse(file.bytes.toString('utf8'))
  const [exported, ...others] = data.orders
  assert.deepEqual([exported.id, exported.paid_total, others.length], [order.id, 2200, 0])
  assert.equal(exported.billing.company, 'Nunes Lda.')
  assert.deepEqual(
    exported.lines.map(({ name, amount }: { name: string; amount: number }) => [name, amount]),
    [
      ['Exported course', 1000],
      ['Exported recipes', 1200],
    ],
  )
  assert.deepEqual(
    data.payments.map(({ order_id, provider, paid_amount }: Record<string, unknown>) => [
      order_id,
      provider,
      paid_amount,
    ]),
    [[order.id, 'manual', 2200]],
  )
  assert.ok(data.invoices.some(({ order_id }: { order_id: string }) => order_id === order.id))
  assert.deepEqual(
    data.downloads.map(({ file_id }: { file_id: string }) => file_id),
    [product.files[0]],
  )
})
