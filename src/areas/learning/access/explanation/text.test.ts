import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accessAt, type EntitlementRow, type HoldRow } from '../rules.ts'
import { listSentences, type Subject } from './text.ts'

const START = Date.parse('2030-01-01T12:00:00Z')
const day = (days: number): Date => new Date(START + days * 24 * 3600 * 1000)
const subject: Subject = {
  name: 'Dev',
  course: 'Rye',
  status: 'active',
  timeZone: 'UTC',
  bundles: new Map([
    ['g', 'Bakers'],
    ['p', 'Gold'],
  ]),
  isHidden: false,
  now: day(0),
}

const entitlement = (plan: Partial<EntitlementRow> = {}): EntitlementRow => ({
  id: 'e',
  member_id: 'm',
  item_type: 'course',
  item_id: 'c',
  source: 'gift',
  source_id: null,
  reason: null,
  starts_at: day(-2),
  ends_at: day(2),
  revoked_at: null,
  revoked_by: null,
  opened_at: null,
  closed_at: null,
  created_at: day(-2),
  ...plan,
})
const hold: HoldRow = {
  id: 'h',
  member_id: 'm',
  item_type: null,
  item_id: null,
  source: null,
  source_id: null,
  reason: 'past_due',
  note: 'secret',
  starts_at: day(-1),
  ends_at: day(1),
  created_at: day(-1),
}

const sentences = (
  entitlements: EntitlementRow[],
  more: { holds?: HoldRow[]; at?: Date; subject?: Partial<Subject> } = {},
) => {
  const { holds = [], at = day(0) } = more
  const explained = { at, access: accessAt(entitlements, holds, at), entitlements, holds }
  return listSentences(explained, { ...subject, ...more.subject }, 'en')
}

const GIFT = 'It was given as a gift, since 30 December 2029 at 12:00 UTC'

test('access is explained by its entitlement and its end, or by the lack of an entitlement', () => {
  assert.deepEqual(sentences([entitlement()]), [
    'Dev has access to “Rye”.',
    `${GIFT}, until 3 January 2030 at 12:00 UTC.`,
    'Access ends on 3 January 2030 at 12:00 UTC.',
  ])
  assert.deepEqual(sentences([entitlement({ ends_at: null })]), [
    'Dev has access to “Rye”.',
    `${GIFT}.`,
    'Access has no end date.',
  ])
  const [, group] = sentences([entitlement({ source: 'group', item_type: 'group', item_id: 'g' })])
  assert.match(group ?? '', /^The group “Bakers” gives it, since/)
})

test('an active hold is explained in addition to the entitlement', () => {
  assert.deepEqual(sentences([entitlement({ ends_at: null })], { holds: [hold] }), [
    'Dev has no access to “Rye”.',
    `${GIFT}.`,
    'It is on hold because a payment is late, since 31 December 2029 at 12:00 UTC, until 2 January 2030 at 12:00 UTC.',
    'Access begins on 2 January 2030 at 12:00 UTC.',
  ])
  const after = sentences([entitlement({ ends_at: null })], { holds: [hold], at: day(1), subject: { now: day(1) } })
  assert.deepEqual(after, ['Dev has access to “Rye”.', `${GIFT}.`, 'Access has no end date.'])
  assert.deepEqual(sentences([], { holds: [hold] }), ['Dev has no access to “Rye”.', 'Access was never given.'])
})

test('an entitlement whose source is on hold is explained with its hold, beside those that give access', () => {
  const since = 'since 30 December 2029 at 12:00 UTC'
  const line = { source: 'order_line', source_id: 'a', ends_at: null } as const
  const dispute: HoldRow = { ...hold, source: 'order_line', source_id: 'a', reason: 'dispute', ends_at: null }
  const disputed = [
    `It was bought with an order, ${since}.`,
    'That reason for access is on hold because a payment is disputed, since 31 December 2029 at 12:00 UTC.',
  ]
  assert.deepEqual(sentences([entitlement(line), entitlement({ id: 'f', ends_at: null })], { holds: [dispute] }), [
    'Dev has access to “Rye”.',
    ...disputed,
    `${GIFT}.`,
    'Access has no end date.',
  ])
  assert.deepEqual(sentences([entitlement(line)], { holds: [dispute] }), ['Dev has no access to “Rye”.', ...disputed])
  const again = entitlement({ ...line, source_id: 'b' })
  assert.equal(sentences([again], { holds: [dispute] }).length, 3, 'a hold on another source is left out')
})

test('a plan is named once where it gives access, and where the course was removed from it', () => {
  const plan = { item_type: 'membership_plan', item_id: 'p', source: 'subscription', ends_at: null } as const
  const gives = 'A subscription gives it, with the plan “Gold”, since 30 December 2029 at 12:00 UTC.'
  assert.equal(sentences([entitlement(plan)])[1], gives)
  const kept = entitlement({ ...plan, opened_at: day(-2) })
  const openedAgain = entitlement({ ...plan, opened_at: day(-1) })
  assert.deepEqual(sentences([kept, openedAgain]), ['Dev has access to “Rye”.', gives, 'Access has no end date.'])
  const closed = entitlement({ ...plan, closed_at: day(-1) })
  const end = '31 December 2029 at 12:00 UTC'
  assert.equal(sentences([closed])[1], `The plan “Gold” has not given access to the course since ${end}.`)
  const nameless = entitlement({ ...plan, item_id: 'q' })
  assert.equal(sentences([nameless])[1], 'A subscription gives it, since 30 December 2029 at 12:00 UTC.')
})

test('access that ended is explained by how it ended; access to come by when it begins', () => {
  const no = 'Dev has no access to “Rye”.'
  const [ended, revoked, closed] = [
    entitlement({ ends_at: day(-1) }),
    entitlement({ revoked_at: day(-1) }),
    entitlement({ item_type: 'group', item_id: 'g', closed_at: day(-1) }),
  ]
  const end = '31 December 2029 at 12:00 UTC'
  assert.deepEqual(sentences([ended]), [no, `The last reason for it ended on ${end}.`])
  assert.deepEqual(sentences([revoked]), [no, `It was revoked on ${end}.`])
  assert.deepEqual(sentences([closed]), [no, `The group “Bakers” has not given access to the course since ${end}.`])
  const coming = entitlement({ id: 'f', starts_at: day(1) })
  assert.deepEqual(sentences([coming]), [no, 'Access begins on 2 January 2030 at 12:00 UTC.'])
  assert.deepEqual(sentences([ended, coming]), [no, 'Access begins on 2 January 2030 at 12:00 UTC.'])
})

test('the first sentence is in the tense of the instant, and a hidden course gives no access', () => {
  const first = (at: Date, now?: Date) => sentences([entitlement()], { at, subject: { now } })[0]
  assert.equal(first(day(-1), day(0)), 'On 31 December 2029 at 12:00 UTC Dev had access to “Rye”.')
  assert.equal(first(day(1), day(0)), 'On 2 January 2030 at 12:00 UTC Dev will have access to “Rye”.')
  assert.equal(first(day(3), day(0)), 'On 4 January 2030 at 12:00 UTC Dev will have no access to “Rye”.')
  assert.equal(first(day(-3), day(0)), 'On 29 December 2029 at 12:00 UTC Dev had no access to “Rye”.')
  for (const now of [day(0), undefined]) assert.equal(first(day(0), now), 'Dev has access to “Rye”.')
  const hidden = sentences([entitlement({ ends_at: null })], { subject: { isHidden: true } })
  assert.deepEqual(hidden, ['Dev has no access to “Rye”.', `${GIFT}.`, 'The course is not published now.'])
})

test('an account that cannot sign in is mentioned last', () => {
  const last = (status: string) => sentences([entitlement()], { subject: { status } }).at(-1)
  assert.match(last('suspended') ?? '', /^The account is suspended/)
  assert.match(last('invited') ?? '', /^The person has not accepted the invitation/)
  assert.equal(last('deleted'), 'The account was removed.')
  assert.match(last('active') ?? '', /^Access ends/)
})
