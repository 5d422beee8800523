import { Temporal } from 'temporal-polyfill'

/** A time on the wall of a place: a day, and a time of day such as `09:30`. */
export type LocalTime = { readonly date: string; readonly time: string }

/**
 * The instant of a local time in a zone. Where the clocks go forward over it, it is as much later as they went; where
 * they go back over it, it is the first of the two (RFC 5545 §3.3.5).
 */
export const instantOf = ({ date, time }: LocalTime, timeZone: string): Date => {
  const plainTime = Temporal.PlainTime.from(time)
  const zoned = Temporal.PlainDate.from(date).toZonedDateTime({ timeZone, plainTime })
  return new Date(zoned.epochMilliseconds)
}

/** The day in a zone at an instant. */
export const dateAt = (at: Date, timeZone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone).toPlainDate().toString()

/** So many days after a day. */
export const daysAfter = (date: string, days: number): string => Temporal.PlainDate.from(date).add({ days }).toString()

/** Whether a text such as `2026-03-29` is a day that exists. */
export const isDay = (text: string): boolean => {
  try {
    return Temporal.PlainDate.from(text).toString() === text
  } catch {
    return false
  }
}
