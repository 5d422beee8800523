// One thing: what the adapter asks of Stripe where a purchase of the tests cannot have it ask.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test as plainTest, suite } from 'node:test'
import { promisify } from 'node:util'
import type { BeginInput, Provider } from '#src/contract/payments.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { buildPage } from '#testing/payment-suite/port.ts'
import type { Intent } from '#testing/stripe/books.ts'
import { openProvider, useStripe } from '#testing/stripe/school.ts'

const at = useStripe()
const { test } = at

const open = (): Promise<Provider> => openProvider(at.app, at.stripe.secrets)

const buildInput = (input: Partial<BeginInput> = {}): BeginInput => {
  const now = at.stripe.store.now() * 1000
  return buildPage({ description: 'A ticket', begunAt: new Date(now), endsAt: new Date(now + 3_600_000), ...input })
}

const readSent = (paymentId: string) => {
  const asked = at.stripe.requests.filter(({ key }) => key?.startsWith(paymentId))
  return asked.map(({ sent }) => Object.fromEntries(new URLSearchParams(sent)))
}

suite('a page', () => {
  test('offers no method that takes days where that is refused, and all that the account enables otherwise', async () => {
    const refused = buildInput({ delays: 'refused' })
    await (await open()).begin(refused)
    const [sent = {}] = readSent(refused.paymentId)
    const excluded = Object.entries(sent).filter(([name]) => name.startsWith('excluded_payment_method_types'))
    const names = excluded.map(([, value]) => value)
    assert.ok(['sepa_debit', 'multibanco', 'us_bank_account'].every(name => names.includes(name)))
    assert.ok(!names.includes('card'))
    await assert.rejects(at.stripe.controls.act(refused.paymentId, { does: 'take_long' }), /no slow method/)
    const allowed = buildInput()
    await (await open()).begin(allowed)
    assert.ok(!Object.keys(readSent(allowed.paymentId)[0] ?? {}).some(name => /payment_method_types/.test(name)))
  })

  test('is in the language of the buyer, or in that of the browser', async () => {
    for (const [locale, expected] of [
      ['pt-PT', 'pt'],
      ['pt-BR', 'pt-BR'],
      ['es-MX', 'es'],
      ['eo', 'auto'],
    ] as const) {
      const input = buildInput({ locale })
      await (await open()).begin(input)
      assert.equal(readSent(input.paymentId)[0]?.locale, expected)
    }
  })

  test('is opened without an address that Stripe does not accept, and is the same page the next time', async () => {
    const input = buildInput({ buyer: { email: 'dev@localhost', name: 'Dev', country: null } })
    const provider = await open()
    const page = await provider.begin(input)
    assert.deepEqual(await provider.begin(input), page)
    const emails = readSent(input.paymentId).map(({ customer_email }) => customer_email)
    assert.deepEqual(emails, ['dev@localhost', undefined, 'dev@localhost', undefined])
    assert.equal(at.stripe.store.effects.filter(effect => effect === `page ${input.paymentId}`).length, 1)
  })

  test('that was completed or is unknown is not ended, and no error', async () => {
    const provider = await open()
    const input = buildInput()
    const { ref } = await provider.begin(input)
    await at.stripe.controls.act(input.paymentId, { does: 'pay' })
    for (const one of [ref, 'cs_test_unknown', 'pi_unknown']) await provider.end(one)
    assert.equal((await provider.find({ ...input, since: input.begunAt, ref }))?.state, 'succeeded')
  })
})

suite('a look-up', () => {
  test('does not take an id of another payment for one of this', async () => {
    const provider = await open()
    const [mine, other] = [buildInput(), buildInput()]
    await provider.begin(mine)
    const { ref } = await provider.begin(other)
    await at.stripe.controls.act(other.paymentId, { does: 'pay' })
    const found = await provider.find({ ...mine, since: mine.begunAt, ref })
    assert.equal(found, undefined)
    const refs = (await provider.find({ ...other, since: other.begunAt, ref }))?.refs ?? []
    assert.deepEqual(
      refs.map(one => one.split('_')[0]),
      ['cs', 'pi', 'ch'],
    )
    // By the intent, which is all that a dispute names.
    const byIntent = await provider.find({ ...other, since: other.begunAt, ref: refs[1] ?? '' })
    assert.deepEqual([byIntent?.state, byIntent?.refs], ['succeeded', refs])
  })

  test('tells the country and the type of the method, and the fee when it is known', async () => {
    const provider = await open()
    const input = buildInput()
    const { ref } = await provider.begin(input)
    at.stripe.setTellsFees(false)
    await at.stripe.controls.act(input.paymentId, { does: 'pay' })
    const find = () => provider.find({ ...input, since: input.begunAt, ref })
    const first = await find()
    assert.deepEqual([first?.country, first?.methodType, first?.fee], ['DE', 'card', undefined])
    at.stripe.setTellsFees(true)
    assert.equal((await find())?.fee, 69)
  })

  test('has all refunds, also of a payment with more than a page of them', async () => {
    const provider = await open()
    const input = buildInput()
    const { ref } = await provider.begin(input)
    await at.stripe.controls.act(input.paymentId, { does: 'pay' })
    at.stripe.events.setSending('never')
    for (let index = 0; index < 101; index++)
      await at.stripe.controls.act(input.paymentId, { does: 'refund', amount: 1 })
    at.stripe.events.setSending('now')
    assert.equal((await provider.find({ ...input, since: input.begunAt, ref }))?.refunds.length, 101)
  })

  test('of an account with too many intents cannot tell, and one without a customer asks for anybody', async () => {
    const provider = await open()
    const input = buildInput()
    await provider.begin(input)
    await at.stripe.controls.act(input.paymentId, { does: 'pay' })
    const find = () => provider.find({ ...input, since: input.begunAt, customerRef: 'cus_deleted' })
    assert.equal((await find())?.state, 'succeeded')
    const intent = [...at.stripe.store.intents.values()].at(-1) ?? assert.fail()
    for (let index = 0; index < 1000; index++) {
      const other: Intent = { ...intent, id: `pi_other${index}`, metadata: {} }
      at.stripe.store.intents.set(other.id, other)
    }
    assert.equal((await find())?.state, 'unknown')
  })
})

test('a customer is forgotten with the methods, and one who is gone is no error', async () => {
  const provider = await open()
  const input = buildInput({ saves: true })
  const { ref } = await provider.begin(input)
  await at.stripe.controls.act(input.paymentId, { does: 'pay', saves: 'works' })
  const saved = (await provider.find({ ...input, since: input.begunAt, ref }))?.saved ?? assert.fail()
  for (const _ of [1, 2]) await provider.forget(saved.customerRef)
  assert.equal(at.stripe.store.customers.has(saved.customerRef), false)
  const paymentId = toId('pay', newUuid(0))
  const outcome = await provider.charge({ ...input, ...saved, paymentId, isPresent: false })
  assert.deepEqual([outcome.state, outcome.failure], ['failed', { code: 'resource_missing', mayRetry: false }])
})

plainTest('the package is loaded at its first use, and not with the areas', async () => {
  const script = `
    import { registerHooks } from 'node:module'
    let count = 0
    registerHooks({ load: (url, context, next) => {
      if (url.includes('/node_modules/stripe/')) count++
      return next(url, context)
    } })
    await import('#src/areas.ts')
    const before = count
    const { loadStripe } = await import('#src/areas/shop/stripe/client.lookups.ts')
    await loadStripe()
    process.stdout.write(\`\${before} \${count > 0}\`)`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  assert.equal(stdout, '0 true')
})

test('a charge says that the buyer is there or away, and a bank that asks for them has charged nothing', async () => {
  const provider = await open()
  const input = buildInput({ saves: true })
  const { ref } = await provider.begin(input)
  await at.stripe.controls.act(input.paymentId, { does: 'pay', saves: 'asks_person' })
  const saved = (await provider.find({ ...input, since: input.begunAt, ref }))?.saved ?? assert.fail()
  for (const isPresent of [true, false]) {
    const paymentId = toId('pay', newUuid(isPresent ? 1 : 2))
    const outcome = await provider.charge({ ...input, ...saved, paymentId, isPresent })
    assert.equal(outcome.state, 'needs_person')
    const [sent = {}] = readSent(paymentId)
    assert.deepEqual(
      [sent.error_on_requires_action, sent.off_session],
      isPresent ? ['true', undefined] : [undefined, 'true'],
    )
  }
})
