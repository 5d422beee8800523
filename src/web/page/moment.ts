import type { Language } from '#src/contract/language.ts'
import type { Session } from '#src/identity/index.ts'
import { formatDay, formatDays, formatEnd, formatTime } from '#src/kit/format.ts'
import { toInstant } from '#src/kit/local-time.ts'
import { isTimeZone } from '#src/kit/locale.ts'

type Moment = Date | string

/** The time zone of a person, which is that of the school for one who chose none. */
export const chooseZone = ({ timeZone }: Session['member']): string =>
  timeZone !== null && isTimeZone(timeZone) ? timeZone : 'UTC'

/** A day in the language and time zone of a person. */
export const showDay = (instant: Moment, language: Language, person: Session['member']): string =>
  formatDay(instant, chooseZone(person), language)

/** When something ends before an instant: the last day, or the time where it is in the middle of a day. */
export const showEnd = (instant: Moment, language: Language, person: Session['member']): string =>
  formatEnd(instant, chooseZone(person), language)

/** The first and the last day of a period, which ends where the next one begins. */
export const showDays = (
  { from, until }: { readonly from: Moment; readonly until: Moment },
  language: Language,
  person: Session['member'],
): string => formatDays(from, until, chooseZone(person), language)

/** A day and time with the time zone. */
export const showTime = (instant: Moment, language: Language, person: Session['member']): string =>
  formatTime(instant, chooseZone(person), language)

/** The instant at which a day such as `2026-11-28` begins in the zone of a person, as the API writes it. */
export const dayStart = (day: string, person: Session['member']): string =>
  toInstant({ local: `${day}T00:00`, time_zone: chooseZone(person) }).toISOString()
