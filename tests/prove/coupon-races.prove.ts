import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { testApp } from '#testing/app.ts'
import { type CodeTask, type CouponProcess, makeCoupon, newOrder, startCouponProcess } from '#testing/coupons.ts'
import { assertLedger } from '#testing/ledger.ts'
import { addMembers } from '#testing/offers.ts'
import { computeRounds } from '#testing/rounds.ts'

const app = testApp()
const ROUNDS = computeRounds(200)
const processes: CouponProcess[] = []

suite('two processes on one database', () => {
  before(async () => {
    const start = () => startCouponProcess(app.database.appUrl, app.a.id)
    processes.push(...(await Promise.all([start(), start()])))
  })
  after(() => Promise.all(processes.map(process => process.stop())))

  // The same steps in both processes at once, in each from its own end.
  const performTwice = async (tasks: readonly CodeTask[]): Promise<string[]> =>
    (await Promise.all(processes.map((process, at) => process.perform(at === 0 ? tasks : tasks.toReversed())))).flat()

  test(`G-01 G-02 G-20 in ${ROUNDS} rounds of orders that are placed, paid and ended at once, no use is given twice and each is counted`, async () => {
    const ada = await app.actor('ada', { scopes: ['coupons:read', 'coupons:write'] })
    const buyers = await addMembers(app, 4)
    const settings = { max_redemptions: 3, max_per_member: 1, stackable: true, returns_on_refund: true }
    for (let round = 1; round <= ROUNDS; round++) {
      const codes = [`ROUND-${round}-A`, `ROUND-${round}-B`]
      // By their ids, the coupons of an order are applied in another order than that in which they are locked.
      await makeCoupon(ada, codes[0] ?? '', { kind: 'fixed', amount_off: 500, ...settings })
      await makeCoupon(ada, codes[1] ?? '', settings)
      const orders = buyers.map((buyer, at) => newOrder(buyer, ...(at % 2 === 0 ? codes : codes.toReversed())))
      const isLocking = round % 2 === 0
      const placed = await performTwice(orders.map(order => ({ verb: 'place', order, isLocking })))
      // Each order is placed by both processes, and a second hold changes nothing; one of the four finds no use.
      const refusals = placed.filter(outcome => outcome !== 'held')
      assert.ok(
        refusals.every(outcome => ['used_up', 'used_by_you'].includes(outcome)),
        placed.join(),
      )
      const rows = await app.database.query<{ order_id: string; count: number }>(
        `select r.order_id, count(*)::integer as count from coupon_redemptions r join coupons c on c.id = r.coupon_id
         where c.name = any ($1) and r.status = 'held' group by r.order_id`,
        [codes],
      )
      assert.equal(rows.length, 3, 'three orders hold the three uses')
      assert.ok(
        rows.every(({ count }) => count === 2),
        'an order holds both codes or none',
      )
      const steps = orders.flatMap(({ orderId }): CodeTask[] => [
        { verb: 'pay', orderId },
        { verb: 'end', orderId },
      ])
      for (const outcome of await performTwice(steps)) assert.match(outcome, /^\d done, \d failed$/)
      await assertLedger(app.database)
    }
  })
})
