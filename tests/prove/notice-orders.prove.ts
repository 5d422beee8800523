// One thing: notices of a payment in every order, while a call of ours about it has no answer yet, come to the same books.
import assert from 'node:assert/strict'
import { toId } from '#src/kit/ids.ts'
import type { Action, Call } from '#testing/payment-suite/provider.ts'
import { providersUnderTest } from '#testing/payment-suite/providers.ts'
import { checkBooks, isPaid, type Scene } from '#testing/payment-suite/scene.ts'
import { usePaidSchool } from '#testing/payment-suite/school.ts'
import { act, buy, done, getPayment, purchaseNow, purchaseWhen, quiet } from '#testing/payments.ts'
import type { Purchase } from '#testing/purchases.ts'
import { computeRounds } from '#testing/rounds.ts'
import { until } from '#testing/until.ts'

const providers = providersUnderTest.filter(({ can }) => can.notices)
const { test, openScene } = usePaidSchool(providers)

type Order = readonly number[]

const listOrders = (count: number): readonly Order[] =>
  count === 0
    ? [[]]
    : listOrders(count - 1).flatMap(order =>
        Array.from({ length: count }, (_, at) => order.toSpliced(at, 0, count - 1)),
      )

const all = [1, 2, 3, 4, 5].flatMap(listOrders)
const step = Math.ceil(all.length / computeRounds(all.length))
const orders = all.filter((_, index) => index % step === 0)

const hasEffect = async ({ controls }: Scene, effect: string): Promise<boolean> =>
  (await controls.readBooks()).effects.includes(effect)

/** Has a call of ours wait for its answer while the notices that actions lead to arrive in an order. */
const deliverWhileHeld = async (
  scene: Scene,
  {
    purchase,
    actions,
    order,
  }: { readonly purchase: Purchase; readonly actions: readonly Action[]; readonly order: Order },
): Promise<void> => {
  const { notices } = scene.controls
  for (const action of actions) if (notices.countHeld() < order.length) await scene.does(purchase, action)
  assert.ok(notices.countHeld() >= order.length, 'the actions lead to too few notices')
  assert.deepEqual([...new Set(await notices.deliver(order))], [200])
}

type Way = {
  readonly call: Call
  run(scene: Scene, order: Order, index: number): Promise<Purchase>
}

const AMOUNT = 4900

// The page is made, and the buyer has paid on it, before we know its id.
const begin: Way = {
  call: 'begin',
  run: async (scene, order, index) => {
    const { app, provider, controls } = scene
    const purchase = await buy(app, { provider: provider.name, amount: AMOUNT })
    const { row, id } = getPayment(purchase)
    controls.fail('begin', 'held')
    const begun = act(app, 'begin', { payment: row })
    await until(() => hasEffect(scene, `page ${id}`), 'the page is made')
    const actions: readonly Action[] = [
      { does: 'pay' },
      { does: 'charge_back', amount: 1000 },
      { does: 'win' },
      { does: 'refund', amount: 500 },
      { does: 'fail_refunds' },
    ]
    await deliverWhileHeld(scene, { purchase, actions, order })
    // The answer comes after all that the notices lead to, or in the middle of it.
    if (index % 2 === 0) await purchaseWhen(app, purchase, isPaid)
    controls.release()
    // On a slow computer the answer came too late.
    assert.ok([200, 503].includes((await begun).status))
    return purchase
  },
}

// What we pay back has gone back, while banks and the owner take back other parts.
const refund: Way = {
  call: 'refund',
  run: async (scene, order) => {
    const { app, controls } = scene
    controls.notices.setSending('now')
    const purchase = await scene.pay({ amount: AMOUNT })
    controls.notices.setSending('held')
    controls.notices.drop()
    controls.fail('refund', 'held')
    const { refunds } = await done(app, 'refund', { id: purchase.id, payment: getPayment(purchase).row, amount: 900 })
    const id = toId('rfd', refunds[0]?.id ?? '')
    await until(() => hasEffect(scene, `refund ${id}`), 'the refund is made')
    const actions: readonly Action[] = [
      { does: 'charge_back', amount: 1000 },
      { does: 'win' },
      { does: 'refund', amount: 300 },
      { does: 'refund', amount: 200 },
      { does: 'refund', amount: 100 },
    ]
    await deliverWhileHeld(scene, { purchase, actions, order })
    controls.release()
    return purchase
  },
}

const summarize = ({ status, paid, refunded, dispute, payments, refunds, disputes, calls }: Purchase) => ({
  status,
  paid,
  refunded,
  dispute,
  payments: payments.map(({ state, paid_amount }) => [state, paid_amount]),
  refunds: refunds.map(({ state, amount }) => [state, amount]),
  disputes: disputes.map(({ state, amount }) => [state, amount]),
  // Told once, whatever arrived how often.
  settled: calls.filter(call => /^\w+ > succeeded [1-9]/.test(call)).length,
})

const listDisputes = async ({ controls }: Scene, purchase: Purchase) => {
  const { payments } = await controls.readBooks()
  const booked = payments.find(({ paymentId }) => paymentId === getPayment(purchase).id)
  return booked?.disputes.map(({ state, amount }) => [state, amount])
}

for (const provider of providers)
  for (const { call, run } of [begin, refund])
    test(`${provider.name}: ${orders.length} orders of up to five notices while ${call} has no answer: equal books`, async () => {
      const scene = openScene(provider)
      const { notices } = scene.controls
      const bought: { readonly order: Order; readonly purchase: Purchase }[] = []
      for (const [index, order] of orders.entries()) {
        notices.setSending('held')
        notices.drop()
        bought.push({ order, purchase: await run(scene, order, index) })
      }
      notices.setSending('now')
      await quiet(scene.app)
      const expected = new Map<number, ReturnType<typeof summarize>>()
      for (const { order, purchase } of bought) {
        await checkBooks(scene, purchase)
        const found = summarize(await purchaseNow(scene.app, purchase))
        assert.deepEqual(found.disputes, await listDisputes(scene, purchase), order.join())
        assert.equal(found.settled, 1, order.join())
        const first = expected.get(order.length) ?? found
        expected.set(order.length, first)
        assert.deepEqual(found, first, order.join())
      }
    })
