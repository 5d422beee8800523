import { toLanguage } from '#src/contract/language.ts'
import { formatDay, formatDays, formatEnd, formatTime, formatWeekdayTime } from '#src/kit/format.ts'
import type { LineRow } from '../order/queries.ts'
import type { Reader } from './queries.ts'

type ReadingIn = Pick<Reader, 'locale' | 'time_zone'>

/** A day as a reader reads it, in their zone. */
export const dayText = (at: Date, { locale, time_zone: zone }: ReadingIn): string =>
  formatDay(at, zone, toLanguage(locale))

/** When something ends before an instant, as a reader reads it. */
export const endText = (at: Date, { locale, time_zone: zone }: ReadingIn): string =>
  formatEnd(at, zone, toLanguage(locale))

/** An instant as a reader reads it, in their zone, which it names. */
export const instantText = (at: Date, { locale, time_zone: zone }: ReadingIn): string =>
  formatTime(at, zone, toLanguage(locale))

/** The same with the day of the week. */
export const weekdayText = (at: Date, { locale, time_zone: zone }: ReadingIn): string =>
  formatWeekdayTime(at, zone, toLanguage(locale))

/** The first and the last day of a period, which ends where the next one begins. */
export const periodText = (from: Date, until: Date, { locale, time_zone: zone }: ReadingIn): string =>
  formatDays(from, until, zone, toLanguage(locale))

/** What a line is about, with its quantity where it is not one. */
export const formatName = ({ name, quantity }: Pick<LineRow, 'name' | 'quantity'>): string =>
  quantity === 1 ? name : `${quantity} × ${name}`
