import assert from 'node:assert/strict'
import { act, done, getPayment, purchaseNow, purchaseWhen, quiet } from '../../payments.ts'
import type { Purchase } from '../../purchases.ts'
import { until } from '../../until.ts'
import type { Booked } from '../provider.ts'
import { type Case, checkBooks, hasNoAnswer, holdNotices, isPaid, type Scene } from '../scene.ts'

const readRefunds = async ({ controls }: Scene, purchase: Purchase): Promise<Booked['refunds']> => {
  const { payments } = await controls.readBooks()
  return payments.find(({ paymentId }) => paymentId === getPayment(purchase).id)?.refunds ?? []
}

/** What goes back: refunds and disputes. */
export const moneyCases: readonly Case[] = [
  {
    name: 'refunds go back in parts, and never more than arrived',
    needs: [],
    run: async scene => {
      const { app } = scene
      const purchase = await scene.pay()
      const { row: payment } = getPayment(purchase)
      await done(app, 'refund', { id: purchase.id, payment, amount: 1900 })
      await purchaseWhen(app, purchase, ({ refunded }) => refunded === 1900)
      const refused = await act(app, 'refund', { id: purchase.id, payment, amount: 3001 })
      assert.deepEqual([refused.status, refused.json.code, refused.json.left], [409, 'refund_too_large', 3000])
      await done(app, 'refund', { id: purchase.id, payment, amount: 3000 })
      await purchaseWhen(app, purchase, ({ refunded }) => refunded === 4900)
      await checkBooks(scene, purchase)
    },
  },
  {
    name: 'a refund whose answer is lost, or is an error, goes back once',
    needs: ['faults'],
    run: async scene => {
      const { app, controls } = scene
      for (const fault of ['lost', 'error'] as const) {
        const purchase = await scene.pay()
        controls.fail('refund', fault)
        await done(app, 'refund', { id: purchase.id, payment: getPayment(purchase).row, amount: 4900 })
        await purchaseWhen(app, purchase, ({ refunded }) => refunded === 4900)
        await checkBooks(scene, purchase)
        assert.equal((await readRefunds(scene, purchase)).length, 1, fault)
      }
    },
  },
  {
    name: 'a refund whose key may be forgotten is looked up: it is there, or has failed and is asked for again',
    needs: ['faults', 'notices'],
    run: async scene => {
      const { app, controls, provider } = scene
      for (const [fault, state] of [
        ['lost', 'succeeded'],
        ['hanging', 'failed'],
      ] as const) {
        const purchase = await scene.pay()
        controls.notices.setSending('never')
        const asked = controls.countRequests('refund')
        controls.fail('refund', fault)
        const refund = { id: purchase.id, payment: getPayment(purchase).row, amount: 900 }
        await done(app, 'refund', refund)
        await until(async () => controls.countRequests('refund') > asked, 'it is asked for')
        if (fault === 'lost') await until(() => hasNoAnswer(scene), 'it is known that there was no answer')
        // The provider is asked again after the time for which it keeps keys, by which it has forgotten them.
        await app.database.query(
          'update refunds set called_at = called_at - make_interval(secs => $2) where payment_id = $1',
          [refund.payment, String(provider.keysLast + 60)],
        )
        controls.forgetKeys()
        controls.release()
        await purchaseWhen(app, purchase, ({ refunds }) => refunds[0]?.state === state)
        if (state === 'failed') await done(app, 'refund', refund)
        await purchaseWhen(app, purchase, ({ refunded }) => refunded === 900)
        assert.equal((await readRefunds(scene, purchase)).length, 1, fault)
        controls.notices.setSending('now')
        await checkBooks(scene, purchase)
      }
    },
  },
  {
    name: 'a refund takes days, and may fail after it succeeded',
    needs: ['slowRefunds'],
    run: async scene => {
      const { app, controls } = scene
      const purchase = await scene.pay()
      controls.setRefunds('take_long')
      await done(app, 'refund', { id: purchase.id, payment: getPayment(purchase).row, amount: 900 })
      await purchaseWhen(app, purchase, ({ refunds }) => refunds[0]?.state === 'processing')
      controls.setRefunds('succeed')
      await controls.settleRefunds()
      await purchaseWhen(app, purchase, ({ refunded }) => refunded === 900)
      await scene.does(purchase, { does: 'fail_refunds' })
      await purchaseWhen(app, purchase, ({ refunded, refunds }) => refunded === 0 && refunds[0]?.state === 'failed')
      await checkBooks(scene, purchase)
    },
  },
  {
    name: 'a refund that has failed stays failed, whatever older answers and notices say',
    needs: ['slowRefunds', 'faults', 'notices'],
    run: scene =>
      holdNotices(scene, async () => {
        const { app, controls } = scene
        const purchase = await scene.open()
        await scene.does(purchase, { does: 'pay' })
        await controls.notices.deliver([0])
        await purchaseWhen(app, purchase, isPaid)
        controls.fail('refund', 'held')
        await done(app, 'refund', { id: purchase.id, payment: getPayment(purchase).row, amount: 900 })
        await until(async () => (await readRefunds(scene, purchase)).length === 1, 'the refund is made')
        // It succeeded, which its answer will say, and has failed before that answer arrives.
        await scene.does(purchase, { does: 'fail_refunds' })
        const all = Array.from({ length: controls.notices.countHeld() }, (_, index) => index)
        await controls.notices.deliver(all.slice(-1))
        await purchaseWhen(app, purchase, ({ refunds }) => refunds[0]?.state === 'failed')
        for (const say of [() => controls.release(), () => controls.notices.deliver(all.toReversed())]) {
          await say()
          await quiet(app)
          const { refunded, refunds } = await purchaseNow(app, purchase)
          assert.deepEqual([refunded, refunds.map(({ state }) => state)], [0, ['failed']])
        }
        await checkBooks(scene, purchase)
      }),
  },
  {
    name: 'a refund that the provider refuses has failed',
    needs: ['slowRefunds'],
    run: async scene => {
      const { app, controls } = scene
      const purchase = await scene.pay()
      controls.setRefunds('fail')
      await done(app, 'refund', { id: purchase.id, payment: getPayment(purchase).row, amount: 900 })
      await purchaseWhen(app, purchase, ({ refunds }) => refunds[0]?.state === 'failed')
      controls.setRefunds('succeed')
      await checkBooks(scene, purchase)
    },
  },
  {
    name: 'a dispute is open, and then won or lost',
    needs: [],
    run: async scene => {
      for (const does of ['win', 'lose'] as const) {
        const purchase = await scene.pay()
        await scene.does(purchase, { does: 'charge_back' })
        await purchaseWhen(scene.app, purchase, ({ dispute }) => dispute === 'open')
        await scene.does(purchase, { does })
        await purchaseWhen(scene.app, purchase, ({ dispute }) => dispute === (does === 'win' ? 'won' : 'lost'))
        await quiet(scene.app)
        const now = await purchaseNow(scene.app, purchase)
        assert.deepEqual(
          now.disputes.map(({ amount }) => amount),
          [4900],
        )
        await checkBooks(scene, purchase)
      }
    },
  },
  {
    name: 'what the owner refunds at the provider is a difference, and no refund of ours',
    needs: ['notices'],
    run: async scene => {
      const purchase = await scene.pay()
      await scene.does(purchase, { does: 'refund', amount: 500 })
      const now = await purchaseWhen(scene.app, purchase, ({ payments }) => payments[0]?.difference === 'refunds')
      assert.equal(now.refunded, 0)
    },
  },
]
