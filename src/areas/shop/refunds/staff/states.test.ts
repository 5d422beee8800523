import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { checkout, decide, once, sell } from '#testing/orders.ts'
import { askToPay, openPage, pressOn } from '#testing/paying.ts'
import { setProvider } from '#testing/payments.ts'
import { until } from '#testing/until.ts'

// With a mailbox the worker runs, which settles payments and ends orders.
let mailbox: Mailbox
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
const test = ledgerTest(app)
after(() => mailbox.stop())

const statuses = ['pending', 'processing', 'paid', 'failed', 'expired', 'canceled'] as const
type Status = (typeof statuses)[number]

// What may be done with an order in which status; everything else is refused.
const allowed: Readonly<Record<string, readonly Status[]>> = {
  'cancel as buyer': ['pending', 'canceled'],
  'change billing': ['pending'],
  'ask to pay': ['pending', 'failed'],
  cancelOrder: ['pending'],
  refundOrder: ['paid'],
  resendReceipt: ['paid'],
  unconfirmPayment: [],
  acceptDispute: [],
}

test('G-12 in every status of an order everything that the table does not allow is refused and changes nothing', async () => {
  const ada = await app.actor('ada', { scopes: ['courses:read', 'courses:write', 'orders:read'] })
  await setProvider(app, 'manual', {})
  await setProvider(app, 'test', {})
  const { priceId } = await sell(ada, 'In every status', [once()])
  const readOrder = async (id: string) => (await ada.get(`/orders/${id}`)).json
  // Invoices are printed meanwhile.
  const decided = async (id: string) => ({ ...(await readOrder(id)), invoices: undefined })
  const buyers = await Promise.all(
    (['femi', 'eli'] as const).map(name => app.actor(name, { scopes: ['account:read', 'account:write'] })),
  )
  const [one, other] = buyers as [Actor, Actor]
  const place = async (buyer: Actor): Promise<string> => {
    const { status, json, text } = await checkout(buyer, [priceId], { allow_duplicate: true })
    assert.equal(status, 201, text)
    return json.id
  }
  const payOnPage = async (buyer: Actor, action: string): Promise<string> => {
    const id = await place(buyer)
    await askToPay(buyer, id, { provider: 'test' })
    await pressOn(app, await openPage(app, await readOrder(id)), action)
    return id
  }
  const whenStatus = (id: string, status: Status) =>
    until(async () => (await readOrder(id)).status === status, `the order is ${status}`)
  const expired = await place(other)
  await app.moveClock(31 * 60)
  const ids: Readonly<Record<Status, string>> = {
    expired,
    canceled: await place(other),
    paid: await payOnPage(other, 'pay'),
    failed: await payOnPage(one, 'decline_finally'),
    processing: await payOnPage(one, 'take_long'),
    pending: await place(one),
  }
  await other.write('DELETE', `/account/orders/${ids.canceled}`)
  for (const status of statuses) await whenStatus(ids[status], status)
  const chooseBuyer = (status: Status) => (['expired', 'canceled', 'paid'].includes(status) ? other : one)
  const attempt = async (action: string, status: Status): Promise<string | undefined> => {
    const id = ids[status]
    if (!/ /.test(action))
      return decide(app, action, id, action === 'refundOrder' ? { reason: 'other' } : undefined).then(
        () => undefined,
        (error: unknown) => String(error),
      )
    const buyer = chooseBuyer(status)
    const reply =
      action === 'cancel as buyer'
        ? await buyer.write('DELETE', `/account/orders/${id}`)
        : action === 'ask to pay'
          ? await askToPay(buyer, id, { provider: 'manual' })
          : await buyer.write('PATCH', `/account/orders/${id}/billing`, { company: 'Another' })
    assert.ok([200, 201, 409].includes(reply.status), reply.text)
    return reply.status === 409 ? reply.json.code : undefined
  }
  for (const [action, may] of Object.entries(allowed)) {
    for (const status of statuses.filter(one => !may.includes(one))) {
      const before = await decided(ids[status])
      assert.notEqual(await attempt(action, status), undefined, `${action} of an order that is ${status}`)
      assert.deepEqual(await decided(ids[status]), before, `${action} of an order that is ${status}`)
    }
  }
  for (const [action, status] of [
    ['change billing', 'pending'],
    ['ask to pay', 'failed'],
    ['cancelOrder', 'pending'],
    ['refundOrder', 'paid'],
  ] as const)
    assert.equal(await attempt(action, status), undefined, `${action} of an order that is ${status}`)
})
