// One thing: what each call of the port does at a server that speaks Mollie's API.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BeginInput, chargeable } from '#src/contract/payments.ts'
import { testApp } from '#testing/app.ts'
import { payAt } from '#testing/mollie/connect.ts'
import { buildPage, newId, openProvider } from '#testing/mollie/port.ts'
import { type MollieServer, startMollie } from '#testing/mollie/server.ts'
import type { Action, Notice } from '#testing/payment-suite/provider.ts'

const app = testApp()
let server: MollieServer
const notices: Notice[] = []
before(async () => {
  server = await startMollie({
    reaches: () => true,
    post: async notice => {
      notices.push(notice)
      return 200
    },
  })
  payAt(server.origin)
})
after(() => server?.stop())

const getProvider = (apiKey = String(server.secrets.api_key), school = app.a) => openProvider(app, apiKey, school)

const begin = async (more: Partial<BeginInput> = {}, ...actions: readonly Action[]) => {
  const input = buildPage(more)
  const provider = await getProvider()
  const page = await provider.begin(input)
  for (const action of actions) await server.controls.act(input.paymentId, action)
  const find = (ref: string | null = page.ref) =>
    provider.find({
      paymentId: input.paymentId,
      memberId: input.memberId,
      since: new Date(0),
      ...(ref === null ? {} : { ref }),
    })
  return { input, provider, page, find }
}

const lastSent = (path: string): Record<string, unknown> =>
  (server.exchanges.findLast(one => one.method === 'POST' && one.path === path)?.sent ?? {}) as Record<string, unknown>

test('a page is opened once, with the methods that fit, and is found with or without its id', async () => {
  const { input, provider, page, find } = await begin()
  assert.equal(page.redirect, `${server.origin}/checkout/${page.ref}`)
  assert.equal(page.customerRef, undefined)
  assert.deepEqual(await provider.begin(input), page)
  const { webhookUrl, ...sent } = lastSent('/v2/payments')
  assert.deepEqual(sent, {
    amount: { currency: 'EUR', value: '49.00' },
    description: 'ORD-1: A course',
    redirectUrl: input.returnUrl,
    cancelUrl: input.cancelUrl,
    metadata: { stoa_payment: input.paymentId },
    method: ['creditcard', 'paypal', 'ideal', 'bancontact', 'multibanco'],
    sequenceType: 'oneoff',
    locale: 'pt_PT',
  })
  assert.match(String(webhookUrl), new RegExp(`^${input.webhookUrl}\\?payment=${input.paymentId}&key=[\\w-]{43}$`))
  assert.equal((await find())?.state, 'needs_person')
  assert.deepEqual(await find(null), await find())
  const other = await begin()
  assert.deepEqual((await other.find(page.ref))?.refs, [other.page.ref])
  const never = await provider.find({ paymentId: newId('pay'), memberId: input.memberId, since: new Date(0) })
  assert.equal(never, undefined)
})

test('a payment without an id is looked for among those that are not older than its row', async () => {
  const { page, provider, input } = await begin()
  const booked = server.books.payments.get(page.ref) ?? assert.fail('there is no payment')
  const createdAt = new Date(booked.createdAt.getTime() - 24 * 3600 * 1000)
  const others = Array.from({ length: 300 }, (_, index) => ({
    ...booked,
    id: `tr_old${index}`,
    metadata: null,
    createdAt,
  }))
  for (const one of others) server.books.payments.set(one.id, one)
  const countLists = async (since: Date): Promise<number> => {
    const before = server.exchanges.length
    const never = await provider.find({ paymentId: newId('pay'), memberId: input.memberId, since })
    assert.equal(never, undefined)
    return server.exchanges.length - before
  }
  assert.equal(await countLists(booked.createdAt), 1)
  assert.equal(await countLists(new Date(0)), 2)
  for (const { id } of others) server.books.payments.delete(id)
})

test('methods that take days are left out where they are refused, and a payment of nothing has those that allow it', async () => {
  await begin({ delays: 'refused' })
  assert.deepEqual(lastSent('/v2/payments').method, ['creditcard', 'paypal', 'ideal', 'bancontact'])
  const { page } = await begin({ amount: 0, saves: true })
  const { method, amount, sequenceType, customerId } = lastSent('/v2/payments')
  assert.deepEqual(
    [method, amount, sequenceType],
    [['creditcard', 'paypal'], { currency: 'EUR', value: '0.00' }, 'first'],
  )
  assert.equal(customerId, page.customerRef)
  server.books.methods = ['banktransfer']
  await assert.rejects(begin(), /no method of payment/)
  server.books.methods = ['creditcard', 'paypal', 'ideal', 'bancontact', 'multibanco', 'banktransfer']
})

test('amounts are written with the decimals of their currency', async () => {
  const { find } = await begin({ currency: 'JPY', amount: 4900 }, { does: 'pay' })
  assert.deepEqual(lastSent('/v2/payments').amount, { currency: 'JPY', value: '4900' })
  const found = await find()
  assert.deepEqual([found?.amount, found?.currency, found?.state], [4900, 'JPY', 'succeeded'])
  const fits = (currency: string, provider = 'mollie') =>
    app.database
      .elsewhere()
      .statements(app.a.id, db =>
        chargeable.call({ provider, currency, amount: 1, purpose: 'once' }, { db, school: app.a }),
      )
  assert.deepEqual(
    (await fits('EUR')).filter(one => one !== undefined),
    [true],
  )
  assert.deepEqual(
    (await fits('KWD')).filter(one => one !== undefined),
    [],
  )
})

test('what became of a payment is read with its method and country', async () => {
  const outcomes: [Action[], object][] = [
    [
      [{ does: 'pay' }],
      {
        state: 'succeeded',
        amount: 4900,
        method: { brand: 'mastercard', last4: '6787', expires: null },
        methodType: 'creditcard',
        country: 'NL',
      },
    ],
    [[{ does: 'ask_person' }], { state: 'needs_person' }],
    [[{ does: 'decline' }], { state: 'failed', failure: { code: 'insufficient_funds', mayRetry: true } }],
    [[{ does: 'decline_finally' }], { state: 'failed', failure: { code: 'card_expired', mayRetry: false } }],
    [[{ does: 'take_long' }], { state: 'processing' }],
    [[{ does: 'take_long' }, { does: 'bounce' }], { state: 'failed', failure: { code: 'failed', mayRetry: true } }],
    [[{ does: 'take_long' }, { does: 'settle' }], { state: 'succeeded', methodType: 'multibanco' }],
    [[{ does: 'leave' }], { state: 'canceled' }],
    [[{ does: 'expire' }], { state: 'canceled' }],
    [[{ does: 'expire' }, { does: 'pay_late' }], { state: 'succeeded' }],
    [[{ does: 'pay_twice' }], { state: 'succeeded', amount: 9800 }],
  ]
  for (const [actions, expected] of outcomes) {
    const found = await (await begin({}, ...actions)).find()
    assert.partialDeepStrictEqual(found, expected, JSON.stringify(actions))
    assert.equal(found?.fee, undefined)
  }
})

test('a card that is saved is charged at once, and an account over days', async () => {
  const charged: [Action, object][] = [
    [
      { does: 'pay', saves: 'works' },
      { state: 'succeeded', amount: 900 },
    ],
    [
      { does: 'pay', saves: 'declines' },
      { state: 'failed', failure: { code: 'insufficient_funds', mayRetry: true } },
    ],
    [
      { does: 'pay', saves: 'declines_finally' },
      { state: 'failed', failure: { code: 'card_expired', mayRetry: false } },
    ],
    [{ does: 'pay', saves: 'asks_person' }, { state: 'needs_person' }],
    [{ does: 'pay', saves: 'takes_long' }, { state: 'processing' }],
  ]
  for (const [action, expected] of charged) {
    const { find, provider, page } = await begin({ saves: true }, action)
    const found = await find()
    assert.equal(found?.saved?.customerRef, page.customerRef)
    assert.equal(
      found?.method?.brand,
      action.does === 'pay' && action.saves === 'takes_long' ? 'sepa_debit' : 'mastercard',
    )
    const saved = found?.saved ?? assert.fail('nothing is saved')
    const input = {
      ...saved,
      paymentId: newId('pay'),
      amount: 900,
      currency: 'EUR',
      isPresent: false,
      description: 'School',
    }
    const outcome = await provider.charge(input)
    assert.partialDeepStrictEqual(outcome, expected)
    assert.deepEqual(await provider.charge(input), outcome)
    assert.match(String(lastSent('/v2/payments').webhookUrl), /\/webhooks\/mollie\?payment=pay_/)
    assert.equal(lastSent('/v2/payments').redirectUrl, undefined)
  }
})

test('a charge that is refused has failed for good when its method is gone, and never when it had its effect', async () => {
  const { find, provider, page } = await begin({ saves: true }, { does: 'pay' })
  const saved = (await find())?.saved ?? assert.fail('nothing is saved')
  const input = {
    ...saved,
    paymentId: newId('pay'),
    amount: 900,
    currency: 'EUR',
    isPresent: false,
    description: 'School',
  }
  await provider.charge(input)
  const other = await provider.charge({ ...input, amount: 901 })
  assert.deepEqual([other.state, other.amount], ['succeeded', 900])
  await provider.forget(page.customerRef ?? '')
  await provider.forget(page.customerRef ?? '')
  const refused = await provider.charge({ ...input, paymentId: newId('pay') })
  assert.deepEqual(refused.failure, { code: 'no_such_method', mayRetry: false })
  assert.deepEqual(refused.refs, [])
})

test('refunds are found by our id, may take days or fail, and are not more than what is left', async () => {
  const { input, provider, page, find } = await begin({}, { does: 'pay' })
  const pay = { paymentId: input.paymentId, paymentRef: page.ref, currency: 'EUR' }
  const first = { ...pay, refundId: newId('rfd'), amount: 900 }
  const done = await provider.refund(first)
  assert.partialDeepStrictEqual(done, { state: 'succeeded', amount: 900, refundId: first.refundId })
  assert.deepEqual(await provider.refund(first), done)
  server.controls.setRefunds('take_long')
  const second = { ...pay, refundId: newId('rfd'), amount: 1000 }
  assert.equal((await provider.refund(second)).state, 'processing')
  await server.controls.settleRefunds()
  server.controls.setRefunds('succeed')
  await server.controls.act(input.paymentId, { does: 'refund', amount: 500 })
  const tooMuch = await provider.refund({ ...pay, refundId: newId('rfd'), amount: 3000 })
  assert.deepEqual([tooMuch.state, tooMuch.failure], ['failed', { code: 'refused', mayRetry: false }])
  const again = await provider.refund({ ...first, amount: 901 })
  assert.deepEqual([again.state, again.amount], ['succeeded', 900])
  const { refunds = [] } = (await find()) ?? {}
  assert.deepEqual(
    refunds.map(({ refundId, amount, state }) => [refundId, amount, state]),
    [
      [first.refundId, 900, 'succeeded'],
      [second.refundId, 1000, 'succeeded'],
      [undefined, 500, 'succeeded'],
    ],
  )
  await server.controls.act(input.paymentId, { does: 'fail_refunds' })
  assert.ok(((await find())?.refunds ?? []).every(({ state }) => state === 'failed'))
})

test('a chargeback of a card is open for 90 days or reversed, and that of a debit is final', async () => {
  const states = async (find: () => Promise<{ readonly disputes: readonly { state: string }[] } | undefined>) =>
    ((await find())?.disputes ?? []).map(({ state }) => state)
  const won = await begin({}, { does: 'pay' }, { does: 'charge_back', amount: 1000 })
  assert.deepEqual(await states(won.find), ['open'])
  assert.equal((await won.find())?.disputes[0]?.amount, 1000)
  await server.controls.act(won.input.paymentId, { does: 'win' })
  assert.deepEqual(await states(won.find), ['won'])
  const lost = await begin({}, { does: 'pay' }, { does: 'charge_back' })
  await app.moveClock(90 * 24 * 3600 - 60)
  assert.deepEqual(await states(lost.find), ['open'])
  await app.moveClock(120)
  assert.deepEqual(await states(lost.find), ['lost'])
  const { find, provider } = await begin({ saves: true }, { does: 'pay', saves: 'takes_long' })
  const saved = (await find())?.saved ?? assert.fail('nothing is saved')
  const paymentId = newId('pay')
  const { refs } = await provider.charge({
    ...saved,
    paymentId,
    amount: 900,
    currency: 'EUR',
    isPresent: false,
    description: 'School',
  })
  await server.controls.act(paymentId, { does: 'settle' })
  await server.controls.act(paymentId, { does: 'charge_back' })
  const debited = () => provider.find({ paymentId, memberId: newId('mem'), since: new Date(0), ref: refs[0] ?? '' })
  const found = await debited()
  assert.deepEqual(
    found?.disputes.map(({ state, reason }) => [state, reason]),
    [['lost', 'MD06']],
  )
})

test('a page is ended where Mollie can cancel it, and left alone otherwise', async () => {
  const open = await begin()
  await open.provider.end(open.page.ref)
  await open.provider.end(open.page.ref)
  assert.equal((await open.find())?.state, 'canceled')
  server.books.cancelable = false
  const fixed = await begin()
  server.books.cancelable = true
  await fixed.provider.end(fixed.page.ref)
  assert.equal((await fixed.find())?.state, 'needs_person')
  const paid = await begin({}, { does: 'pay' })
  await paid.provider.end(paid.page.ref)
  assert.equal((await paid.find())?.state, 'succeeded')
  await paid.provider.end('tr_unknown')
})

test('a notice is read at the address of its payment alone', async () => {
  const { input, provider, page } = await begin({}, { does: 'pay' })
  const notice = notices.at(-1) ?? assert.fail('there is no notice')
  const read = async (query: string, body = notice.body, from = provider) =>
    from.read({ bytes: Buffer.from(body), header: () => undefined, query, receivedAt: new Date(0) })
  assert.deepEqual(await read(notice.query), [{ type: 'payment', payment: { id: input.paymentId, ref: page.ref } }])
  assert.deepEqual(await read(notice.query, 'id=ord_kEn1PlbGa'), [])
  const address = new URLSearchParams(notice.query)
  address.set('payment', newId('pay'))
  const changed = `${notice.query.slice(0, -1)}${notice.query.endsWith('A') ? 'B' : 'A'}`
  for (const query of [String(address), changed, '', 'payment=', `payment=${input.paymentId}`])
    assert.equal(await read(query), undefined, query)
  assert.equal(await read(notice.query, notice.body, await getProvider(undefined, app.b)), undefined)
})

test('a call without an answer rejects, and is repeated with one effect', async () => {
  const input = buildPage()
  const provider = await getProvider()
  for (const fault of ['lost', 'error', 'busy'] as const) {
    server.controls.fail('begin', fault)
    await assert.rejects(provider.begin(input), fault)
  }
  await provider.begin(input)
  server.controls.fail('find', 'error')
  await assert.rejects(provider.find({ paymentId: input.paymentId, memberId: input.memberId, since: new Date(0) }))
  const { effects } = await server.controls.readBooks()
  assert.equal(effects.filter(one => one === `page ${input.paymentId}`).length, 1)
})

test('the account is checked, and nothing is changed there', async () => {
  const before = JSON.stringify(await server.controls.readBooks())
  const codes = async (more: object = {}, key?: string) => {
    const input = {
      webhookUrl: 'https://school.example/webhooks/mollie',
      currency: 'EUR',
      mode: 'test' as const,
      ...more,
    }
    const { account, findings } = await (await getProvider(key)).check(input)
    return [account?.name, ...findings.map(({ code, level }) => `${code} ${level}`)]
  }
  assert.deepEqual(await codes(), ['Crumb & Crust'])
  assert.deepEqual(await codes({}, 'test_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'), [undefined, 'key_invalid missing'])
  assert.deepEqual(await codes({ currency: 'KWD' }), ['Crumb & Crust', 'currency_not_supported missing'])
  server.books.profileStatus = 'unverified'
  assert.deepEqual(await codes(), ['Crumb & Crust'])
  assert.deepEqual(await codes({ mode: 'live' }), ['Crumb & Crust', 'key_mode missing', 'account_not_ready missing'])
  server.books.profileStatus = 'verified'
  server.controls.moveClock(90)
  assert.deepEqual(await codes(), ['Crumb & Crust', 'clock_differs warning'])
  server.controls.moveClock(-90)
  server.books.methods = ['multibanco']
  assert.deepEqual(await codes(), ['Crumb & Crust', 'no_method_saves warning'])
  server.books.methods = ['banktransfer']
  assert.deepEqual(await codes(), ['Crumb & Crust', 'no_methods missing'])
  assert.equal(JSON.stringify(await server.controls.readBooks()), before)
})
