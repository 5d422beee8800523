// One thing: what a code does to a purchase, by tables and by properties of one rule.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { buildLine, monthly, oneTime } from '#testing/coupons.ts'
import type { CouponRow } from './coupon/queries.ts'
import { mergeCoupon, newCoupon } from './coupon/rules.ts'
import { afterDiscounts, type CodeLine, computeStatus, decideVerdict, inOrder, type Purchase } from './rules.ts'

const seed = Number(process.env.STOA_TEST_SEED ?? 20_261_121)
const TODAY = '2030-06-15'
const NOW = new Date('2030-06-15T12:00:00.000Z')
const code = { stopped_at: null }

const percent = (text: string, more: Partial<CouponRow> = {}): CouponRow => ({
  ...newCoupon({ name: 'x', kind: 'percent', percent_off: text }, 'EUR'),
  id: '00000000-0000-7000-8000-000000000001',
  name_folded: 'x',
  held: 0,
  taken: 0,
  amount_held: 0,
  amount_taken: 0,
  first_taken_at: null,
  archived_at: null,
  code_count: 1,
  created_by: null,
  created_by_name: null,
  revision: 1,
  changed_in: '1',
  created_at: NOW,
  updated_at: NOW,
  ...more,
})

const fixed = (amount: number, more: Partial<CouponRow> = {}): CouponRow =>
  percent('1', { kind: 'fixed', percent_off: null, amount_off: amount, currency: 'EUR', ...more })

const trial = (more: Partial<CouponRow> = {}): CouponRow =>
  percent('1', { kind: 'free_trial', percent_off: null, trial_days: 14, ...more })

const OTHER = '00000000-0000-7000-8000-000000000002'
const MEMBER = '00000000-0000-7000-8000-00000000000a'
const COURSE = '00000000-0000-7000-8000-00000000000c'

const bought = (items: readonly CodeLine[], more: Partial<Purchase> = {}): Purchase => ({
  items,
  currency: 'EUR',
  member: { id: MEMBER, tags: ['trade'] },
  history: { timesUsed: 0, hasBought: false },
  before: [],
  today: TODAY,
  ...more,
})

const book = buildLine(oneTime(5000), COURSE)
const plan = buildLine(monthly(2000))

const chooseReason = (coupon: CouponRow | undefined, purchase: Purchase, stopped_at: Date | null = null): string => {
  const verdict = decideVerdict(coupon, coupon && { stopped_at }, purchase)
  return verdict.ok ? `${verdict.lines.reduce((sum, { discount }) => sum + discount, 0)}` : verdict.reason
}

const one = bought([book])

const cases: readonly (readonly [what: string, expected: string, CouponRow | undefined, Purchase])[] = [
  ['20 %', '1000', percent('20'), one],
  ['an amount', '700', fixed(700), one],
  ['an amount larger than the price', '5000', fixed(9000), one],
  ['a code that nobody has', 'unknown_code', undefined, one],
  ['archived', 'unknown_code', percent('20', { archived_at: NOW }), one],
  ['archived and off', 'unknown_code', percent('20', { archived_at: NOW, active: false }), one],
  ['off', 'off', percent('20', { active: false }), one],
  ['off and over', 'off', percent('20', { active: false, ends_on: '2030-06-01' }), one],
  ['before its first day', 'not_yet', percent('20', { starts_on: '2030-06-16' }), one],
  ['on its first day', '1000', percent('20', { starts_on: TODAY }), one],
  ['on its last day', '1000', percent('20', { ends_on: TODAY }), one],
  ['after its last day', 'over', percent('20', { ends_on: '2030-06-14' }), one],
  ['used up by held and taken uses', 'used_up', percent('20', { max_redemptions: 3, held: 1, taken: 2 }), one],
  ['with one use left', '1000', percent('20', { max_redemptions: 4, held: 1, taken: 2 }), one],
  ['budget spent', 'used_up', percent('20', { max_amount: 900, amount_taken: 900 }), one],
  [
    'budget that the discount fits',
    '1000',
    percent('20', { max_amount: 1900, amount_held: 400, amount_taken: 500 }),
    one,
  ],
  [
    'budget that is one short',
    'used_up',
    percent('20', { max_amount: 1899, amount_held: 400, amount_taken: 500 }),
    one,
  ],
  ['for another member', 'not_for_you', percent('20', { member_ids: [OTHER] }), one],
  ['for this member', '1000', percent('20', { member_ids: [OTHER, MEMBER] }), one],
  ['for a tag of the member', '1000', percent('20', { member_ids: [OTHER], tags: ['press', 'trade'] }), one],
  ['for another tag', 'not_for_you', percent('20', { tags: ['press'] }), one],
  ['for members, to nobody', 'not_for_you', percent('20', { tags: ['trade'] }), bought([book], { member: undefined })],
  ['for everybody, to nobody', '1000', percent('20', { max_per_member: 1 }), bought([book], { member: undefined })],
  [
    'used by the member as often as they may',
    'used_by_you',
    percent('20', { max_per_member: 2 }),
    bought([book], { history: { timesUsed: 2, hasBought: true } }),
  ],
  [
    'used by the member once of twice',
    '1000',
    percent('20', { max_per_member: 2 }),
    bought([book], { history: { timesUsed: 1, hasBought: true } }),
  ],
  [
    'for the first purchase, to a buyer',
    'not_first_purchase',
    percent('20', { first_purchase_only: true }),
    bought([book], { history: { timesUsed: 0, hasBought: true } }),
  ],
  ['for the first purchase', '1000', percent('20', { first_purchase_only: true }), one],
  [
    'stackable after one that is not',
    'not_stackable',
    percent('20', { stackable: true }),
    bought([book], { before: [{ id: OTHER, stackable: false }] }),
  ],
  [
    'alone after one that is stackable',
    'not_stackable',
    percent('20'),
    bought([book], { before: [{ id: OTHER, stackable: true }] }),
  ],
  [
    'both stackable',
    '1000',
    percent('20', { stackable: true }),
    bought([book], { before: [{ id: OTHER, stackable: true }] }),
  ],
  [
    'the same coupon by another code',
    'not_stackable',
    percent('20', { stackable: true }),
    bought([book], { before: [{ id: percent('1').id, stackable: true }] }),
  ],
  [
    'a fourth',
    'not_stackable',
    percent('20', { stackable: true }),
    bought([book], { before: ['b', 'c', 'd'].map(id => ({ id, stackable: true })) }),
  ],
  ['an amount of an earlier currency', 'currency', fixed(700, { currency: 'JPY' }), one],
  ['a minimum of an earlier currency', 'currency', percent('20', { minimum_amount: 1, currency: 'JPY' }), one],
  ['a percentage in any currency', '1000', percent('20'), bought([book], { currency: 'JPY' })],
  ['another item', 'wrong_items', percent('20', { applies_to: 'items', items: [{ type: 'course', id: OTHER }] }), one],
  [
    'an item of another type with the same id',
    'wrong_items',
    percent('20', { applies_to: 'items', items: [{ type: 'ticket', id: COURSE }] }),
    one,
  ],
  [
    'this item of two',
    '1000',
    percent('20', { applies_to: 'items', items: [{ type: 'course', id: COURSE }] }),
    bought([book, buildLine(oneTime(9000))]),
  ],
  ['this type', '1000', percent('20', { applies_to: 'types', item_types: ['ticket', 'course'] }), one],
  ['other types', 'wrong_items', percent('20', { applies_to: 'types', item_types: ['ticket'] }), one],
  ['recurring only, on a one-time price', 'wrong_payment_type', percent('20', { payment_types: 'recurring' }), one],
  [
    'one-time only, on a subscription',
    'wrong_payment_type',
    percent('20', { payment_types: 'one_time' }),
    bought([plan]),
  ],
  ['recurring only, on both', '400', percent('20', { payment_types: 'recurring' }), bought([book, plan])],
  ['a trial on a one-time price', 'wrong_payment_type', trial(), one],
  ['a trial on a subscription', '0', trial(), bought([book, plan])],
  ['a minimum that is met', '1000', percent('20', { minimum_amount: 5000 }), one],
  ['a minimum that is one short', 'below_minimum', percent('20', { minimum_amount: 5001 }), one],
  [
    'a minimum that only other lines meet',
    'below_minimum',
    percent('20', { minimum_amount: 5001, payment_types: 'one_time' }),
    bought([book, plan]),
  ],
  ['a discount of nothing', 'below_minimum', percent('20'), bought([buildLine(oneTime(2))])],
  ['what is free', 'below_minimum', fixed(700), bought([buildLine(oneTime(0))])],
  ['nothing', 'wrong_items', percent('20'), bought([])],
]

test('a code has one verdict for each purchase', () => {
  for (const [what, expected, coupon, purchase] of cases) assert.equal(chooseReason(coupon, purchase), expected, what)
  assert.equal(chooseReason(percent('20'), one, NOW), 'off', 'a stopped code')
  assert.equal(chooseReason(percent('20', { archived_at: NOW }), one, NOW), 'unknown_code', 'archived first')
})

test('the status of a coupon is the first that holds', () => {
  const worst = {
    archived_at: NOW,
    active: false,
    starts_on: '2030-07-01',
    ends_on: '2030-06-01',
    max_redemptions: 1,
    held: 1,
  }
  const order = [
    ['archived', worst],
    ['off', { ...worst, archived_at: null }],
    ['scheduled', { ...worst, archived_at: null, active: true }],
    ['over', { ...worst, archived_at: null, active: true, starts_on: null }],
    ['used_up', { ...worst, archived_at: null, active: true, starts_on: null, ends_on: null }],
    ['active', { ...worst, archived_at: null, active: true, starts_on: null, ends_on: null, held: 0 }],
  ] as const
  for (const [status, more] of order) assert.equal(computeStatus(percent('20', more), TODAY), status)
})

const computeDiscounts = (coupon: CouponRow, items: readonly CodeLine[]): number[] => {
  const verdict = decideVerdict(coupon, code, bought(items))
  return verdict.ok ? verdict.lines.map(({ discount }) => discount) : []
}

const sum = (amounts: readonly number[]): number => amounts.reduce((before, amount) => before + amount, 0)

test('G-09 33.33 % of 1 to 1,000 cents is rounded half up once, and of three cents in three lines it is one', () => {
  for (let cents = 1; cents <= 1000; cents++) {
    const expected = Number((BigInt(cents) * 333_300n * 2n + 1_000_000n) / 2_000_000n)
    assert.equal(sum(computeDiscounts(percent('33.33'), [buildLine(oneTime(cents))])), expected, `${cents}`)
  }
  assert.deepEqual(
    computeDiscounts(
      percent('33.33'),
      [1, 1, 1].map(cents => buildLine(oneTime(cents))),
    ),
    [1, 0, 0],
  )
})

const amounts = fc.integer({ min: 0, max: 1_000_000_000_000 })
const lines = fc
  .array(amounts, { minLength: 1, maxLength: 20 })
  .map(all => all.map(amount => buildLine(oneTime(amount))))
const rates = fc.integer({ min: 1, max: 1_000_000 })

test('G-09 the discounts of the lines sum to that of the purchase, and none is larger than its line', () => {
  fc.assert(
    fc.property(lines, rates, fc.option(amounts), (items, rate, amount) => {
      const coupon = amount === null ? percent('1', { percent_off: rate }) : fixed(Math.max(1, amount))
      const total = sum(items.map(item => item.amount))
      const wanted = Number((BigInt(total) * BigInt(rate) * 2n + 1_000_000n) / 2_000_000n)
      const expected = amount === null ? wanted : Math.min(Math.max(1, amount), total)
      const found = computeDiscounts(coupon, items)
      if (expected === 0) return assert.deepEqual(found, [])
      assert.equal(sum(found), expected)
      for (const [index, { amount: most }] of items.entries())
        assert.ok((found[index] ?? -1) >= 0 && (found[index] ?? 0) <= most)
    }),
    { seed },
  )
})

test('100 % leaves nothing of any line', () => {
  fc.assert(
    fc.property(lines, items => {
      const found = computeDiscounts(percent('100'), items)
      if (found.length > 0)
        assert.deepEqual(
          found,
          items.map(({ amount }) => amount),
        )
    }),
    { seed },
  )
})

test('G-09 codes one after another never take off more than there is, whatever their order', () => {
  const coupon = fc.oneof(
    rates.map(rate => percent('1', { percent_off: rate, stackable: true })),
    amounts.map(amount => fixed(Math.max(1, amount), { stackable: true })),
  )
  fc.assert(
    fc.property(lines, fc.array(coupon, { maxLength: 3 }), (items, found) => {
      const coupons = found.map((row, index) => ({ ...row, id: `${index}` })).sort(inOrder)
      let left: readonly CodeLine[] = items
      const before: CouponRow[] = []
      for (const row of coupons) {
        const verdict = decideVerdict(row, code, bought(left, { before }))
        if (!verdict.ok) continue
        left = afterDiscounts(left, verdict.lines)
        before.push(row)
      }
      for (const [index, { amount }] of left.entries()) assert.ok(amount >= 0 && amount <= (items[index]?.amount ?? 0))
    }),
    { seed },
  )
})

test('percentages come before amounts, then the ids decide', () => {
  const all = [fixed(1, { id: 'a' }), percent('1', { id: 'd' }), trial({ id: 'b' }), percent('1', { id: 'c' })]
  for (const some of [all, all.toReversed()])
    assert.deepEqual(
      some.toSorted(inOrder).map(({ id }) => id),
      ['c', 'd', 'a', 'b'],
    )
})

test('a change of the kind empties what does not go with it, unless the change names it', () => {
  const before = newCoupon({ name: 'x', kind: 'fixed', amount_off: 500, minimum_amount: 100 }, 'EUR')
  assert.deepEqual(mergeCoupon(before, { kind: 'percent', percent_off: '5' }, 'JPY'), {
    ...before,
    kind: 'percent',
    percent_off: 50_000,
    amount_off: null,
  })
  assert.equal(mergeCoupon(before, { kind: 'percent', amount_off: 3 }, 'EUR').amount_off, 3)
  assert.equal(mergeCoupon(before, { amount_off: 3 }, 'JPY').currency, 'EUR', 'amounts keep their currency')
})
