// One thing: what becomes of the uses of coupons with their orders and their members, which share one school.
import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { implement } from '#src/contract/hook.ts'
import { personalData } from '#src/contract/personal-data.ts'
import { fromId, newUuid, toId } from '#src/kit/ids.ts'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { approveAs } from '#testing/confirming.ts'
import {
  buildLine,
  type CodeOrder,
  endOrder,
  makeCoupon,
  monthly,
  newOrder,
  oneTime,
  payOrder,
  placeOrder,
} from '#testing/coupons.ts'
import { tablesWith } from '#testing/database.ts'
import { assertLedger } from '#testing/ledger.ts'
import { addMembers, openSales } from '#testing/offers.ts'
import { applyCodes, hasBought } from './index.ts'
import { redemptionMoves } from './redemptions/rules.ts'

const app = testApp()
const SCOPES = ['coupons:read', 'coupons:write', 'members:read', 'members:write']

let opened: ReturnType<typeof openSales> | undefined
after(() => opened?.close())

/** The transactions in which orders use coupons. */
const sales = (): ReturnType<typeof openSales> => {
  opened ??= openSales(app.database.appUrl, app.a.id)
  return opened
}

afterEach(() => assertLedger(app.database))

const staff = () => app.actor('ada', { scopes: SCOPES })

const newMember = async (): Promise<string> => (await addMembers(app, 1))[0] ?? ''

const held = async (code: string, memberId?: string): Promise<CodeOrder> => {
  const order = newOrder(memberId ?? (await newMember()), code)
  assert.equal((await placeOrder(sales(), order)).outcome, 'held', code)
  return order
}

const readStatuses = async ({ orderId }: Pick<CodeOrder, 'orderId'>): Promise<string[]> =>
  (
    await app.database.query<{ status: string }>(
      'select status from coupon_redemptions where order_id = $1 order by id',
      [orderId],
    )
  ).map(({ status }) => status)

const readCounts = async (ada: Actor, code: string): Promise<number[]> => {
  const { json, text } = await ada.get(`/coupons/code:${code}`)
  assert.ok('times_held' in json, text)
  return [json.times_held, json.times_redeemed, json.amount_total]
}

type Verb = 'pay' | 'end'
const step: Readonly<Record<Verb, (order: CodeOrder) => ReturnType<typeof payOrder>>> = {
  pay: ({ orderId }) => payOrder(sales(), orderId),
  end: ({ orderId }) => endOrder(sales(), orderId),
}

// The steps that bring a redemption to each of its statuses.
const ways = { held: [], taken: ['pay'], returned: ['end'] } as const

test('G-12 every pair of a status and a step moves a redemption as the table says, or changes nothing', async () => {
  const ada = await staff()
  const wordOf = { pay: 'take', end: 'return' } as const
  for (const returns_on_refund of [false, true]) {
    for (const [from, way] of Object.entries(ways)) {
      for (const verb of ['pay', 'end'] as const) {
        const code = `PAIR-${from}-${verb}-${returns_on_refund}`
        await makeCoupon(ada, code, { returns_on_refund, max_redemptions: 1, max_per_member: 1 })
        const order = await held(code)
        for (const before of way) await step[before](order)
        assert.deepEqual(await readStatuses(order), [from])
        const move = redemptionMoves.find(one => one.from === from && one.verb === wordOf[verb])
        const isMet = move !== undefined && (move.needs !== 'returns_on_refund' || returns_on_refund)
        const expected = isMet ? move.to : from
        const facts = await app.database.query('select from facts')
        const { done, failed } = await step[verb](order)
        const isThere = expected === (verb === 'pay' ? 'taken' : 'returned')
        assert.deepEqual([done.length, failed.length], isThere ? [1, 0] : [0, 1], code)
        assert.deepEqual(await readStatuses(order), [expected], code)
        const recorded = await app.database.query<{ type: string }>('select type from facts order by id desc limit 1')
        const more = (await app.database.query('select from facts')).length - facts.length
        assert.equal(more, isMet ? 1 : 0, code)
        if (isMet) assert.equal(recorded[0]?.type, `redemption.${expected}`)
        // The same step again is the same.
        assert.deepEqual((await step[verb](order)).facts, [], code)
        assert.deepEqual(await readStatuses(order), [expected], code)
      }
    }
  }
})

test('a use is counted while it is held and once it is taken, and is free again when it is returned', async () => {
  const ada = await staff()
  await makeCoupon(ada, 'COUNTED', { max_redemptions: 1 })
  const order = await held('COUNTED')
  assert.deepEqual(await readCounts(ada, 'COUNTED'), [1, 0, 0])
  assert.equal((await placeOrder(sales(), newOrder(await newMember(), 'COUNTED'))).outcome, 'used_up')
  await step.pay(order)
  assert.deepEqual(await readCounts(ada, 'COUNTED'), [0, 1, 1000])
  const other = await makeCoupon(ada, 'COUNTED-2', { max_redemptions: 1 })
  const expired = await held('COUNTED-2')
  await step.end(expired)
  assert.deepEqual(await readCounts(ada, 'COUNTED-2'), [0, 0, 0])
  assert.equal((await ada.get(`/coupons/${other.id}`)).json.status, 'active')
  await held('COUNTED-2')
})

test('a late payment takes a returned use again if one is left, for anybody and for the member', async () => {
  const ada = await staff()
  await makeCoupon(ada, 'LATE', { max_redemptions: 1, max_per_member: 1 })
  const late = await held('LATE')
  await step.end(late)
  const winner = await held('LATE')
  const lost = await step.pay(late)
  assert.deepEqual([lost.done, lost.failed.length, await readStatuses(late)], [[], 1, ['returned']])
  await step.end(winner)
  assert.deepEqual([(await step.pay(late)).failed, await readStatuses(late)], [[], ['taken']])

  await makeCoupon(ada, 'LATE-EACH', { max_per_member: 1 })
  const first = await held('LATE-EACH')
  await step.end(first)
  const second = await held('LATE-EACH', first.memberId)
  assert.equal((await step.pay(first)).failed.length, 1, 'the member has used it in another order')
  await step.end(second)
  assert.equal((await step.pay(first)).failed.length, 0)

  await makeCoupon(ada, 'LATE-BUDGET', { max_amount: 1500 })
  const [one, two] = [await held('LATE-BUDGET'), newOrder(await newMember(), 'LATE-BUDGET')]
  await step.end(one)
  assert.equal((await placeOrder(sales(), two)).outcome, 'held')
  assert.equal((await step.pay(one)).failed.length, 1, 'the budget is spent')
})

test('what was held stays, though the coupon is switched off, archived, over or its code is stopped meanwhile', async () => {
  const ada = await staff()
  for (const code of ['PUT-OFF', 'ARCHIVED', 'ENDED', 'STOPPED']) {
    const { id } = await makeCoupon(ada, code)
    const [order, other] = [await held(code), await held(code)]
    await step.end(other)
    if (code === 'PUT-OFF') await ada.write('PATCH', `/coupons/${id}`, { active: false })
    if (code === 'ARCHIVED') await ada.write('PUT', `/coupons/${id}/archive`)
    if (code === 'ENDED') await ada.write('PATCH', `/coupons/${id}`, { ends_on: '2020-01-01' })
    const [{ id: codeId }] = (await ada.get(`/coupons/${id}/codes`)).json.data
    if (code === 'STOPPED') await ada.write('DELETE', `/coupons/${id}/codes/${codeId}`)
    const reasons = { 'PUT-OFF': 'off', ARCHIVED: 'unknown_code', ENDED: 'over', STOPPED: 'off' } as const
    const refused = await placeOrder(sales(), newOrder(await newMember(), code))
    assert.equal(refused.outcome, reasons[code as keyof typeof reasons], code)
    assert.deepEqual([(await step.pay(order)).failed, await readStatuses(order)], [[], ['taken']], code)
    // The late buyer was shown the discount while it was there.
    assert.deepEqual((await step.pay(other)).failed, [], code)
  }
})

test('an order that failed and is paid again holds its codes anew, and holding twice holds once', async () => {
  const ada = await staff()
  await makeCoupon(ada, 'AGAIN', { max_redemptions: 1, max_per_member: 1 })
  const order = await held('AGAIN')
  // What it holds does not count against it.
  const request = { codes: order.codes, lines: order.lines, currency: 'EUR', memberId: order.memberId }
  const own = await sales().run(place => applyCodes(place, { ...request, now: place.now, orderId: order.orderId }))
  const others = await sales().run(place => applyCodes(place, { ...request, now: place.now }))
  assert.deepEqual([own.applied.length, others.refused], [1, [{ code: 'AGAIN', reason: 'used_up' }]])
  await step.end(order)
  assert.equal((await placeOrder(sales(), order)).outcome, 'held')
  assert.deepEqual(await readStatuses(order), ['returned', 'held'])
  await step.pay(order)
  assert.deepEqual(await readStatuses(order), ['returned', 'taken'])
  assert.deepEqual(await readCounts(ada, 'AGAIN'), [0, 1, 1000])
})

test('up to three stackable codes are applied one after another, the same whatever the order in which they are typed', async () => {
  const ada = await staff()
  const stackable = { stackable: true }
  await makeCoupon(ada, 'FIVE-OFF', { kind: 'fixed', amount_off: 500, ...stackable })
  await makeCoupon(ada, 'TENTH', { percent_off: '10', ...stackable })
  await makeCoupon(ada, 'HALF', { percent_off: '50', ...stackable })
  await makeCoupon(ada, 'FOURTH', { kind: 'fixed', amount_off: 1, ...stackable })
  await makeCoupon(ada, 'ALONE', { percent_off: '1' })
  const codes = ['five-off', 'HALF', 'tenth', 'TENTH ', 'fourth', 'ALONE', 'unknown']
  const memberId = await newMember()
  for (const typed of [codes, codes.toReversed()]) {
    const request = { codes: typed, lines: [buildLine(oneTime(10_000))], currency: 'EUR', memberId }
    const { applied, refused } = await sales().run(place => applyCodes(place, { ...request, now: place.now }))
    assert.deepEqual(
      applied.map(({ code, amount }) => [code, amount]),
      [
        ['TENTH', 1000],
        ['HALF', 4500],
        ['FIVE-OFF', 500],
      ],
    )
    const expected = [
      { code: 'fourth', reason: 'not_stackable' },
      { code: 'ALONE', reason: 'not_stackable' },
      { code: 'unknown', reason: 'unknown_code' },
    ]
    assert.deepEqual(refused, typed === codes ? expected : expected.toReversed())
  }
  const order = { ...newOrder(memberId, 'HALF', 'FIVE-OFF', 'TENTH'), lines: [buildLine(oneTime(10_000))] }
  assert.equal((await placeOrder(sales(), order)).outcome, 'held')
  assert.equal((await step.pay(order)).done.length, 3)
})

test('what a quote refuses, an order refuses for the same reason', async () => {
  const ada = await staff()
  await makeCoupon(ada, 'RECURRING', { payment_types: 'recurring' })
  await makeCoupon(ada, 'HALF-FIRST', { percent_off: '50', stackable: true })
  await makeCoupon(ada, 'MINIMUM', { kind: 'fixed', amount_off: 100, minimum_amount: 4000, stackable: true })
  const { id } = await makeCoupon(ada, 'OLD-EURO', { kind: 'fixed', amount_off: 100 })
  await app.database.query(`update coupons set currency = 'JPY' where id = $1`, [fromId('cpn', id)])
  for (const [codes, lines, reason] of [
    [['RECURRING'], [oneTime(5000)], 'wrong_payment_type'],
    [['RECURRING'], [monthly(5000)], undefined],
    [['MINIMUM'], [oneTime(5000)], undefined],
    [['MINIMUM', 'HALF-FIRST'], [oneTime(5000)], 'below_minimum'],
    [['OLD-EURO'], [oneTime(5000)], 'currency'],
  ] as const) {
    const order = { ...newOrder(await newMember(), ...codes), lines: lines.map(payment => buildLine(payment)) }
    const request = { codes, lines: order.lines, currency: 'EUR', memberId: order.memberId }
    const quoted = await sales().run(place => applyCodes(place, { ...request, now: place.now }))
    assert.equal(quoted.refused[0]?.reason, reason, codes.join())
    assert.equal((await placeOrder(sales(), order)).outcome, reason ?? 'held', codes.join())
    assert.deepEqual(await readStatuses(order), reason === undefined ? ['held'] : [])
  }
})

test('a coupon for the first purchase asks the areas that sell whether the member bought anything', async () => {
  const ada = await staff()
  await makeCoupon(ada, 'FIRST-TIME', { first_purchase_only: true })
  const [buyer, newcomer] = [await newMember(), await newMember()]
  implement(hasBought, async ({ memberId }) => memberId === buyer).register('test of coupons')
  assert.equal((await placeOrder(sales(), newOrder(buyer, 'FIRST-TIME'))).outcome, 'not_first_purchase')
  assert.equal((await placeOrder(sales(), newOrder(newcomer, 'FIRST-TIME'))).outcome, 'held')
})

const createMember = async (ada: Actor, name: string): Promise<{ id: string; uuid: string }> => {
  const input = { email: `${newUuid(0)}@crumb.example`, name, send_invitation: false }
  const { json } = await ada.write('POST', '/members', input)
  return { id: json.id, uuid: fromId('mem', json.id) ?? '' }
}

test('a merge moves redemptions, each as a use of its own, and who may use a coupon; the two together have used it up', async () => {
  const ada = await staff()
  const [kept, gone] = [await createMember(ada, 'Kept'), await createMember(ada, 'Gone')]
  await makeCoupon(ada, 'EACH-TWICE', { max_per_member: 2 })
  await makeCoupon(ada, 'AS-YOU-LIKE')
  const { id } = await makeCoupon(ada, 'FOR-GONE', { member_ids: [gone.id] })
  const released = await held('EACH-TWICE', kept.uuid)
  await held('EACH-TWICE', kept.uuid)
  await step.end(released)
  for (const code of ['EACH-TWICE', 'EACH-TWICE', 'AS-YOU-LIKE']) await held(code, gone.uuid)
  const reply = await ada.write('POST', `/members/${kept.id}/merges`, { member_id: gone.id })
  assert.equal(reply.status, 202, reply.text)
  await approveAs(app, 'ada', reply.json.confirmation.url)
  const rows = await app.database.query<{ member_id: string; slot: number | null }>(
    `select r.member_id, r.slot from coupon_redemptions r join coupons c on c.id = r.coupon_id
     where c.name = 'EACH-TWICE' and r.status = 'held' order by slot`,
  )
  assert.deepEqual(
    rows,
    [1, 2, 3].map(slot => ({ member_id: kept.uuid, slot })),
  )
  assert.deepEqual((await ada.get(`/coupons/${id}`)).json.member_ids, [kept.id])
  assert.equal((await placeOrder(sales(), newOrder(kept.uuid, 'FOR-GONE'))).outcome, 'held')
  assert.equal((await placeOrder(sales(), newOrder(kept.uuid, 'EACH-TWICE'))).outcome, 'used_by_you')
  // One of three is given back, which still leaves as many as the coupon allows.
  const [first] = await app.database.query<{ order_id: string }>(
    `select r.order_id from coupon_redemptions r where r.member_id = $1 and r.slot = 1`,
    [kept.uuid],
  )
  await endOrder(sales(), first?.order_id ?? '')
  assert.equal((await placeOrder(sales(), newOrder(kept.uuid, 'EACH-TWICE'))).outcome, 'used_by_you')
})

test('the data of a person lists their redemptions; erased, they are gone from every table, and the uses still count', async () => {
  const ada = await staff()
  const person = await createMember(ada, 'Quillon Zanzibar')
  const { id } = await makeCoupon(ada, 'PERSONAL', { member_ids: [person.id], max_redemptions: 1 })
  const order = await held('PERSONAL', person.uuid)
  await step.pay(order)
  const parts = await sales().run(place => personalData.call({ memberId: person.uuid }, place))
  const part = parts.flat().find(({ name }) => name === 'coupon_redemptions')
  assert.deepEqual(
    part?.rows.map(row => [row.code, row.order_id, row.status]),
    [['PERSONAL', toId('ord', order.orderId), 'taken']],
  )
  const reply = await ada.write('POST', `/members/${person.id}/erasure`)
  await approveAs(app, 'ada', reply.json.confirmation.url)
  assert.deepEqual(await tablesWith(app.database, 'quillon'), [])
  const [row] = (await ada.get(`/coupons/${id}/redemptions`)).json.data
  assert.deepEqual([row.member.name, row.status], ['Erased member', 'taken'])
  const { status, member_ids: ids } = (await ada.get(`/coupons/${id}`)).json
  // It stays for nobody but the person.
  assert.deepEqual([status, ids], ['used_up', [person.id]])
  await ada.write('PATCH', `/coupons/${id}`, { max_redemptions: 2 })
  assert.equal((await placeOrder(sales(), newOrder(await newMember(), 'PERSONAL'))).outcome, 'not_for_you')
})

test('100 % off holds and takes a use like any other, with nothing left to pay', async () => {
  const ada = await staff()
  await makeCoupon(ada, 'FREE', { percent_off: '100' })
  const order = newOrder(await newMember(), 'FREE')
  const { applied } = await placeOrder(sales(), order)
  assert.deepEqual(
    applied.map(({ amount }) => amount),
    [5000],
  )
  await step.pay(order)
  assert.deepEqual(await readCounts(ada, 'FREE'), [0, 1, 5000])
})
