import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import type { Drip, DripPeriod } from '#src/areas/courses/index.ts'
import { type AvailabilityHistory, availabilityAt } from './rules.ts'

const at = (text: string): Date => new Date(text)
const rule = (drip: Partial<Drip>): Drip => ({ mode: 'immediate', value: null, date: null, local_time: null, ...drip })

const period = (drip: Partial<Drip>, more: Partial<DripPeriod> = {}): DripPeriod => ({
  ...rule(drip),
  lesson_id: 'b',
  valid_from: at('2026-01-01T00:00:00Z'),
  valid_until: null,
  is_published: true,
  previous_id: null,
  ...more,
})

const history = (more: Partial<AvailabilityHistory>): AvailabilityHistory => ({
  drips: [],
  zones: [{ since: at('2020-01-01T00:00:00Z'), time_zone: 'Europe/Lisbon' }],
  startsAt: at('2026-01-10T15:00:00Z'),
  completions: [],
  overrides: [],
  ...more,
})

const opensAt = (drip: Partial<Drip>, more: Partial<AvailabilityHistory> = {}): string | undefined =>
  availabilityAt('b', history({ drips: [period(drip)], ...more }), at('2026-01-11T00:00:00Z')).opens_at?.toISOString()

const zone = (time_zone: string) => ({ zones: [{ since: at('2020-01-01T00:00:00Z'), time_zone }] })

suite('local times, by the clocks of the place', () => {
  test('days are days of the calendar, so a time of day stays the same when the clocks change', () => {
    const nine = (value: number) => ({ mode: 'days_after_enrollment', value, local_time: '09:00' }) as const
    // Lisbon: 29 March and 25 October 2026. Ten in the morning of the first day is later than its opening.
    assert.equal(opensAt(nine(77)), '2026-03-28T09:00:00.000Z')
    assert.equal(opensAt(nine(78)), '2026-03-29T08:00:00.000Z')
    assert.equal(opensAt(nine(287)), '2026-10-24T08:00:00.000Z')
    assert.equal(opensAt(nine(288)), '2026-10-25T09:00:00.000Z')
    assert.equal(opensAt(nine(56), zone('America/New_York')), '2026-03-07T14:00:00.000Z')
    assert.equal(opensAt(nine(57), zone('America/New_York')), '2026-03-08T13:00:00.000Z')
    assert.equal(opensAt(nine(295), zone('America/New_York')), '2026-11-01T14:00:00.000Z')
    assert.equal(opensAt(nine(0)), '2026-01-10T15:00:00.000Z', 'not before the course is there')
  })

  test('a time the clocks skip is later by as much as they went, and of one that comes twice the first counts', () => {
    const on = (date: string, local_time: string) => ({ mode: 'on_date', date, local_time }) as const
    assert.equal(opensAt(on('2026-03-29', '01:30')), '2026-03-29T01:30:00.000Z')
    assert.equal(opensAt(on('2026-10-25', '01:30')), '2026-10-25T00:30:00.000Z')
    assert.equal(opensAt(on('2026-03-08', '02:30'), zone('America/New_York')), '2026-03-08T07:30:00.000Z')
    assert.equal(opensAt(on('2026-11-01', '01:30'), zone('America/New_York')), '2026-11-01T05:30:00.000Z')
    // In Santiago midnight itself is skipped.
    assert.equal(opensAt(on('2026-09-06', '00:00'), zone('America/Santiago')), '2026-09-06T04:00:00.000Z')
  })

  test('the day of enrollment is the day it is in the school', () => {
    const late = { startsAt: at('2026-01-10T23:30:00Z') }
    const next = { mode: 'days_after_enrollment', value: 1 } as const
    assert.equal(opensAt(next, late), '2026-01-11T00:00:00.000Z')
    assert.equal(opensAt(next, { ...late, ...zone('Asia/Tokyo') }), '2026-01-11T15:00:00.000Z')
  })
})

suite('what is in force when', () => {
  const moved = at('2026-02-01T00:00:00Z')
  const zones = [
    { since: at('2020-01-01T00:00:00Z'), time_zone: 'Asia/Tokyo' },
    { since: moved, time_zone: 'America/New_York' },
  ]

  test('when the school moves, what is to come follows the new zone and what was open stays open', () => {
    const openOn = (date: string, now: string) =>
      availabilityAt('b', history({ drips: [period({ mode: 'on_date', date, local_time: '08:00' })], zones }), at(now))
    assert.equal(openOn('2026-02-10', '2026-02-02T00:00:00Z').opens_at?.toISOString(), '2026-02-10T13:00:00.000Z')
    // It was open for an hour when the school moved to where its time was yet to come.
    assert.equal(openOn('2026-02-01', '2026-02-01T00:30:00Z').is_open, true)
    assert.equal(openOn('2026-02-01', '2026-01-31T22:30:00Z').is_open, false)
    // Moved an hour before it would have opened.
    assert.equal(openOn('2026-02-01', '2026-02-01T00:30:00Z').opens_at?.toISOString(), '2026-01-31T23:00:00.000Z')
  })

  test('a rule that comes later locks nothing, and one that never opened the lesson is forgotten', () => {
    const until = at('2026-01-20T00:00:00Z')
    const open = period({}, { valid_until: until })
    const shut = period({ mode: 'on_date', date: '2026-06-01' }, { valid_until: until })
    const later = period({ mode: 'on_date', date: '2026-12-01' }, { valid_from: until })
    const on = (drips: readonly DripPeriod[]) =>
      availabilityAt('b', history({ drips }), at('2026-02-01T00:00:00Z')).is_open
    assert.equal(on([open, later]), true)
    assert.equal(on([shut, later]), false)
    assert.equal(on([{ ...open, is_published: false }, later]), false, 'a draft was open to nobody')
    assert.equal(on([open, { ...later, is_published: false }]), false, 'what is hidden is not there')
  })

  test('after the previous lesson: unlocked by its completion, and kept when that is undone or the order changes', () => {
    const after = period({ mode: 'after_previous' }, { previous_id: 'a' })
    const done = { lesson_id: 'a', completed_at: at('2026-01-15T10:00:00Z'), undone_at: null }
    const now = at('2026-01-20T00:00:00Z')
    const of = (more: Partial<AvailabilityHistory>) => availabilityAt('b', history({ drips: [after], ...more }), now)
    assert.deepEqual(of({}), { is_open: false, opens_at: undefined, reason: 'previous' })
    assert.equal(of({ completions: [done] }).is_open, true)
    assert.equal(of({ completions: [{ ...done, undone_at: at('2026-01-15T10:00:01Z') }] }).is_open, true)
    const moved = [
      { ...after, valid_until: at('2026-01-16T00:00:00Z') },
      period({ mode: 'after_previous' }, { previous_id: 'c', valid_from: at('2026-01-16T00:00:00Z') }),
    ]
    assert.equal(of({ completions: [done], drips: moved }).is_open, true)
    const days = [period({ mode: 'after_previous', value: 3, local_time: '07:00' }, { previous_id: 'a' })]
    assert.equal(of({ completions: [done], drips: days }).opens_at?.toISOString(), '2026-01-18T07:00:00.000Z')
    const undone = [{ ...done, undone_at: at('2026-01-17T00:00:00Z') }]
    assert.equal(of({ completions: undone, drips: days }).is_open, false, 'taken back before it opened anything')
  })

  test('staff open a lesson to one student, and cannot take back what was open', () => {
    const shut = { drips: [period({ mode: 'on_date', date: '2026-12-01' })] }
    const exception = { lesson_id: 'b', set_at: at('2026-01-12T00:00:00Z'), opens_at: at('2026-01-14T00:00:00Z') }
    const on = (removed_at: Date | null, now: string) =>
      availabilityAt('b', history({ ...shut, overrides: [{ ...exception, removed_at }] }), at(now)).is_open
    assert.deepEqual([on(null, '2026-01-13T23:59:59Z'), on(null, '2026-01-14T00:00:00Z')], [false, true])
    assert.equal(on(at('2026-01-13T00:00:00Z'), '2026-01-20T00:00:00Z'), false)
    assert.equal(on(at('2026-01-15T00:00:00Z'), '2026-01-20T00:00:00Z'), true)
  })

  test('a person without any entitlement', () => {
    assert.equal(availabilityAt('b', history({ startsAt: undefined, drips: [period({})] }), moved).is_open, false)
  })
})

const seed = Number(process.env.STOA_TEST_SEED ?? 20_261_121)
const HOUR = 3_600_000
const START = Date.UTC(2026, 2, 1)
const lessons = ['a', 'b', 'c']
const zoneNames = fc.constantFrom(
  'Europe/Lisbon',
  'America/New_York',
  'Asia/Tokyo',
  'Pacific/Apia',
  'Australia/Lord_Howe',
)
const drips: fc.Arbitrary<Drip> = fc.oneof(
  fc.constant(rule({})),
  fc
    .record({ value: fc.nat(12), local_time: fc.constantFrom(null, '02:30', '23:59') })
    .map(part => rule({ mode: 'days_after_enrollment', ...part })),
  fc.nat(40).map(day => rule({ mode: 'on_date', date: new Date(START + day * 24 * HOUR).toISOString().slice(0, 10) })),
  fc.option(fc.nat(3)).map(value => rule({ mode: 'after_previous', value })),
)
const lesson = fc.constantFrom(...lessons)
const act = fc.oneof(
  fc.record({ kind: fc.constant('rule' as const), lesson, drip: drips }),
  fc.record({ kind: fc.constant('publish' as const), lesson, isPublished: fc.boolean() }),
  fc.record({ kind: fc.constant('previous' as const), lesson, previous: fc.option(lesson) }),
  fc.record({ kind: fc.constant('zone' as const), zone: zoneNames }),
  fc.record({ kind: fc.constant('complete' as const), lesson }),
  fc.record({ kind: fc.constant('undo' as const), lesson }),
  fc.record({ kind: fc.constant('override' as const), lesson, hours: fc.nat(200) }),
  fc.record({ kind: fc.constant('withdraw' as const), lesson }),
)
type Act = typeof act extends fc.Arbitrary<infer One> ? One : never

const ending = <Row>(rows: readonly Row[], isOne: (row: Row) => boolean, end: Partial<Row>): Row[] =>
  rows.map(row => (isOne(row) ? { ...row, ...end } : row))

// The effect of each act on the rows: they end and start, and none is ever deleted.
const apply = (before: AvailabilityHistory, one: Act, now: Date): AvailabilityHistory => {
  if (one.kind === 'zone') return { ...before, zones: [...before.zones, { since: now, time_zone: one.zone }] }
  const isSameLesson = (row: { readonly lesson_id: string }) => row.lesson_id === one.lesson
  const isDone = (row: AvailabilityHistory['completions'][number]) => isSameLesson(row) && row.undone_at === null
  const isSaid = (row: AvailabilityHistory['overrides'][number]) => isSameLesson(row) && row.removed_at === null
  if (one.kind === 'complete')
    return before.completions.some(isDone)
      ? before
      : {
          ...before,
          completions: [...before.completions, { lesson_id: one.lesson, completed_at: now, undone_at: null }],
        }
  if (one.kind === 'undo') return { ...before, completions: ending(before.completions, isDone, { undone_at: now }) }
  const overrides = ending(before.overrides, isSaid, { removed_at: now })
  if (one.kind === 'withdraw') return { ...before, overrides }
  if (one.kind === 'override') {
    const rule = {
      lesson_id: one.lesson,
      set_at: now,
      opens_at: new Date(now.getTime() + one.hours * HOUR),
      removed_at: null,
    }
    return { ...before, overrides: [...overrides, rule] }
  }
  const isCurrent = (row: DripPeriod) => isSameLesson(row) && row.valid_until === null
  const current = before.drips.find(isCurrent)
  assert.ok(current)
  const next = {
    ...current,
    ...(one.kind === 'rule' ? one.drip : {}),
    ...(one.kind === 'publish' ? { is_published: one.isPublished } : {}),
    ...(one.kind === 'previous' ? { previous_id: one.previous } : {}),
    valid_from: now,
  }
  return { ...before, drips: [...ending(before.drips, isCurrent, { valid_until: now }), next] }
}

const openIn = (recorded: AvailabilityHistory, now: Date): ReadonlySet<string> =>
  new Set(lessons.filter(id => availabilityAt(id, recorded, now).is_open))

const isSeen = (recorded: AvailabilityHistory, id: string): boolean =>
  recorded.drips.some(drip => drip.lesson_id === id && drip.valid_until === null && drip.is_published)

test('decision 54: whatever happens, a lesson that was available stays available, and the past does not change', () => {
  const first = lessons.map(id => period(rule({}), { lesson_id: id, valid_from: new Date(START), is_published: false }))
  const steps = fc.array(fc.tuple(fc.integer({ min: 1, max: 60 }), act), { minLength: 1, maxLength: 14 })
  fc.assert(
    fc.property(steps, fc.integer({ min: -100, max: 200 }), (all, startHours) => {
      let recorded = history({ drips: first, startsAt: new Date(START + startHours * HOUR) })
      let now = START
      const ever = new Set<string>()
      const snapshots: { at: Date; open: ReadonlySet<string> }[] = []
      for (const [hours, one] of all) {
        // Looked at in between too: what opens by the clock alone counts.
        for (const part of [0.5, 1]) {
          const moment = new Date(now + hours * HOUR * part - (part === 1 ? 1 : 0))
          const open = openIn(recorded, moment)
          for (const id of ever)
            assert.ok(!isSeen(recorded, id) || open.has(id), `${id} locked again before ${one.kind}`)
          for (const id of open) ever.add(id)
          snapshots.push({ at: moment, open })
        }
        now += hours * HOUR
        recorded = apply(recorded, one, new Date(now))
        for (const id of ever)
          assert.ok(!isSeen(recorded, id) || openIn(recorded, new Date(now)).has(id), `${one.kind} locked ${id}`)
      }
      for (const { at: moment, open } of snapshots)
        assert.deepEqual(openIn(recorded, moment), open, 'the past is what it was')
    }),
    { seed, numRuns: 400 },
  )
})
