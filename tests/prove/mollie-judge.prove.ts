// Mollie's own package reads what reaches our server and what it answers, since the server proves our own reading alone.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testApp } from '#testing/app.ts'
import { payAt } from '#testing/mollie/connect.ts'
import { judgeExchange } from '#testing/mollie/judge.ts'
import { buildPage, newId, openProvider } from '#testing/mollie/port.ts'
import { type MollieServer, startMollie } from '#testing/mollie/server.ts'
import type { Action, SavedBehaviour } from '#testing/payment-suite/provider.ts'

const app = testApp()
let server: MollieServer
before(async () => {
  server = await startMollie({ reaches: () => true, post: async () => 200 })
  payAt(server.origin)
})
after(() => server?.stop())

const getProvider = () => openProvider(app, String(server.secrets.api_key))

const begin = async (more: object, ...actions: readonly Action[]) => {
  const provider = await getProvider()
  const input = buildPage(more)
  const { ref, customerRef } = await provider.begin(input)
  for (const action of actions) await server.controls.act(input.paymentId, action)
  const find = () => provider.find({ paymentId: input.paymentId, memberId: input.memberId, since: new Date(0), ref })
  return { ...input, provider, ref, customerRef, find }
}

// What buyers and banks do to a page, so that each state of a payment is answered.
const ways: readonly (readonly Action[])[] = [
  [],
  [{ does: 'pay' }],
  [{ does: 'decline_finally' }],
  [{ does: 'take_long' }],
  [{ does: 'take_long' }, { does: 'bounce' }],
  [{ does: 'leave' }],
  [{ does: 'expire' }],
  [{ does: 'pay' }, { does: 'charge_back', amount: 1000 }],
  [{ does: 'pay' }, { does: 'charge_back' }, { does: 'win' }],
  [{ does: 'pay' }, { does: 'refund', amount: 500 }],
]
const behaviours: readonly SavedBehaviour[] = ['works', 'declines', 'declines_finally', 'asks_person', 'takes_long']

const useEveryCall = async (): Promise<void> => {
  for (const way of ways) await (await begin({}, ...way)).find()
  for (const locale of ['en', 'es', 'pt', 'fr']) await begin({ locale, currency: 'JPY', delays: 'refused' })
  await begin({ saves: true, amount: 0 })
  const open = await begin({})
  await open.provider.end(open.ref)
  const paid = await begin({}, { does: 'pay' })
  for (const how of ['succeed', 'take_long', 'fail'] as const) {
    server.controls.setRefunds(how)
    await paid.provider.refund({ ...paid, paymentRef: paid.ref, refundId: newId('rfd'), amount: 100 })
  }
  await paid.find()
  for (const saves of behaviours) {
    const { provider, find, customerRef, memberId } = await begin({ saves: true }, { does: 'pay', saves })
    const saved = (await find())?.saved ?? assert.fail('nothing is saved')
    const paymentId = newId('pay')
    await provider.charge({
      ...saved,
      paymentId,
      amount: 900,
      currency: 'EUR',
      isPresent: false,
      description: 'School',
    })
    await provider.find({ paymentId, memberId, since: new Date(0) })
    await provider.forget(customerRef ?? '')
  }
  await (await getProvider()).check({ webhookUrl: 'https://school.example', currency: 'EUR', mode: 'test' })
}

test('the package of Mollie knows every request and every answer', async () => {
  await useEveryCall()
  const { exchanges } = server
  const calls = new Set(
    exchanges.map(({ method, path }) => `${method} ${path.replace(/(?<=\/(?:tr|cst))_\w+|\?.*/g, '')}`),
  )
  assert.deepEqual([...calls].sort(), [
    'DELETE /v2/customers/cst',
    'DELETE /v2/payments/tr',
    'GET /v2/methods',
    'GET /v2/payments',
    'GET /v2/payments/tr',
    'GET /v2/profiles/me',
    'POST /v2/customers',
    'POST /v2/payments',
    'POST /v2/payments/tr/refunds',
  ])
  assert.deepEqual([...new Set(exchanges.flatMap(judgeExchange))], [])
})

test('a name, a value or a form that the package does not know is found', () => {
  const sent = {
    description: 'A course',
    amount: { currency: 'EUR', value: '1.00' },
    redirectUrl: 'https://school.example',
  }
  const exchange = { method: 'POST', path: '/v2/payments', status: 422, answered: undefined }
  const judge = (more: object): number => judgeExchange({ ...exchange, sent: { ...sent, ...more } }).length
  assert.equal(judge({}), 0)
  for (const wrong of [
    { redirectURL: 'x' },
    { amount: { currency: 'EUR' } },
    { locale: 'pt' },
    { sequenceType: 'one' },
  ])
    assert.equal(judge(wrong), 1, JSON.stringify(wrong))
  assert.equal(judgeExchange({ ...exchange, path: '/v2/settlements', sent }).length, 1)
  const customer = { resource: 'customer', id: 'cst_1', mode: 'tested' }
  assert.notEqual(
    judgeExchange({ ...exchange, path: '/v2/customers', sent: {}, status: 201, answered: customer }).length,
    0,
  )
})
