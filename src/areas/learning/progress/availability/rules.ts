import type { DripPeriod } from '#src/areas/courses/index.ts'
import type { ZonePeriod } from '#src/areas/school/index.ts'
import { dayAt, daysAfter, toInstant } from '#src/kit/local-time.ts'

/** A lesson that was completed, and when that was undone. */
export type Completion = { readonly lesson_id: string; readonly completed_at: Date; readonly undone_at: Date | null }

/** A lesson that staff made available to one student from an instant; set at one time and removed at another. */
export type Override = {
  readonly lesson_id: string
  readonly opens_at: Date
  readonly set_at: Date
  readonly removed_at: Date | null
}

/** Everything recorded about the availability of lessons to one student; rows are ended, never changed otherwise. */
export type AvailabilityHistory = {
  readonly drips: readonly DripPeriod[]
  readonly zones: readonly ZonePeriod[]
  /** When the student was first entitled to the course; unset when never. */
  readonly startsAt: Date | undefined
  readonly completions: readonly Completion[]
  readonly overrides: readonly Override[]
}

/** When one lesson is available to a student, apart from access to the course. */
export type Availability = {
  readonly is_open: boolean
  /** When it was unlocked or will be, as far as is known; unset when that is unknown. */
  readonly opens_at: Date | undefined
  readonly reason: 'open' | 'drip' | 'previous'
}

const FOREVER = Number.POSITIVE_INFINITY
// RFC 3339 §5.6: a year has four digits, so no later instant can be written.
const LAST = Date.UTC(9999, 11, 31, 23, 59, 59, 999)
const MIDNIGHT = '00:00'

type Period = { readonly from: number; readonly until: number }
type InForce = Period & { readonly drip: DripPeriod; readonly zone: string }

// The first zone applies to the time before it too.
const zonesWithin = (zones: readonly ZonePeriod[], { from, until }: Period): (Period & { readonly zone: string })[] =>
  zones.flatMap(({ since, time_zone: zone }, index) => {
    const start = Math.max(from, index === 0 ? from : since.getTime())
    const end = Math.min(until, zones[index + 1]?.since.getTime() ?? FOREVER)
    return start < end ? [{ from: start, until: end, zone }] : []
  })

const inForce = (drip: DripPeriod, zones: readonly ZonePeriod[]): InForce[] => {
  const until = drip.valid_until?.getTime() ?? FOREVER
  return zonesWithin(zones, { from: drip.valid_from.getTime(), until }).map(period => ({ ...period, drip }))
}

const onDay = (date: string, { drip, zone }: InForce): number =>
  toInstant({ local: `${date}T${drip.local_time ?? MIDNIGHT}`, time_zone: zone }).getTime()

const daysFrom = (start: number, rule: InForce): number =>
  onDay(daysAfter(dayAt(new Date(start), rule.zone), rule.drip.value ?? 0), rule)

// The periods in which a rule unlocks a lesson: from the instant it names, as long as its condition holds.
const allowedBy = (rule: InForce, startsAt: number, completions: readonly Completion[]): Period[] => {
  const { drip } = rule
  if (drip.mode === 'immediate') return [{ from: startsAt, until: FOREVER }]
  if (drip.mode === 'days_after_enrollment') return [{ from: daysFrom(startsAt, rule), until: FOREVER }]
  if (drip.mode === 'on_date') return [{ from: drip.date === null ? FOREVER : onDay(drip.date, rule), until: FOREVER }]
  if (drip.previous_id === null) return [{ from: startsAt, until: FOREVER }]
  const isAtOnce = drip.value === null && drip.local_time === null
  return completions
    .filter(({ lesson_id: id }) => id === drip.previous_id)
    .map(({ completed_at: at, undone_at: end }) => {
      const done = at.getTime()
      const from = isAtOnce ? done : Math.max(done, daysFrom(done, rule))
      return { from, until: end?.getTime() ?? FOREVER }
    })
}

// A rule unlocks the lesson when its instant comes while the rule is in force.
const listInstants = (lessonId: string, history: AvailabilityHistory): number[] => {
  const { drips, zones, startsAt, completions, overrides } = history
  const overridden = overrides
    .filter(one => one.lesson_id === lessonId)
    .map(one => ({
      at: Math.max(one.set_at.getTime(), one.opens_at.getTime()),
      until: one.removed_at?.getTime() ?? FOREVER,
    }))
  const started = startsAt?.getTime()
  const ruled =
    started === undefined
      ? []
      : drips
          .filter(drip => drip.lesson_id === lessonId && drip.is_published)
          .flatMap(drip => inForce(drip, zones))
          .flatMap(rule =>
            allowedBy(rule, started, completions).map(({ from, until }) => ({
              at: Math.max(rule.from, from, started),
              until: Math.min(rule.until, until),
            })),
          )
  return [...overridden, ...ruled].filter(({ at, until }) => at < until).map(({ at }) => at)
}

const isAt = (at: number, from: Date, until: Date | null): boolean =>
  from.getTime() <= at && at < (until?.getTime() ?? FOREVER)

/**
 * Whether a lesson is available to a student at an instant: it is when it was at that or any earlier instant under the
 * rule, the zone, the completions and the overrides in force then (so what was unlocked never locks again), as long as
 * learners see it at all. Access to the course is checked elsewhere.
 */
export const availabilityAt = (lessonId: string, history: AvailabilityHistory, at: Date): Availability => {
  const now = at.getTime()
  const current = history.drips.find(
    drip => drip.lesson_id === lessonId && isAt(now, drip.valid_from, drip.valid_until),
  )
  if (current?.is_published !== true) return { is_open: false, opens_at: undefined, reason: 'drip' }
  const first = Math.min(...listInstants(lessonId, history))
  if (first <= now) return { is_open: true, opens_at: new Date(first), reason: 'open' }
  if (first <= LAST) return { is_open: false, opens_at: new Date(first), reason: 'drip' }
  return { is_open: false, opens_at: undefined, reason: current.mode === 'after_previous' ? 'previous' : 'drip' }
}
