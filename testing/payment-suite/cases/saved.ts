import assert from 'node:assert/strict'
import { done, getPayment, purchaseWhen } from '../../payments.ts'
import { until } from '../../until.ts'
import { type Case, checkBooks, hasNoAnswer, isLatest, isPaid, type Scene } from '../scene.ts'

const countEffects = async ({ controls }: Scene, id: string): Promise<number> =>
  (await controls.readBooks()).effects.filter(effect => effect === `charge ${id}`).length

/** Methods that are saved, and charged while the buyer is away. */
export const savedCases: readonly Case[] = [
  {
    name: 'a method that was saved with a payment is charged later, and refunded',
    needs: ['saves'],
    run: async scene => {
      const { app } = scene
      const purchase = await scene.charge(await scene.save())
      await purchaseWhen(app, purchase, isPaid)
      await done(app, 'refund', { id: purchase.id, payment: getPayment(purchase).row, amount: 4900 })
      await purchaseWhen(app, purchase, ({ refunded }) => refunded === 4900)
      await checkBooks(scene, purchase)
    },
  },
  {
    name: 'a charge fails for now, for good, or until the buyer is there',
    needs: ['saves'],
    run: async scene => {
      for (const [behaviour, mayRetry] of [
        ['declines', true],
        ['declines_finally', false],
        ['asks_person', false],
      ] as const) {
        const purchase = await scene.charge(await scene.save(behaviour))
        const failed = await purchaseWhen(scene.app, purchase, isLatest('failed'))
        assert.deepEqual([failed.paid, failed.payments[0]?.may_retry], [0, mayRetry], behaviour)
        await checkBooks(scene, purchase)
      }
    },
  },
  {
    name: 'a charge that takes days is on its way until it arrives or bounces',
    needs: ['saves', 'debits'],
    run: async scene => {
      for (const does of ['settle', 'bounce'] as const) {
        const purchase = await scene.charge(await scene.save('takes_long'))
        await purchaseWhen(scene.app, purchase, isLatest('processing'))
        await scene.does(purchase, { does })
        await purchaseWhen(scene.app, purchase, does === 'settle' ? isPaid : isLatest('failed'))
        await checkBooks(scene, purchase)
      }
    },
  },
  {
    name: 'a charge whose answer is lost, or is an error, has one effect',
    needs: ['saves', 'faults', 'notices'],
    run: async scene => {
      const { app, controls } = scene
      const method = await scene.save()
      controls.notices.setSending('never')
      for (const fault of ['lost', 'busy'] as const) {
        controls.fail('charge', fault)
        const purchase = await scene.charge(method)
        await purchaseWhen(app, purchase, isPaid)
        assert.equal(await countEffects(scene, getPayment(purchase).id), 1, fault)
        await checkBooks(scene, purchase)
      }
      controls.notices.setSending('now')
    },
  },
  {
    name: 'a charge whose key may be forgotten is looked up, and not repeated',
    needs: ['saves', 'faults', 'notices'],
    run: async scene => {
      const { app, controls, provider } = scene
      const method = await scene.save()
      controls.notices.setSending('never')
      controls.fail('charge', 'lost')
      const purchase = await scene.charge(method)
      const { id, row } = getPayment(purchase)
      // The worker has noted that there was no answer, and will ask again.
      await until(async () => (await countEffects(scene, id)) === 1 && (await hasNoAnswer(scene)), 'it is charged')
      // The provider is asked again after the time for which it keeps keys, by which it has forgotten them.
      await app.database.query('update payments set called_at = called_at - make_interval(secs => $2) where id = $1', [
        row,
        String(provider.keysLast + 60),
      ])
      controls.forgetKeys()
      await purchaseWhen(app, purchase, isPaid)
      assert.equal(await countEffects(scene, id), 1)
      controls.notices.setSending('now')
      await checkBooks(scene, purchase)
    },
  },
]
