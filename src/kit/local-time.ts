import { Temporal } from 'temporal-polyfill'
import Type from 'typebox'
import { isTimeZone } from './locale.ts'
import { Closed, Instant } from './shapes.ts'

/** A local time such as `2026-11-30T23:59` with its time zone. */
export type ZonedTime = { readonly local: string; readonly time_zone: string }

/** The same with its instant. */
type ResolvedTime = ZonedTime & { readonly at: Date }

/** A local time to the minute. */
const LocalTime = Type.String({
  pattern: '^(19|20|21)\\d\\d-\\d\\d-\\d\\dT\\d\\d:\\d\\d$',
  description: 'What the clock shows, to the minute',
  examples: ['2026-11-30T23:59'],
})

/** A local time in a request. */
export const ZonedTimeInput = Closed('ZonedTime', {
  local: LocalTime,
  time_zone: Type.String({ minLength: 1, maxLength: 64, description: 'An IANA time zone' }),
})

/** A local time in a response, with its instant. The end of what begins in the last minute of a request's years is after them. */
export const ZonedTimeView = Closed('ZonedTimeShown', {
  ...ZonedTimeInput.properties,
  local: Type.String({ ...LocalTime, pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d$' }),
  utc: Instant,
})

/**
 * The instant of a valid local time in a valid zone. In the gap when clocks go forward, it is moved later
 * by the length of the gap; when clocks go back, it is the first of the two instants (RFC 5545 §3.3.5).
 */
export const toInstant = ({ local, time_zone: zone }: ZonedTime): Date => {
  const plain = Temporal.PlainDateTime.from(local, { overflow: 'reject' })
  return new Date(plain.toZonedDateTime(zone, { disambiguation: 'compatible' }).epochMilliseconds)
}

/** The instant of a local time from a request or row; undefined for an invalid date, time or zone. */
export const resolveTime = ({ local, time_zone }: ZonedTime): ResolvedTime | undefined => {
  if (!isTimeZone(time_zone)) return undefined
  try {
    return { local, time_zone, at: toInstant({ local, time_zone }) }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Whether a text is a valid local date and time of a year of four digits, which every zone has. */
export const isLocalTime = (local: string): boolean =>
  /^\d{4}-/.test(local) && resolveTime({ local, time_zone: 'UTC' }) !== undefined

/** Whether a text such as `2026-03-29` is a day that exists. */
export const isDay = (text: string): boolean => {
  try {
    return Temporal.PlainDate.from(text).toString() === text
  } catch {
    return false
  }
}

const plainDayAt = (at: Date, zone: string): Temporal.PlainDate =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone).toPlainDate()

/** The day in a zone at an instant. */
export const dayAt = (at: Date, zone: string): string => plainDayAt(at, zone).toString()

/** What the clock shows in a zone at an instant, to the minute: `2026-11-30T23:59`. */
export const localAt = (at: Date, zone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime())
    .toZonedDateTimeISO(zone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' })

/** The day a number of days after a day. */
export const daysAfter = (day: string, days: number): string => Temporal.PlainDate.from(day).add({ days }).toString()

/** The end of the day a number of days after an instant, in a time zone. */
export const endOfDayAfter = (instant: Date, days: number, zone: string): Date => {
  const next = plainDayAt(instant, zone).add({ days: days + 1 })
  return new Date(next.toZonedDateTime({ timeZone: zone }).epochMilliseconds)
}

/** The instant a number of calendar months after another, at the same time in a zone; the last day of a shorter month. */
export const monthsAfter = (instant: Date, months: number, zone: string): Date => {
  const from = Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(zone)
  return new Date(from.add({ months }).epochMilliseconds)
}

/** The edition of the time-zone database by which instants are found, such as 2026b. */
export const zonesEdition = (): string => process.versions.tz ?? 'unknown'
