// One thing: what an owner has to do before Stripe can be used, and the endpoint that is made for them.
import assert from 'node:assert/strict'
import { suite } from 'node:test'
import type { CheckInput, Provider } from '#src/contract/payments.ts'
import { callProvider } from '#testing/payments.ts'
import { openProvider, useStripe } from '#testing/stripe/school.ts'
import { declaration } from './provider.rules.ts'

const at = useStripe()
const { test } = at

const open = (secrets: Readonly<Record<string, string>> = at.stripe.secrets): Promise<Provider> =>
  openProvider(at.app, secrets)

const webhookUrl = 'https://school.example/webhooks/stripe'

const check = async (input: Partial<CheckInput> = {}, provider?: Provider) =>
  (provider ?? (await open())).check({ webhookUrl, currency: 'EUR', mode: 'test', ...input })

const codes = async (input?: Partial<CheckInput>): Promise<readonly string[]> =>
  (await check(input)).findings.map(({ code, level }) => `${code} ${level}`)

suite('a check', () => {
  test('finds nothing once the endpoint is there, and changes nothing', async () => {
    const provider = await open()
    assert.deepEqual(await codes(), ['webhook_missing missing'])
    const made = await provider.connect?.(webhookUrl)
    assert.match(made?.secrets.webhook_secret ?? '', /^whsec_/)
    const before = structuredClone(at.stripe.store.endpoints)
    const { account, findings } = await check()
    assert.deepEqual([account, findings], [{ id: 'acct_stoa', name: 'Crumb', country: 'DE' }, []])
    assert.deepEqual(at.stripe.store.endpoints, before)
    assert.deepEqual(at.stripe.store.effects, [])
    // One whose secret was never learnt is replaced; one that the owner made stays.
    at.stripe.store.endpoints.set('we_owner', { ...[...before.values()][0], id: 'we_owner', metadata: {} } as never)
    const again = await provider.connect?.(webhookUrl)
    assert.deepEqual([...at.stripe.store.endpoints.keys()], ['we_owner', again?.ref])
    for (const _ of [1, 2]) await provider.disconnect?.(again?.ref ?? '')
    assert.deepEqual([...at.stripe.store.endpoints.keys()], ['we_owner'])
  })

  test('names what an endpoint does not do', async () => {
    const endpoint = at.stripe.store.endpoints.get('we_owner') ?? assert.fail()
    at.stripe.store.endpoints.set('we_owner', { ...endpoint, enabled_events: ['payment_intent.succeeded'] })
    const [finding] = (await check()).findings
    assert.equal(finding?.code, 'webhook_events_missing')
    assert.match(finding.text.en, /checkout\.session\.completed, .*charge\.dispute\.closed/)
    assert.match(finding.text.es ?? '', /checkout\.session\.completed/)
    at.stripe.store.endpoints.set('we_owner', { ...endpoint, status: 'disabled' })
    assert.deepEqual(await codes(), ['webhook_disabled missing'])
    at.stripe.store.endpoints.set('we_owner', { ...endpoint, enabled_events: ['*'] })
    assert.deepEqual(await codes(), [])
  })

  test('names a permission that the key does not have, until it has it', async () => {
    at.stripe.forbid(['POST /v1/refunds'])
    const [finding] = (await check()).findings
    assert.deepEqual([finding?.code, finding?.level], ['permission_missing', 'missing'])
    assert.match(finding?.text.en ?? '', /Charges and Refunds: Write/)
    assert.ok(declaration.permissions.some(({ name }) => name === 'Charges and Refunds: Write'))
    at.stripe.forbid(['GET /v1/webhook_endpoints', 'GET /v1/account'])
    assert.deepEqual(await codes(), ['permission_missing warning'])
    at.stripe.forbid([])
    assert.deepEqual(await codes(), [])
    at.stripe.controls.fail('refund', 'error')
    assert.deepEqual(await codes(), ['permission_unknown warning'])
  })

  test('tells a key that is not accepted or of the other mode, and an account that is not ready', async () => {
    const wrong = await open({ ...at.stripe.secrets, secret_key: `sk_test_${'0'.repeat(48)}` })
    const { account, findings } = await check({}, wrong)
    assert.deepEqual([account, findings.map(({ code }) => code)], [null, ['key_invalid']])
    assert.deepEqual(await codes({ mode: 'live' }), ['key_mode missing'])
    at.stripe.store.isReady = false
    at.stripe.store.capabilities = { card_payments: 'inactive' }
    assert.deepEqual(await codes(), ['account_not_ready missing'], 'what is not ready has no methods')
    at.stripe.store.isReady = true
    assert.deepEqual(await codes(), ['no_methods missing'])
    at.stripe.store.capabilities = { card_payments: 'inactive', ideal_payments: 'active' }
    assert.deepEqual(await codes(), ['no_method_saves warning'])
    for (const capabilities of [{ legacy_payments: 'active' }, { sepa_debit_payments: 'active' }, {}] as const) {
      at.stripe.store.capabilities = capabilities
      assert.deepEqual(await codes(), [], 'one that saves, or nothing is known')
    }
  })

  test('tells payouts by hand, a clock that differs also where the account may not be read, and an endpoint of the other mode', async () => {
    at.stripe.store.payouts = 'manual'
    assert.deepEqual(await codes(), ['payouts_manual warning'])
    at.stripe.store.payouts = 'daily'
    at.stripe.controls.moveClock(-50)
    assert.deepEqual(await codes(), [])
    at.stripe.controls.moveClock(-50)
    assert.deepEqual(await codes(), ['clock_differs warning'])
    at.stripe.forbid(['GET /v1/account'])
    assert.deepEqual(await codes(), ['clock_differs warning'])
    at.stripe.forbid([])
    at.stripe.controls.moveClock(100)
    const { endpoints } = at.stripe.store
    const endpoint = endpoints.get('we_owner') ?? assert.fail()
    endpoints.set('we_owner', { ...endpoint, livemode: true })
    assert.deepEqual(await codes(), ['webhook_other_mode missing'])
    endpoints.set('we_ours', { ...endpoint, id: 'we_ours' })
    assert.deepEqual(await codes(), [], 'there is one of each mode')
  })
})

test('an endpoint that was made before the process died is replaced when an owner connects again', async () => {
  const url = `${at.app.a.baseUrl}/webhooks/stripe`
  // Its secret is answered, and stored by nobody.
  const lost = await (await open()).connect?.(url)
  const { webhook } = await callProvider(at.app, 'connectPaymentProvider', 'stripe')
  assert.deepEqual([webhook?.url, webhook?.made_by_us], [url, true])
  const there = [...at.stripe.store.endpoints.values()].filter(one => one.url === url)
  assert.equal(there.length, 1)
  assert.notEqual(there[0]?.id, lost?.ref)
})
