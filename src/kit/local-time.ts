import { Temporal } from 'temporal-polyfill'
import Type from 'typebox'
import { isTimeZone } from './locale.ts'
import { Instant } from './shapes.ts'

/** A moment as people say it: what their clock shows, such as `2026-11-30T23:59`, and where. */
export type ZonedTime = { readonly local: string; readonly time_zone: string }

/** The same with the instant that it is, and by which edition of the time zones that was found. */
export type ResolvedTime = ZonedTime & { readonly at: Date; readonly zones: string }

/** A local time of a row. */
export type StoredTime = ZonedTime & { readonly id: string }

/** A local time to the minute. */
export const LocalTime = Type.String({
  pattern: '^(19|20|21)\\d\\d-\\d\\d-\\d\\dT\\d\\d:\\d\\d$',
  description: 'What the clock shows, to the minute',
  examples: ['2026-11-30T23:59'],
})

/** A local time as somebody says it. */
export const ZonedTimeInput = Type.Object(
  {
    local: LocalTime,
    time_zone: Type.String({ minLength: 1, maxLength: 64, description: 'An IANA time zone' }),
  },
  { additionalProperties: false, title: 'ZonedTime' },
)

/** A local time as it is shown, with the instant that it is. */
export const ZonedTimeView = Type.Object(
  { ...ZonedTimeInput.properties, utc: Instant },
  { additionalProperties: false, title: 'ZonedTimeShown' },
)

/** Which edition of the time zones instants are found by. */
export const zonesEdition = process.versions.tz ?? 'unknown'

/**
 * The instant of a local time that exists, in a zone that does. Where the clocks go forward over it, it is as much later
 * as they went; where they go back over it, it is the first of the two (RFC 5545 §3.3.5).
 */
export const instantOf = ({ local, time_zone: zone }: ZonedTime): Date => {
  const plain = Temporal.PlainDateTime.from(local, { overflow: 'reject' })
  return new Date(plain.toZonedDateTime(zone, { disambiguation: 'compatible' }).epochMilliseconds)
}

/** The same of what somebody said or a row holds; undefined for a day, hour or zone that is none. */
export const resolveTime = ({ local, time_zone }: ZonedTime): ResolvedTime | undefined => {
  if (!isTimeZone(time_zone)) return undefined
  try {
    return { local, time_zone, at: instantOf({ local, time_zone }), zones: zonesEdition }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Local times with their instants by the edition of the time zones that is here; null where there is none any more. */
export const resolveAgain = <Row extends ZonedTime>(rows: readonly Row[]): (Row & { readonly at: Date | null })[] =>
  rows.map(row => ({ ...row, at: resolveTime(row)?.at ?? null }))

/** Whether a text is a time of the calendar, wherever that is. */
export const isLocalTime = (local: string): boolean => resolveTime({ local, time_zone: 'UTC' }) !== undefined

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

/** So many days after a day. */
export const daysAfter = (day: string, days: number): string => Temporal.PlainDate.from(day).add({ days }).toString()

/** The end of the day that comes so many days after an instant, where a zone has that day. */
export const endOfDayAfter = (instant: Date, days: number, zone: string): Date => {
  const next = plainDayAt(instant, zone).add({ days: days + 1 })
  return new Date(next.toZonedDateTime({ timeZone: zone }).epochMilliseconds)
}
