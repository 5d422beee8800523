import { Temporal } from 'temporal-polyfill'
import Type from 'typebox'
import { isTimeZone } from './place.ts'
import { Instant } from './shapes.ts'

/** A moment as people say it: what their clock shows, and where. */
export type ZonedTime = { readonly local: string; readonly time_zone: string }

/** The same with the instant that it is, and by which edition of the time zones that was found. */
export type ResolvedTime = ZonedTime & { readonly at: Date; readonly zones: string }

/** A local time to the minute. */
export const Local = Type.String({
  pattern: '^(19|20|21)\\d\\d-\\d\\d-\\d\\dT\\d\\d:\\d\\d$',
  description: 'What the clock shows, to the minute',
  examples: ['2026-11-30T23:59'],
})

/** A local time as somebody says it. */
export const ZonedTimeSaid = Type.Object(
  {
    local: Local,
    time_zone: Type.String({ minLength: 1, maxLength: 64, description: 'An IANA time zone' }),
  },
  { additionalProperties: false, title: 'ZonedTime' },
)

/** A local time as it is shown, with the instant that it is. */
export const ZonedTimeShown = Type.Object(
  { ...ZonedTimeSaid.properties, utc: Instant },
  { additionalProperties: false, title: 'ZonedTimeShown' },
)

/** Which edition of the time zones instants are found by. */
export const zonesEdition = process.versions.tz ?? 'unknown'

/**
 * The instant of a local time; undefined for a day, hour or zone that is none. What a clock skips is an hour later, and of
 * what it shows twice the first is meant.
 */
export const resolveLocal = ({ local, time_zone: zone }: ZonedTime): ResolvedTime | undefined => {
  if (!isTimeZone(zone)) return undefined
  try {
    const plain = Temporal.PlainDateTime.from(local, { overflow: 'reject' })
    const { epochMilliseconds } = plain.toZonedDateTime(zone, { disambiguation: 'compatible' })
    return { local, time_zone: zone, at: new Date(epochMilliseconds), zones: zonesEdition }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** The end of the day that comes so many days after an instant, where a zone has that day. */
export const endOfDayAfter = (instant: Date, days: number, zone: string): Date => {
  const day = Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(zone).toPlainDate()
  const next = day.add({ days: days + 1 }).toZonedDateTime({ timeZone: zone })
  return new Date(next.epochMilliseconds)
}

/** A local time of a row. */
export type StoredLocal = ZonedTime & { readonly id: string }

/** The same with their instants by the edition of the time zones that is here; null where there is none any more. */
export const resolveAgain = <Row extends ZonedTime>(rows: readonly Row[]): (Row & { readonly at: Date | null })[] =>
  rows.map(row => ({ ...row, at: resolveLocal(row)?.at ?? null }))
