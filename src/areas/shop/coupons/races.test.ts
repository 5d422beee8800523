import assert from 'node:assert/strict'
import { after, afterEach, before, suite, test } from 'node:test'
import { testApp } from '#testing/app.ts'
import {
  type CodeOrder,
  type CouponProcess,
  makeCoupon,
  newOrder,
  payOrder,
  startCouponProcess,
} from '#testing/coupons.ts'
import { assertLedger } from '#testing/ledger.ts'
import { addMembers, openSales } from '#testing/offers.ts'

const app = testApp()
const SCOPES = ['coupons:read', 'coupons:write']
const TIMES = 50

suite('two processes on one database', () => {
  const processes: CouponProcess[] = []

  before(async () => {
    const start = () => startCouponProcess(app.database.appUrl, app.a.id)
    processes.push(...(await Promise.all([start(), start()])))
  })
  after(() => Promise.all(processes.map(process => process.stop())))
  afterEach(() => assertLedger(app.database))

  const placeAll = async (orders: readonly CodeOrder[], isLocking: boolean): Promise<string[]> => {
    const tasks = orders.map(order => ({ verb: 'place', order, isLocking }) as const)
    const half = Math.ceil(tasks.length / 2)
    const [one, other] = processes
    const outcomes = await Promise.all([one?.perform(tasks.slice(0, half)), other?.perform(tasks.slice(half))])
    return outcomes.flatMap(some => some ?? []).sort()
  }

  const times = (reason: string, count: number): string[] => Array.from({ length: count }, () => reason)

  // Whether the coupon is locked when the codes are applied, or first by the update that counts the use.
  for (const isLocking of [false, true]) {
    const how = isLocking ? 'with locked coupons' : 'by the conditional update alone'

    test(`G-01 of ${TIMES} orders of different members for the last use one holds it, ${how}`, async () => {
      const ada = await app.actor('ada', { scopes: SCOPES })
      const code = `LAST-${isLocking}`
      await makeCoupon(ada, code, { max_redemptions: 1 })
      const orders = (await addMembers(app, TIMES)).map(member => newOrder(member, code))
      assert.deepEqual(await placeAll(orders, isLocking), ['held', ...times('used_up', TIMES - 1)])
    })

    test(`G-02 of ${TIMES} orders of one member for one use each one holds it, ${how}`, async () => {
      const ada = await app.actor('ada', { scopes: SCOPES })
      const code = `EACH-${isLocking}`
      await makeCoupon(ada, code, { max_per_member: 1 })
      const [member = ''] = await addMembers(app, 1)
      const orders = Array.from({ length: TIMES }, () => newOrder(member, code))
      assert.deepEqual(await placeAll(orders, isLocking), ['held', ...times('used_by_you', TIMES - 1)])
    })

    test(`G-01 a budget is never exceeded, ${how}`, async () => {
      const ada = await app.actor('ada', { scopes: SCOPES })
      const code = `BUDGET-${isLocking}`
      await makeCoupon(ada, code, { max_amount: 3500 })
      const orders = (await addMembers(app, 20)).map(member => newOrder(member, code))
      assert.deepEqual(await placeAll(orders, isLocking), [...times('held', 3), ...times('used_up', 17)])
    })
  }

  test('G-20 a redemption that is paid and ended many times at once is counted once', async () => {
    const ada = await app.actor('ada', { scopes: SCOPES })
    await makeCoupon(ada, 'AT-ONCE', { returns_on_refund: true, max_redemptions: 2, max_per_member: 1 })
    const sales = openSales(app.database.appUrl, app.a.id)
    const [member = ''] = await addMembers(app, 1)
    const order = newOrder(member, 'AT-ONCE')
    assert.deepEqual(await placeAll([order], true), ['held'])
    const steps = Array.from(
      { length: 10 },
      (_, at) => ({ verb: at % 2 === 0 ? 'pay' : 'end', orderId: order.orderId }) as const,
    )
    const outcomes = (await Promise.all(processes.map(process => process.perform(steps)))).flat()
    assert.deepEqual([...new Set(outcomes)], ['1 done, 0 failed'])
    await payOrder(sales, order.orderId)
    await sales.close()
    const { json } = await ada.get('/coupons/code:AT-ONCE')
    assert.deepEqual([json.times_held, json.times_redeemed], [0, 1])
  })

  test('a coupon does not change its value between the quote of an order and its hold', async () => {
    const ada = await app.actor('ada', { scopes: SCOPES })
    for (let round = 0; round < 5; round++) {
      const code = `VALUE-${round}`
      const { id } = await makeCoupon(ada, code, { percent_off: '20' })
      const [member = ''] = await addMembers(app, 1)
      const [changed, outcomes] = await Promise.all([
        ada.write('PATCH', `/coupons/${id}`, { percent_off: '10' }),
        placeAll([newOrder(member, code)], true),
      ])
      assert.deepEqual(outcomes, ['held'])
      const [row] = await app.database.query<{ amount: string; percent_off: number }>(
        `select r.amount, c.percent_off from coupon_redemptions r join coupons c on c.id = r.coupon_id where c.name = $1`,
        [code],
      )
      assert.ok([200, 409].includes(changed.status), changed.text)
      assert.equal(
        Number(row?.amount),
        (5000 * (row?.percent_off ?? 0)) / 1_000_000,
        'the redemption has the value of the coupon',
      )
    }
  })
})
