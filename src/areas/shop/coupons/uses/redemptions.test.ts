import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { toId } from '#src/kit/ids.ts'
import { testApp } from '#testing/app.ts'
import { type CodeOrder, endOrder, makeCoupon, newOrder, payOrder, placeOrder } from '#testing/coupons.ts'
import { assertLedger } from '#testing/ledger.ts'
import { addMembers, openSales } from '#testing/offers.ts'

const app = testApp()

let opened: ReturnType<typeof openSales> | undefined
after(() => opened?.close())

/** The transactions in which orders use coupons. */
const sales = (): ReturnType<typeof openSales> => {
  opened ??= openSales(app.database.appUrl, app.a.id)
  return opened
}

afterEach(() => assertLedger(app.database))

const staff = () => app.actor('ada', { scopes: ['coupons:read', 'coupons:write', 'members:read'] })

const held = async (): Promise<CodeOrder> => {
  const [memberId = ''] = await addMembers(app, 1)
  const order = newOrder(memberId, 'LISTED')
  assert.equal((await placeOrder(sales(), order)).outcome, 'held')
  return order
}

test('the list of redemptions shows who used a coupon, by status, code and member, as CSV and in the order of commits', async () => {
  const ada = await staff()
  const { id } = await makeCoupon(ada, 'LISTED', { returns_on_refund: true })
  const [one, two] = [await held(), await held()]
  await payOrder(sales(), one.orderId)
  const path = `/coupons/${id}/redemptions`
  const { json } = await ada.get(`${path}?include_total=true`)
  const [newest, oldest] = json.data
  assert.deepEqual([json.total, newest.status, oldest.status, oldest.amount], [2, 'held', 'taken', 1000])
  assert.deepEqual([oldest.member.id, oldest.member.name], [toId('mem', one.memberId), 'Buyer'])
  assert.equal(oldest.order_id, toId('ord', one.orderId))
  for (const filter of ['status=taken', `member_id=${toId('mem', one.memberId)}`])
    assert.deepEqual((await ada.get(`${path}?${filter}`)).json.data, [oldest])
  assert.equal((await ada.get(`${path}?code_id=${oldest.code_id}`)).json.data.length, 2)
  const csv = await ada.get(path, { accept: 'text/csv' })
  const lines = csv.text.trimEnd().split('\r\n')
  assert.deepEqual([lines.length, lines.at(-1)], [4, '# complete'])
  assert.ok(lines[2]?.includes(`,taken,10.00,EUR,`), csv.text)
  await app.settled()
  const start = (await ada.get(`${path}?after=0`)).json
  assert.equal(start.data.length, 2)
  await endOrder(sales(), two.orderId)
  await app.settled()
  const next = (await ada.get(`${path}?after=${start.next_after}`)).json
  assert.deepEqual(
    next.data.map((row: Record<string, unknown>) => [row.order_id, row.status]),
    [[toId('ord', two.orderId), 'returned']],
  )
})
