import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { testApp } from './app.ts'
import { makeCoupon } from './coupons.ts'
import { assertLedger, brokenRules } from './ledger.ts'
import { checkout, decide, once, sell } from './orders.ts'
import { give, seller, sellProduct } from './products.ts'

const app = testApp()

const orders = `(select id from orders where number = $1)`
const line = `(select id from order_lines where order_id = ${orders} order by position limit 1)`

// What damages the books of a paid order, by the rule that has to notice it.
const damages: readonly (readonly [rule: RegExp, damage: string])[] = [
  [/what was paid for an order/, `update payments set paid_amount = paid_amount + 1 where order_id = ${orders}`],
  [/what was paid back is the sum/, `update orders set refunded_total = refunded_total + 1 where id = ${orders}`],
  [/no more goes back than arrived/, `update refunds set amount = 10000000 where order_id = ${orders}`],
  [
    /a paid order was paid in full/,
    `update orders set total = total + 100000, subtotal = subtotal + 100000 where id = ${orders}`,
  ],
  [/the totals are sums/, `update order_lines set unit_amount = unit_amount + 1 where id = ${line}`],
  [/the discount of a line/, `update order_discounts set amount = amount + 1 where order_id = ${orders}`],
  [/what was refunded of a line/, `update order_lines set refunded_amount = refunded_amount - 1 where id = ${line}`],
  [
    /a refund is the sum of its lines/,
    `insert into refunds (school_id, id, payment_id, order_id, amount, reason, state, created_at, updated_at)
     select school_id, gen_random_uuid(), id, order_id, 1, 'other', 'asked', stoa.now(), stoa.now() from payments where order_id = ${orders}`,
  ],
  [
    /keep seats/,
    `insert into seat_reservations (school_id, line_id, course_id, member_id, expires_at, created_at)
     select o.school_id, l.id, l.item_id, o.member_id, stoa.now() + interval '1 day', stoa.now()
     from order_lines l join orders o on o.id = l.order_id where l.id = ${line}`,
  ],
  [/hold uses of codes/, `update coupon_redemptions set status = 'held' where order_id = ${orders}`],
  [/what orders gave is active/, `update entitlements set revoked_at = null, ends_at = null where source_id = ${line}`],
  [
    /what staff received/,
    `update payment_receipts set amount = amount + 1
     where payment_id = (select id from payments where order_id = ${orders})`,
  ],
  [/that is shown of a payment leads to it/, `update payments set reference = 'tr_lost' where order_id = ${orders}`],
  [
    /each line of a paid order/,
    `update order_lines set fulfilled_at = null where order_id = ${orders} and position = 2`,
  ],
  [/has an entitlement/, `delete from entitlements where source_id = ${line}`],
  [
    /waits for payment is ended by a job/,
    `update orders set status = 'processing', paid_at = null, expires_at = stoa.now() where id = ${orders}`,
  ],
  [/for what the code took off/, `update coupon_redemptions set amount = amount + 1 where order_id = ${orders}`],
  [
    /a coupon counts its redemptions/,
    `update coupons set taken = taken + 1 where id = (select coupon_id from coupon_redemptions where order_id = ${orders})`,
  ],
  [/nobody downloaded a file more often/, `update download_counts set used = 100 where ${orders} is not null`],
]

/** Runs a statement as the owner without triggers and references, and takes it back; returns the rules that notice it. */
const noticedBy = async (damage: string, number: string): Promise<string[]> => {
  const client = new pg.Client({ connectionString: app.database.ownerUrl })
  await client.connect()
  try {
    await client.query('begin; set local session_replication_role = replica')
    const { rowCount } = await client.query(damage, [number])
    assert.ok(rowCount !== null && rowCount > 0, `${damage} changes nothing`)
    const query = async <Row extends pg.QueryResultRow>(text: string) => (await client.query<Row>(text)).rows
    return (await brokenRules({ query })).map(({ name }) => name)
  } finally {
    await client.query('rollback')
    await client.end()
  }
}

test('every rule of the books notices the damage that it is for', async () => {
  const ada = await seller(app, ['coupons:read', 'coupons:write', 'orders:read'])
  const femi = await app.actor('femi', { scopes: ['account:read', 'account:write'] })
  const [one, two] = [await sell(ada, 'Damaged', [once(2000)]), await sell(ada, 'Damaged as well', [once(1000)])]
  await makeCoupon(ada, 'DAMAGE', {})
  const { json: order, text } = await checkout(femi, [one.priceId, two.priceId], { codes: ['DAMAGE'] })
  assert.ok(order.id, text)
  await decide(app, 'confirmPayment', order.id, {})
  const lines = [{ line_id: order.lines[0].id }]
  await decide(app, 'refundOrder', order.id, { reason: 'requested', lines })
  const product = await sellProduct(ada, { name: 'Damaged recipes', download_limit: 3 })
  await give(app, ada, product, 'femi')
  const file = product.files[0]
  const link = await femi.write('POST', `/account/downloads/${file}/links`)
  assert.equal(link.status, 201, link.text)
  const { pathname, search } = new URL(link.json.url)
  assert.equal((await app.send({ path: pathname + search })).status, 200)
  await assertLedger(app.database)
  for (const [rule, damage] of damages) {
    const noticed = await noticedBy(damage, order.number)
    assert.ok(
      noticed.some(name => rule.test(name)),
      `${rule} does not notice: ${damage}; ${noticed.join()}`,
    )
  }
})
