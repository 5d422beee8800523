import assert from 'node:assert/strict'
import { buy, done, getPayment, purchaseNow, purchaseWhen, quiet } from '../../payments.ts'
import { type Case, checkBooks, failToBegin, holdNotices, isLatest, isPaid } from '../scene.ts'

/** What notices do, and what happens without them. */
export const noticeCases: readonly Case[] = [
  {
    name: 'notices that come twice, reversed and late come to the same',
    needs: ['notices'],
    run: scene =>
      holdNotices(scene, async () => {
        const { app, controls } = scene
        const purchase = await scene.open()
        await scene.does(purchase, { does: 'pay' })
        await scene.does(purchase, { does: 'charge_back' })
        const all = Array.from({ length: controls.notices.countHeld() }, (_, index) => index)
        const statuses = await controls.notices.deliver([...all.toReversed(), ...all])
        assert.deepEqual([...new Set(statuses)], [200])
        await purchaseWhen(app, purchase, ({ status, dispute }) => status === 'paid' && dispute === 'open')
        await scene.does(purchase, { does: 'win' })
        await controls.notices.deliver([0, controls.notices.countHeld() - 1])
        await purchaseWhen(app, purchase, ({ dispute }) => dispute === 'won')
        await controls.notices.deliver(all)
        await quiet(app)
        const now = await purchaseNow(app, purchase)
        assert.deepEqual([now.paid, now.dispute, now.disputes.length], [4900, 'won', 1])
        await checkBooks(scene, purchase)
      }),
  },
  {
    name: 'without any notice a buyer who returns is told',
    needs: ['notices'],
    run: async scene => {
      const { app, controls } = scene
      const purchase = await scene.open()
      controls.notices.setSending('never')
      await scene.does(purchase, { does: 'pay' })
      await done(app, 'look', { id: purchase.id })
      controls.notices.setSending('now')
      assert.ok(isPaid(await purchaseNow(app, purchase)))
      await checkBooks(scene, purchase)
    },
  },
  {
    name: 'a notice of a payment whose answer was lost teaches its id',
    needs: ['faults', 'notices'],
    run: async scene => {
      const { app, provider, controls } = scene
      const purchase = await buy(app, { provider: provider.name })
      controls.fail('begin', 'lost')
      await failToBegin(scene, purchase)
      await scene.does(purchase, { does: 'pay' })
      const paid = await purchaseWhen(app, purchase, isPaid)
      const { id } = getPayment(purchase)
      const [booked, ...others] = (await controls.readBooks()).payments.filter(({ paymentId }) => paymentId === id)
      assert.equal(others.length, 0)
      assert.ok(booked?.refs.includes(paid.payments[0]?.reference ?? ''))
      await checkBooks(scene, purchase)
    },
  },
  {
    name: 'a notice of an unknown payment is accepted, and nothing happens',
    needs: ['notices'],
    run: async scene => {
      const { app, controls } = scene
      const purchase = await scene.open()
      await quiet(app)
      const asked = controls.countRequests('find')
      assert.equal(await controls.notices.deliverUnknown(), 200)
      await quiet(app)
      assert.ok(isLatest('open')(await purchaseNow(app, purchase)))
      assert.equal(controls.countRequests('find'), asked)
    },
  },
  {
    name: 'a notice that is not genuine is refused, and the provider is not asked',
    needs: ['notices'],
    run: async scene => {
      const { app, controls } = scene
      const purchase = await scene.open()
      controls.notices.setSending('never')
      await scene.does(purchase, { does: 'pay' })
      controls.notices.setSending('now')
      await quiet(app)
      const asked = controls.countRequests('find')
      assert.equal(await controls.notices.deliverForged(getPayment(purchase).id), 400)
      await quiet(app)
      assert.equal(controls.countRequests('find'), asked)
      assert.equal((await purchaseNow(app, purchase)).paid, 0)
      await done(app, 'look', { id: purchase.id })
      await checkBooks(scene, purchase)
    },
  },
]
