import { Temporal } from 'temporal-polyfill'
import { QUARTER_MS } from '../rollup/rules.ts'

/** The lengths of points. */
export const intervals = ['hour', 'day', 'week', 'month'] as const

/** The length of a point. */
export type Interval = (typeof intervals)[number]

/** The most points of an answer. */
export const MAX_POINTS = 800

/** The most parts of a breakdown; what is smaller is added up. */
export const MAX_PARTS = 50

// Nothing happened before, and local times of those years are no whole quarters from UTC.
const FIRST_YEAR = 1980

/** How many points there are without `from`. */
const USUAL: Readonly<Record<Interval, Temporal.DurationLike>> = {
  hour: { days: 0 },
  day: { days: 29 },
  week: { weeks: 11 },
  month: { months: 11 },
}

/** The first day of a week, 1 for Monday to 7 for Sunday: that of a locale with a region, otherwise Monday (ISO 8601). */
export const firstDayOfWeek = (tag: string): number => {
  const locale = new Intl.Locale(tag)
  if (locale.region === undefined) return 1
  const week = locale as Intl.Locale & { getWeekInfo?(): { firstDay: number } }
  return week.getWeekInfo?.().firstDay ?? 1
}

/** The days of an answer, in a time zone. */
export type Days = { readonly interval: Interval; readonly from: string; readonly to: string; readonly zone: string }

type AskedDays = {
  readonly interval: Interval
  readonly from: string | undefined
  readonly to: string | undefined
  readonly zone: string
}

/** The days of a request, with those that were left out; undefined for days that are none. */
export const computeDays = ({ interval, from, to, zone }: AskedDays, now: Date): Days | undefined => {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone).toPlainDate()
  try {
    const last = to === undefined ? today : Temporal.PlainDate.from(to, { overflow: 'reject' })
    const first =
      from === undefined ? last.subtract(USUAL[interval]) : Temporal.PlainDate.from(from, { overflow: 'reject' })
    if (first.year < FIRST_YEAR || Temporal.PlainDate.compare(first, last) > 0) return undefined
    return { interval, from: first.toString(), to: last.toString(), zone }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const toStep = (interval: Exclude<Interval, 'hour'>, count: number): Temporal.DurationLike =>
  ({ day: { days: count }, week: { weeks: count }, month: { months: count } })[interval]

/** Moves a day to the first one of its week or month. */
const alignedTo = (interval: Interval, day: Temporal.PlainDate, firstDay: number): Temporal.PlainDate => {
  if (interval === 'month') return day.with({ day: 1 })
  if (interval === 'week') return day.subtract({ days: (day.dayOfWeek - firstDay + 7) % 7 })
  return day
}

/** How many points days have; cheap for any days. */
const countPoints = (interval: Interval, first: Temporal.PlainDate, last: Temporal.PlainDate): number => {
  const days = first.until(last, { largestUnit: 'days' }).days + 1
  if (interval === 'hour') return days * 24
  if (interval === 'day') return days
  if (interval === 'week') return Math.ceil(days / 7)
  return first.until(last, { largestUnit: 'months' }).months + 1
}

// The first quarter at or after an instant.
const quarterAt = (milliseconds: number): Date => new Date(Math.ceil(milliseconds / QUARTER_MS) * QUARTER_MS)

const midnight = (day: Temporal.PlainDate, zone: string): Date =>
  quarterAt(day.toZonedDateTime({ timeZone: zone }).epochMilliseconds)

const HOUR_MS = 60 * 60_000
const DAY_MS = 24 * HOUR_MS

const hoursBetween = (from: Date, until: Date): Date[] =>
  Array.from(
    { length: Math.ceil((until.getTime() - from.getTime()) / HOUR_MS) },
    (_, at) => new Date(from.getTime() + at * HOUR_MS),
  )

const listStarts = (interval: Interval, first: Temporal.PlainDate, end: Temporal.PlainDate, zone: string): Date[] => {
  if (interval === 'hour') return hoursBetween(midnight(first, zone), midnight(end, zone))
  const starts: Date[] = []
  for (let at = 0; ; at++) {
    const day = first.add(toStep(interval, at))
    if (Temporal.PlainDate.compare(day, end) >= 0) return starts
    starts.push(midnight(day, zone))
  }
}

/** The points of a period: when each begins, and the end of the last one. */
export type Period = { readonly starts: readonly Date[]; readonly end: Date }

/**
 * The points of some days, which begin at local midnight, or at the first quarter after it; weeks and months are whole at
 * the beginning. Undefined when there would be too many.
 */
export const computePeriod = ({ interval, from, to, zone }: Days, firstDay: number): Period | undefined => {
  const first = alignedTo(interval, Temporal.PlainDate.from(from), firstDay)
  const last = Temporal.PlainDate.from(to)
  if (countPoints(interval, first, last) > MAX_POINTS) return undefined
  const end = last.add({ days: 1 })
  return { starts: listStarts(interval, first, end, zone), end: midnight(end, zone) }
}

/** The days before some days: as many, or as many months. */
export const previousDays = (days: Days, firstDay: number): Days => {
  const first = alignedTo(days.interval, Temporal.PlainDate.from(days.from), firstDay)
  const last = Temporal.PlainDate.from(days.to)
  const to = first.subtract({ days: 1 })
  if (days.interval === 'month') {
    const months = first.until(last, { largestUnit: 'months' }).months + 1
    return { ...days, from: first.subtract({ months }).toString(), to: to.toString() }
  }
  const unit = days.interval === 'week' ? 7 : 1
  const length = Math.ceil((first.until(last, { largestUnit: 'days' }).days + 1) / unit) * unit
  return { ...days, from: first.subtract({ days: length }).toString(), to: to.toString() }
}

/** A period without the points that had ended before an instant, and without those that begin after another. */
export const within = ({ starts, end }: Period, begins: Date, now: Date): Period => {
  const kept = starts.filter((start, at) => (starts[at + 1] ?? end) > begins && start <= now)
  const next = starts.find(start => start > (kept.at(-1) ?? end))
  return { starts: kept, end: kept.length === 0 ? end : (next ?? end) }
}

/** The range of some days, without what lies more than a day ahead. */
export const computeRange = ({ from, to, zone }: Days, now: Date): { readonly from: Date; readonly until: Date } => {
  const ahead = now.getTime() + DAY_MS
  const end = midnight(Temporal.PlainDate.from(to).add({ days: 1 }), zone)
  return { from: midnight(Temporal.PlainDate.from(from), zone), until: new Date(Math.min(end.getTime(), ahead)) }
}
