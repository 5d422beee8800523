import { refuseInvalid } from '#src/contract/problems.ts'
import { localAt, resolveTime, toInstant, type ZonedTime } from '#src/kit/local-time.ts'
import type { OccurrenceTime } from './queries.ts'

/** A local time, its zone, and how long something takes from then on. */
type WallTime = { readonly local: string; readonly time_zone: string; readonly duration_minutes: number }

/** When an occurrence takes place; where the clocks skip its local time, it has the one that they show then. */
export const computeTime = ({ local, time_zone, duration_minutes }: WallTime): OccurrenceTime => {
  const startsAt = toInstant({ local, time_zone })
  return {
    starts_local: localAt(startsAt, time_zone),
    time_zone,
    duration_minutes,
    starts_at: startsAt,
    ends_at: new Date(startsAt.getTime() + duration_minutes * 60_000),
  }
}

/** The same local time by the present edition of the time zones. */
export const timeAgain = (
  time: Pick<OccurrenceTime, 'starts_local' | 'time_zone' | 'duration_minutes'>,
): OccurrenceTime => computeTime({ ...time, local: time.starts_local })

/** Whether two times are the same to the minute, on the clock and on the time line. */
export const isSameTime = (one: OccurrenceTime, other: OccurrenceTime): boolean =>
  one.starts_local === other.starts_local &&
  one.time_zone === other.time_zone &&
  one.duration_minutes === other.duration_minutes &&
  one.starts_at.getTime() === other.starts_at.getTime()

/** Refuses a local time or zone that does not exist. */
export const checkTime = (time: ZonedTime): ZonedTime => {
  if (resolveTime(time) === undefined)
    refuseInvalid([{ pointer: '/starts_at', code: 'time', message: 'is not a local time in an IANA time zone' }])
  return time
}
