import assert from 'node:assert/strict'
import { buy, done, getPayment, purchaseNow, purchaseWhen } from '../../payments.ts'
import { until } from '../../until.ts'
import { type Case, checkBooks, failToBegin, isLatest, isPaid, openAgain, type Scene } from '../scene.ts'

const countPages = async ({ controls }: Scene, id: string): Promise<number> =>
  (await controls.readBooks()).payments.filter(({ paymentId }) => paymentId === id).length

/** What happens on the page of a payment. */
export const pageCases: readonly Case[] = [
  {
    name: 'a page is opened once, however often and at whatever time it is begun',
    needs: [],
    run: async scene => {
      const { app, provider } = scene
      const purchase = await buy(app, { provider: provider.name })
      const { row, id } = getPayment(purchase)
      const begin = () => done<{ redirect: string }>(app, 'begin', { payment: row })
      const pages = await Promise.all(Array.from({ length: 4 }, begin))
      assert.deepEqual([...new Set(pages.map(({ redirect }) => redirect))], [(await begin()).redirect])
      assert.equal(await countPages(scene, id), 1)
      await scene.does(purchase, { does: 'pay' })
      await purchaseWhen(app, purchase, isPaid)
      await checkBooks(scene, purchase)
    },
  },
  {
    name: 'a page whose answer is lost, or is an error, is the same page the next time',
    needs: ['faults'],
    run: async scene => {
      const { app, provider, controls } = scene
      const purchase = await buy(app, { provider: provider.name })
      for (const fault of ['error', 'busy', 'lost'] as const) {
        controls.fail('begin', fault)
        await failToBegin(scene, purchase)
      }
      await done(app, 'begin', { payment: getPayment(purchase).row })
      assert.equal(await countPages(scene, getPayment(purchase).id), 1)
      await scene.does(purchase, { does: 'pay' })
      await purchaseWhen(app, purchase, isPaid)
      await checkBooks(scene, purchase)
    },
  },
  {
    name: 'while a page opens slowly the order is not locked, and one that is canceled meanwhile has no page',
    needs: ['faults'],
    run: async scene => {
      const { app, provider, controls } = scene
      const purchase = await buy(app, { provider: provider.name })
      const { row, id } = getPayment(purchase)
      controls.fail('begin', 'held')
      const beginning = app.send({
        method: 'POST',
        path: '/purchases',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ act: 'begin', payment: row }),
      })
      await until(async () => (await countPages(scene, id)) === 1, 'the call arrives')
      await done(app, 'cancel', { id: purchase.id })
      controls.release()
      assert.ok([409, 503].includes((await beginning).status))
      await purchaseWhen(app, purchase, isLatest('canceled'))
      const [booked] = (await controls.readBooks()).payments.filter(({ paymentId }) => paymentId === id)
      assert.equal(booked?.state, 'ended')
    },
  },
  {
    name: 'a decline leaves the order unpaid, and the buyer pays after it',
    needs: [],
    run: async scene => {
      const { app } = scene
      const purchase = await scene.open()
      await scene.does(purchase, { does: 'decline' })
      const declined = await purchaseWhen(app, purchase, ({ payments }) => payments[0]?.failure_code !== null)
      assert.deepEqual([declined.paid, declined.payments[0]?.may_retry], [0, true])
      const again = isLatest('open')(declined) ? declined : await openAgain(scene, declined)
      await scene.does(again, { does: 'pay' })
      await purchaseWhen(app, purchase, isPaid)
      await checkBooks(scene, purchase)
    },
  },
  {
    name: 'a decline for good is told as such',
    needs: [],
    run: async scene => {
      const purchase = await scene.open()
      await scene.does(purchase, { does: 'decline_finally' })
      const declined = await purchaseWhen(scene.app, purchase, ({ payments }) => payments[0]?.failure_code !== null)
      assert.deepEqual([declined.paid, declined.payments[0]?.may_retry], [0, false])
      await checkBooks(scene, purchase)
    },
  },
  {
    name: 'a buyer who has to authenticate has paid only then',
    needs: [],
    run: async scene => {
      const purchase = await scene.open()
      await scene.does(purchase, { does: 'ask_person' })
      await done(scene.app, 'look', { id: purchase.id })
      assert.equal((await purchaseNow(scene.app, purchase)).paid, 0)
      await scene.does(purchase, { does: 'authenticate' })
      await purchaseWhen(scene.app, purchase, isPaid)
      await checkBooks(scene, purchase)
    },
  },
  {
    name: 'a page that is left stays open, and ends with the order',
    needs: [],
    run: async scene => {
      const { app, controls } = scene
      const purchase = await scene.open()
      await scene.does(purchase, { does: 'leave' })
      await done(app, 'look', { id: purchase.id })
      assert.ok(isLatest('open')(await purchaseNow(app, purchase)))
      await done(app, 'cancel', { id: purchase.id })
      await purchaseWhen(app, purchase, isLatest('canceled'))
      const { id } = getPayment(purchase)
      const [booked] = (await controls.readBooks()).payments.filter(({ paymentId }) => paymentId === id)
      assert.equal(booked?.state, 'ended')
      await checkBooks(scene, purchase)
    },
  },
  {
    name: 'a page that ends by itself can be followed by another one',
    needs: [],
    run: async scene => {
      const { app } = scene
      const purchase = await scene.open()
      await scene.does(purchase, { does: 'expire' })
      await done(app, 'look', { id: purchase.id })
      const ended = await purchaseWhen(app, purchase, isLatest('canceled'))
      const again = await openAgain(scene, ended)
      await scene.does(again, { does: 'pay' })
      await purchaseWhen(app, purchase, isPaid)
      await checkBooks(scene, purchase)
    },
  },
  {
    name: 'money that arrives after the order was canceled is counted',
    needs: [],
    run: async scene => {
      const { app } = scene
      const purchase = await scene.open()
      await scene.does(purchase, { does: 'pay_late' })
      await done(app, 'cancel', { id: purchase.id })
      const late = await purchaseWhen(app, purchase, ({ paid }) => paid === purchase.total)
      assert.equal(late.payments[0]?.state, 'succeeded')
      await checkBooks(scene, purchase)
    },
  },
  {
    name: 'what is received twice is refunded once',
    needs: [],
    run: async scene => {
      const purchase = await scene.open()
      await scene.does(purchase, { does: 'pay_twice' })
      const over = await purchaseWhen(scene.app, purchase, ({ refunded, total }) => refunded === total)
      assert.deepEqual(
        over.refunds.map(({ reason, state }) => [reason, state]),
        [['overpaid', 'succeeded']],
      )
      await checkBooks(scene, purchase)
    },
  },
  {
    name: 'a slow payment is on its way until it arrives or bounces',
    needs: ['delays'],
    run: async scene => {
      for (const does of ['settle', 'bounce'] as const) {
        const purchase = await scene.open()
        await scene.does(purchase, { does: 'take_long' })
        // The buyer returns: not every provider has a notice of what is on its way.
        await done(scene.app, 'look', { id: purchase.id })
        await purchaseWhen(scene.app, purchase, isLatest('processing'))
        await scene.does(purchase, { does })
        await purchaseWhen(scene.app, purchase, does === 'settle' ? isPaid : isLatest('failed'))
        await checkBooks(scene, purchase)
      }
    },
  },
]
