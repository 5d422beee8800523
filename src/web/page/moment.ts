import type { Language } from '#src/contract/language.ts'
import type { Session } from '#src/identity/index.ts'
import { formatDay, formatDays, formatEnd, formatTime } from '#src/kit/format.ts'
import { isTimeZone } from '#src/kit/locale.ts'

type Moment = Date | string

/** The time zone of a person, which is that of the school for one who chose none. */
export const zoneOf = ({ timeZone }: Session['member']): string =>
  timeZone !== null && isTimeZone(timeZone) ? timeZone : 'UTC'

/** A day in the language and time zone of a person. */
export const dayOf = (instant: Moment, language: Language, person: Session['member']): string =>
  formatDay(instant, zoneOf(person), language)

/** When something ends before an instant: the last day, or the time where it is in the middle of a day. */
export const endOf = (instant: Moment, language: Language, person: Session['member']): string =>
  formatEnd(instant, zoneOf(person), language)

/** The first and the last day of a period, which ends where the next one begins. */
export const daysOf = (
  { from, until }: { readonly from: Moment; readonly until: Moment },
  language: Language,
  person: Session['member'],
): string => formatDays(from, until, zoneOf(person), language)

/** A day and time with the time zone. */
export const timeOf = (instant: Moment, language: Language, person: Session['member']): string =>
  formatTime(instant, zoneOf(person), language)
