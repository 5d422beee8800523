// The providers' own programs read what reached our servers in the whole suite, since the servers prove our own reading alone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestApp } from '#testing/app.ts'
import { payAt } from '#testing/mollie/connect.ts'
import { judgeExchange } from '#testing/mollie/judge.ts'
import { type MollieServer, startMollie } from '#testing/mollie/server.ts'
import type { ProviderUnderTest } from '#testing/payment-suite/provider.ts'
import { mollieUnderTest } from '#testing/payment-suite/providers/mollie.ts'
import { stripeUnderTest } from '#testing/payment-suite/providers/stripe.ts'
import { runPaymentSuite } from '#testing/payment-suite/suite.ts'
import { accountCalls } from '#testing/stripe/account.calls.ts'
import { stripeCalls } from '#testing/stripe/calls.ts'
import { type StripeServer, startStripe } from '#testing/stripe/index.ts'
import { type StripeJudge, startStripeJudge } from '#testing/stripe/judge.ts'
import { openProvider } from '#testing/stripe/school.ts'

let app: TestApp | undefined
let stripe: StripeServer | undefined
let mollie: MollieServer | undefined

const stripeJudged: ProviderUnderTest = {
  ...stripeUnderTest,
  start: async place => {
    app = place.app
    stripe = await startStripe(place)
    return stripe
  },
}
const mollieJudged: ProviderUnderTest = {
  ...mollieUnderTest,
  start: async ({ post }) => {
    mollie = await startMollie({ reaches: () => true, post })
    payAt(mollie.origin)
    return mollie
  },
}
runPaymentSuite([stripeJudged, mollieJudged])

const withJudge = async <T>(work: (judge: StripeJudge) => Promise<T>): Promise<T> => {
  const judge = await startStripeJudge()
  try {
    return await work(judge)
  } finally {
    await judge.stop()
  }
}

// What the suite leaves to the pages of owners, and to endpoints of the newer kind.
const checkAccount = async (place: TestApp, { secrets, store, events }: StripeServer): Promise<void> => {
  const [refund] = store.refunds.values()
  events.drop()
  events.setSending('held')
  events.setThin(true)
  events.notify('refund.updated', { ...refund })
  assert.deepEqual(await events.deliver([0]), [200])
  const provider = await openProvider(place, secrets)
  const webhookUrl = 'https://school.example/webhooks/stripe'
  const { ref } = (await provider.connect?.(webhookUrl)) ?? assert.fail('Stripe can be connected')
  await provider.check({ webhookUrl, currency: 'EUR', mode: 'test' })
  await provider.disconnect?.(ref)
}

test('Stripe knows every request of the suite and every answer', () =>
  withJudge(async judge => {
    const server = stripe ?? assert.fail('the suite has not run')
    await checkAccount(app ?? assert.fail('the suite has not run'), server)
    const { requests, exchanges } = server
    const found = new Set<string>()
    for (const asked of requests) for (const one of await judge.judgeRequest(asked)) found.add(one)
    for (const exchange of exchanges) for (const one of judge.judgeAnswer(exchange)) found.add(one)
    assert.deepEqual([...found], [])
    const routes = new Set<string>(exchanges.map(({ route }) => route))
    assert.deepEqual(
      [...stripeCalls, ...accountCalls].map(({ route }) => route).filter(route => !routes.has(route)),
      [],
      'calls that nobody judged',
    )
  }))

test('a name or a value that Stripe does not know is found', () =>
  withJudge(async judge => {
    const asked = { method: 'POST', path: '/v1/refunds', key: undefined, fields: {}, expand: [] }
    assert.deepEqual(await judge.judgeRequest({ ...asked, sent: 'payment_intent=pi_1&amount=100' }), [])
    for (const sent of ['payment_intent=pi_1&ammount=100', 'payment_intent=pi_1&amount=many'])
      assert.equal((await judge.judgeRequest({ ...asked, sent })).length, 1, sent)
    assert.equal((await judge.judgeRequest({ ...asked, path: '/v1/refund', sent: '' })).length, 1)
    const answered = (body: object) =>
      judge.judgeAnswer({ asked: { ...asked, sent: '' }, answer: { status: 200, body } })
    assert.deepEqual(answered({ id: 're_1', object: 'refund', amount: 100, metadata: { any: 'name' } }), [])
    for (const body of [{ ammount: 100 }, { amount: '100' }, { amount: null }, { object: 'payment' }])
      assert.equal(answered(body).length, 1, JSON.stringify(body))
  }))

test('Mollie knows every request of the suite and every answer', () => {
  const { exchanges } = mollie ?? assert.fail('the suite has not run')
  assert.ok(exchanges.length > 0)
  assert.deepEqual([...new Set(exchanges.flatMap(judgeExchange))], [])
})
