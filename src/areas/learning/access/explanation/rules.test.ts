import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Explained } from '../lookups.ts'
import { accessAt, type EntitlementRow, type HoldRow } from '../rules.ts'
import {
  chooseReason,
  holdsOnSource,
  howEnded,
  isActiveEntitlement,
  isActiveHold,
  lastEnded,
  nextBeginning,
} from './rules.ts'
import { accessView, entitlementView, hiddenAccess, holdView } from './views.ts'

const START = Date.parse('2030-01-01T12:00:00Z')
const at = (seconds: number): Date => new Date(START + seconds * 1000)
const UUID = '0193a7b0-0000-7000-8000-00000000000'

const entitlement = (plan: Partial<EntitlementRow> = {}): EntitlementRow => ({
  id: `${UUID}1`,
  member_id: `${UUID}2`,
  item_type: 'course',
  item_id: `${UUID}3`,
  source: 'staff',
  source_id: null,
  reason: 'asked for it',
  starts_at: at(0),
  ends_at: at(10),
  revoked_at: null,
  revoked_by: null,
  opened_at: null,
  closed_at: null,
  created_at: at(0),
  ...plan,
})

const holdRow = (plan: Partial<HoldRow> = {}): HoldRow => ({
  id: `${UUID}4`,
  member_id: `${UUID}2`,
  item_type: null,
  item_id: null,
  source: null,
  source_id: null,
  reason: 'staff',
  note: 'rude',
  starts_at: at(0),
  ends_at: at(10),
  created_at: at(0),
  ...plan,
})

const explained = (entitlements: EntitlementRow[], holds: HoldRow[], instant: Date): Explained => ({
  at: instant,
  access: accessAt(entitlements, holds, instant),
  entitlements,
  holds,
})

const seconds = [-1, 0, 1, 9, 10, 11]

suite('an entitlement gives access', () => {
  test('an entitlement is active from the instant of its start until the instant before its end', () => {
    const activeSeconds = (plan: Partial<EntitlementRow>) =>
      seconds.filter(each => isActiveEntitlement(entitlement(plan), at(each)))
    assert.deepEqual(activeSeconds({}), [0, 1, 9])
    assert.deepEqual(activeSeconds({ ends_at: null }), [0, 1, 9, 10, 11])
    assert.deepEqual(activeSeconds({ revoked_at: at(1) }), [0])
    assert.deepEqual(activeSeconds({ closed_at: at(9) }), [0, 1])
    assert.deepEqual(activeSeconds({ opened_at: at(1) }), [1, 9])
    assert.deepEqual(activeSeconds({ opened_at: at(-1) }), [0, 1, 9])
  })

  test('a hold is active from the instant of its start until the instant before its end', () => {
    const activeSeconds = (plan: Partial<HoldRow>) => seconds.filter(each => isActiveHold(holdRow(plan), at(each)))
    assert.deepEqual(activeSeconds({}), [0, 1, 9])
    assert.deepEqual(activeSeconds({ ends_at: null }), [0, 1, 9, 10, 11])
  })
})

test('how an entitlement ended is what came first; a revocation comes before the rest of the same instant', () => {
  assert.equal(howEnded(entitlement()), 'expired')
  assert.equal(howEnded(entitlement({ revoked_at: at(5) })), 'revoked')
  assert.equal(howEnded(entitlement({ revoked_at: at(11) })), 'expired')
  assert.equal(howEnded(entitlement({ closed_at: at(5), revoked_at: at(6) })), 'removed_from_group')
  assert.equal(howEnded(entitlement({ closed_at: at(11) })), 'expired')
  assert.equal(howEnded(entitlement({ revoked_at: at(10), closed_at: at(10) })), 'revoked')
  assert.equal(howEnded(entitlement({ closed_at: at(10) })), 'removed_from_group')
})

test('access through an item that was closed in a plan ended by its removal from the plan', () => {
  const closed = { closed_at: at(5), item_id: `${UUID}8` }
  assert.equal(howEnded(entitlement({ ...closed, item_type: 'membership_plan' })), 'removed_from_plan')
  assert.equal(howEnded(entitlement({ ...closed, item_type: 'group' })), 'removed_from_group')
})

test('an entitlement lists the active holds on its source and no others', () => {
  const [line, other] = [`${UUID}8`, `${UUID}9`]
  const onLine = { source: 'order_line', source_id: line } as const
  const holds = [
    holdRow(onLine),
    holdRow({ ...onLine, id: 'over', ends_at: at(1) }),
    holdRow(),
    holdRow({ ...onLine, source_id: other }),
  ]
  const idsAt = (instant: Date, source: Partial<EntitlementRow>) =>
    holdsOnSource(entitlement(source), { at: instant, holds }).map(({ id }) => id)
  assert.deepEqual(idsAt(at(1), onLine), [`${UUID}4`])
  assert.deepEqual(idsAt(at(0), onLine), [`${UUID}4`, 'over'])
  assert.deepEqual([idsAt(at(10), onLine), idsAt(at(1), {})], [[], []])
  const shown = { explained: { at: at(1), holds }, bundles: new Map(), withReasons: true }
  assert.equal(entitlementView(entitlement(onLine), shown).hold_ids.length, 1)
  assert.deepEqual(holdView(holdRow(onLine), { at: at(1), withReasons: false }).source, 'order_line')
})

test('the one that ended last, and the one that begins next, are of those that ever were', () => {
  const first = entitlement({ ends_at: at(5) })
  const last = entitlement({ ends_at: at(7) })
  const never = entitlement({ starts_at: at(20), revoked_at: at(20) })
  const instantly = entitlement({ starts_at: at(8), ends_at: at(8) })
  assert.equal(lastEnded([first, last, never, instantly]), last)
  assert.equal(lastEnded([last, first]), last)
  const same = entitlement({ ends_at: at(7), source: 'gift' })
  assert.equal(lastEnded([last, same]), same)
  assert.equal(lastEnded([never]), undefined)
  const soon = entitlement({ starts_at: at(20), ends_at: at(30) })
  const later = entitlement({ starts_at: at(25), ends_at: at(30) })
  const all = [later, soon, never, first]
  assert.equal(nextBeginning(all, at(19)), soon)
  assert.equal(nextBeginning(all, at(20)), later)
  assert.equal(nextBeginning(all, at(25)), undefined)
})

test('the reason for access is the hold, what gives it, what will, or how the last one ended', () => {
  const reason = (entitlements: EntitlementRow[], holds: HoldRow[], instant: Date) =>
    chooseReason(explained(entitlements, holds, instant))
  const gift = entitlement({ source: 'gift' })
  assert.equal(reason([gift], [], at(1)), 'gift')
  assert.equal(reason([gift], [holdRow()], at(1)), 'held_by_staff')
  const dispute = holdRow({ id: `${UUID}5`, reason: 'dispute' })
  assert.equal(reason([gift], [holdRow({ ends_at: at(1) }), dispute], at(1)), 'dispute')
  const ended = entitlement({ id: `${UUID}6`, starts_at: at(-5), ends_at: at(-3) })
  assert.equal(reason([ended, gift], [], at(1)), 'gift', 'of the one that gives it now')
  assert.equal(reason([ended, gift], [], at(-1)), 'gift', 'of the one that will')
  assert.equal(reason([ended], [], at(1)), 'expired')
  assert.equal(reason([ended, entitlement({ revoked_at: at(5) })], [], at(6)), 'revoked')
  assert.equal(reason([], [holdRow()], at(1)), 'never_given')
  const [a, b] = [`${UUID}8`, `${UUID}9`].map(source_id => ({ source: 'order_line', source_id }) as const)
  const disputed = holdRow({ ...a, reason: 'dispute' })
  assert.equal(reason([entitlement(a)], [disputed], at(1)), 'dispute')
  assert.equal(reason([entitlement(a), entitlement({ ...b, id: `${UUID}6` })], [disputed], at(1)), 'order_line')
})

test('access is explained from its latest start until its next end', () => {
  const first = entitlement({ ends_at: at(2) })
  const again = entitlement({ id: `${UUID}7`, starts_at: at(5), ends_at: at(9) })
  const { from, until } = accessAt([first, again], [], at(6))
  assert.deepEqual([from, until], [at(5), at(9)])
})

test('source and note of an entitlement are shown only to readers who may see them', () => {
  const bundles = new Map([[`${UUID}3`, 'Bakers']])
  const context = (instant: Date) => ({ explained: { at: instant, holds: [] }, bundles })
  const shown = entitlementView(entitlement(), { ...context(at(1)), withReasons: true })
  assert.deepEqual([shown.reason, shown.is_active, shown.item.name], ['asked for it', true, null])
  const own = entitlementView(entitlement({ item_type: 'group' }), { ...context(at(10)), withReasons: false })
  assert.deepEqual(['reason' in own, own.is_active, own.item.name], [false, false, 'Bakers'])
  const elsewhere = entitlementView(entitlement({ item_type: 'group' }), {
    ...context(at(1)),
    bundles: new Map(),
    withReasons: false,
  })
  assert.equal(elsewhere.item.name, null)
  const hold = holdView(holdRow(), { at: at(1), withReasons: true })
  assert.deepEqual([hold.note, hold.is_active, hold.item], ['rude', true, 'all'])
  const onCourse = holdView(holdRow({ item_type: 'course', item_id: `${UUID}3` }), { at: at(10), withReasons: false })
  assert.deepEqual(['note' in onCourse, onCourse.is_active], [false, false])
  assert.match(onCourse.item, /^crs_/)
})

test('a hidden course is reported as unpublished only when nothing else blocks the person', () => {
  const hidden = { state: 'unpublished', from: null, until: null, reason: 'not_published' }
  const active = accessView(explained([entitlement()], [], at(1)))
  assert.deepEqual(active, { state: 'active', from: at(0), until: at(10), reason: 'staff' })
  assert.deepEqual(hiddenAccess(active), hidden)
  for (const instant of [at(-1), at(10)]) {
    const view = accessView(explained([entitlement()], [], instant))
    assert.equal(hiddenAccess(view), view)
  }
})
