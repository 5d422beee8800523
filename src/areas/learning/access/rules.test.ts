import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { accessAt, type Hold, type Reason } from './rules.ts'

const day = (n: number): Date => new Date(Date.UTC(2026, 0, 1) + n * 86_400_000)

let count = 0
const reason = (from: number, until?: number, more: Partial<Reason> = {}): Reason => ({
  id: `e${++count}`,
  source: 'order_line',
  source_id: null,
  starts_at: day(from),
  ends_at: until === undefined ? null : day(until),
  revoked_at: null,
  opened_at: null,
  closed_at: null,
  ...more,
})
const hold = (from: number, until?: number, more: Partial<Hold> = {}): Hold => ({
  id: `h${++count}`,
  reason: 'staff',
  source: null,
  source_id: null,
  starts_at: day(from),
  ends_at: until === undefined ? null : day(until),
  ...more,
})
const bought = (line: string) => ({ source: 'order_line', source_id: line }) as const

suite('access is the fold of entitlements minus holds', () => {
  test('a person without an entitlement has no access', () => {
    const { state, next } = accessAt([], [], day(1))
    assert.deepEqual({ state, next }, { state: 'none', next: undefined })
  })

  test('cancelling order A does not take away what order B paid for', () => {
    const a = reason(0, undefined, { revoked_at: day(5) })
    const b = reason(2)
    const access = accessAt([a, b], [], day(6))
    assert.deepEqual([access.state, access.entitlement_ids], ['active', [b.id]])
    assert.deepEqual(accessAt([a], [], day(6)).state, 'ended')
  })

  test('two reasons that follow each other are one stretch of access', () => {
    const access = accessAt([reason(0, 10), reason(10, 20)], [], day(3))
    assert.deepEqual([access.from, access.until], [day(0), day(20)])
  })

  test('a hold blocks every entitlement, and ends none', () => {
    const reasons = [reason(0), reason(1)]
    const during = accessAt(reasons, [hold(5, 8)], day(6))
    assert.deepEqual([during.state, during.hold_ids.length, during.next], ['held', 1, { at: day(8), isOpen: true }])
    assert.equal(accessAt(reasons, [hold(5, 8)], day(8)).state, 'active')
    assert.equal(accessAt([], [hold(5)], day(6)).state, 'none')
  })

  test('a dispute about order A leaves what order B paid for open', () => {
    const [a, b] = [reason(0, undefined, bought('a')), reason(2, 20, bought('b'))]
    const dispute = hold(5, 8, bought('a'))
    const both = accessAt([a, b], [dispute], day(6))
    assert.deepEqual([both.state, both.entitlement_ids, both.hold_ids, both.from], ['active', [b.id], [], day(0)])
    const alone = accessAt([a], [dispute], day(6))
    assert.deepEqual([alone.state, alone.entitlement_ids, alone.hold_ids], ['held', [], [dispute.id]])
    assert.deepEqual(alone.next, { at: day(8), isOpen: true })
    assert.equal(accessAt([b], [dispute], day(6)).state, 'active')
    assert.equal(accessAt([a], [dispute], day(8)).state, 'active')
    // When the other reason ends during the hold, access ends with it.
    const last = accessAt([a, reason(2, 7, bought('b'))], [dispute], day(6))
    assert.deepEqual([last.until, last.next], [day(7), { at: day(7), isOpen: false }])
  })

  test('a hold on a source suspends neither another source of its kind nor entitlements without a source id', () => {
    const dispute = hold(0, undefined, bought('a'))
    const others = [
      bought('b'),
      { source: 'subscription', source_id: 'a' },
      { source: 'order_line', source_id: null },
    ] as const
    for (const other of others) assert.equal(accessAt([reason(0, undefined, other)], [dispute], day(1)).state, 'active')
  })

  test('a hold on everything and a hold on a source are both listed where both prevent access', () => {
    const [all, dispute] = [hold(1), hold(2, undefined, bought('a'))]
    const [a, b] = [reason(0, undefined, bought('a')), reason(0, undefined, bought('b'))]
    const held = accessAt([a, b], [all, dispute, hold(0, undefined, bought('c'))], day(3))
    assert.deepEqual([held.state, held.entitlement_ids, held.hold_ids], ['held', [b.id], [all.id, dispute.id]])
  })

  test('what a bundle opens is open from when it came in until it leaves, within the reason', () => {
    const inBundle = reason(0, 20, { opened_at: day(5), closed_at: day(9) })
    assert.equal(accessAt([inBundle], [], day(4)).state, 'upcoming')
    assert.deepEqual(accessAt([inBundle], [], day(6)).until, day(9))
    assert.equal(accessAt([inBundle], [], day(9)).state, 'ended')
  })

  test('future access states its end in advance', () => {
    const upcoming = accessAt([reason(5, 9)], [], day(1))
    assert.deepEqual([upcoming.state, upcoming.from, upcoming.until], ['upcoming', day(5), day(9)])
    const access = accessAt([reason(0, 20)], [hold(5, 8)], day(6))
    assert.deepEqual([access.state, access.from, access.until], ['held', day(8), day(20)])
    const open = accessAt([reason(0)], [hold(5)], day(6))
    assert.deepEqual([open.from, open.until], [undefined, undefined])
  })

  test('what is revoked before it begins was never', () => {
    assert.equal(accessAt([reason(5, 9, { revoked_at: day(2) })], [], day(1)).state, 'none')
  })

  test('an end is not part of it, a beginning is', () => {
    const reasons = [reason(2, 4)]
    assert.deepEqual(
      [1, 2, 3, 4].map(at => accessAt(reasons, [], day(at)).state),
      ['upcoming', 'active', 'active', 'ended'],
    )
  })
})

const seed = Number(process.env.STOA_TEST_SEED ?? 20_261_121)
const instants = fc.integer({ min: 0, max: 40 })
// One of three order lines, or no source id.
const someSource = fc.constantFrom(bought('a'), bought('b'), bought('c'), {
  source: 'order_line',
  source_id: null,
} as const)
const someReason = fc
  .record({
    from: instants,
    length: fc.option(fc.integer({ min: 1, max: 20 })),
    revoked: fc.option(instants),
    bundle: fc.option(fc.record({ opened: instants, closed: fc.option(instants) })),
    source: someSource,
  })
  .map(({ from, length, revoked, bundle, source }) =>
    reason(from, length === null ? undefined : from + length, {
      ...source,
      revoked_at: revoked === null ? null : day(revoked),
      opened_at: bundle === null ? null : day(bundle.opened),
      closed_at: bundle?.closed === undefined || bundle.closed === null ? null : day(bundle.closed),
    }),
  )
const someHold = fc
  .record({
    from: instants,
    length: fc.option(fc.integer({ min: 0, max: 15 })),
    on: fc.constantFrom({}, bought('a'), bought('b')),
  })
  .map(({ from, length, on }) => hold(from, length === null ? undefined : from + length, on))

test('random histories give access exactly with an active entitlement and no hold, and name the next change', () => {
  const isLiving = (one: Reason, at: number): boolean =>
    one.starts_at <= day(at) &&
    (one.ends_at === null || one.ends_at > day(at)) &&
    (one.revoked_at === null || one.revoked_at > day(at)) &&
    (one.opened_at === null || one.opened_at <= day(at)) &&
    (one.closed_at === null || one.closed_at > day(at))
  const isHolding = (one: Hold, at: number): boolean =>
    one.starts_at <= day(at) && (one.ends_at === null || one.ends_at > day(at))
  const isOn = (held: Hold, one: Reason): boolean =>
    held.source === null || (held.source === one.source && held.source_id === one.source_id)
  fc.assert(
    fc.property(fc.array(someReason, { maxLength: 6 }), fc.array(someHold, { maxLength: 4 }), (reasons, holds) => {
      const free = (one: Reason, at: number) => !holds.some(held => isHolding(held, at) && isOn(held, one))
      const expected = (at: number) => reasons.some(one => isLiving(one, at) && free(one, at))
      for (let at = 0; at <= 45; at++) {
        const access = accessAt(reasons, holds, day(at))
        assert.equal(access.state === 'active', expected(at))
        const hasReason = reasons.some(one => isLiving(one, at))
        assert.equal(access.state === 'held', hasReason && !expected(at))
        assert.equal(access.hold_ids.length > 0, access.state === 'held')
        const later = Array.from({ length: 70 - at }, (_, n) => at + 1 + n).find(one => expected(one) !== expected(at))
        assert.deepEqual(access.next?.at, later === undefined ? undefined : day(later))
      }
    }),
    { seed, numRuns: 300 },
  )
})
