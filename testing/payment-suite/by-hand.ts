// One thing: what can be tried at a provider itself, in its test mode, with a person who pays one page. Never part of a test run.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BeginInput, FoundPayment, Provider } from '#src/contract/payments.ts'
import { startApp } from '../app.ts'
import { buildPage, newId, openPort } from './port.ts'

/** Has a page paid by a method that is saved; may return before it is. */
export type PayPage = (paymentId: string, address: string) => Promise<void>

const EVERY_MS = 3000
const MOST_LOOKS = 200

const look = (provider: Provider, { paymentId, memberId, begunAt }: BeginInput, ref?: string) =>
  provider.find({ paymentId, memberId, since: begunAt, ...(ref === undefined ? {} : { ref }) })

const waitUntilPaid = async (provider: Provider, input: BeginInput, ref: string): Promise<FoundPayment> => {
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    const found = await look(provider, input, ref)
    if (found?.state === 'succeeded') return found
    await sleep(EVERY_MS)
  }
  return assert.fail('nobody paid the page in ten minutes')
}

const tryPage = async (provider: Provider): Promise<void> => {
  const input = buildPage()
  const page = await provider.begin(input)
  assert.equal((await provider.begin(input)).redirect, page.redirect, 'a key opens one page')
  assert.equal((await look(provider, input, page.ref))?.state, 'needs_person', 'an open page is found')
  assert.equal(await look(provider, buildPage()), undefined, 'what was never asked is not found')
  await provider.end(page.ref)
  await provider.end(page.ref)
  // Mollie ends only what its method allows to be ended.
  assert.match((await look(provider, input, page.ref))?.state ?? '', /^(canceled|needs_person)$/)
}

const tryMoney = async (provider: Provider, pay: PayPage): Promise<void> => {
  const input = buildPage({ saves: true })
  const { paymentId, amount, currency } = input
  const page = await provider.begin(input)
  await pay(paymentId, page.redirect)
  const { saved, amount: received, refs } = await waitUntilPaid(provider, input, page.ref)
  assert.equal(received, amount)
  assert.ok(saved, 'the method was saved')
  const charge = {
    ...saved,
    paymentId: newId('pay'),
    amount: 500,
    currency,
    description: 'Tried by hand',
    isPresent: false,
  }
  const charged = await provider.charge(charge)
  assert.match(charged.state, /^(succeeded|processing)$/)
  assert.equal((await provider.charge(charge)).refs[0], charged.refs[0], 'a key charges once')
  const refund = { refundId: newId('rfd'), paymentId, paymentRef: refs[0] ?? page.ref, amount: 400, currency }
  const refunded = await provider.refund(refund)
  assert.match(refunded.state, /^(succeeded|processing)$/)
  assert.equal((await provider.refund(refund)).refs[0], refunded.refs[0], 'a key refunds once')
  const known = await look(provider, input, page.ref)
  assert.deepEqual(
    known?.refunds.map(one => [one.refundId, one.amount]),
    [[refund.refundId, 400]],
  )
  await provider.forget(saved.customerRef)
  await provider.forget(saved.customerRef)
  const after = await provider.charge({ ...charge, paymentId: newId('pay') })
  assert.deepEqual([after.state, after.failure?.mayRetry], ['failed', false], 'a forgotten method is not charged')
}

/** Tries the calls of the port at a provider, each also repeated with its key; rejects at the first that differs from the port. */
export const tryProvider = async (provider: Provider, pay: PayPage): Promise<void> => {
  const input = { webhookUrl: 'https://school.example/webhooks/provider', currency: 'EUR', mode: 'test' } as const
  const { account, findings } = await provider.check(input)
  assert.ok(account, 'the account is known')
  assert.ok(findings.every(({ code }) => code !== 'key_invalid' && code !== 'permission_missing'))
  await tryPage(provider)
  await tryMoney(provider, pay)
}

const keys = [
  { name: 'stripe', secret: 'secret_key', variable: 'STOA_STRIPE_TEST_KEY' },
  { name: 'mollie', secret: 'api_key', variable: 'STOA_MOLLIE_TEST_KEY' },
] as const

if (import.meta.main) {
  const app = await startApp()
  try {
    for (const { name, secret, variable } of keys) {
      const { [variable]: value } = process.env
      if (value === undefined) {
        console.log(`${name}: ${variable} is not set`)
        continue
      }
      const provider = await openPort(app, name, { [secret]: value })
      await tryProvider(provider, async (_, address) => console.log(`${name}: pay with a test card at ${address}`))
      console.log(`${name}: as the port says`)
    }
  } finally {
    await app.stop()
  }
}
