import { languageOf } from '#src/contract/language.ts'
import type { Reader } from './queries.ts'

type ReadingIn = Pick<Reader, 'locale' | 'time_zone'>

/** A day as a reader reads it, in their zone. */
export const dayText = (at: Date, { locale, time_zone: timeZone }: ReadingIn): string =>
  new Intl.DateTimeFormat(languageOf(locale) === 'pt' ? 'pt-PT' : 'en-GB', { dateStyle: 'long', timeZone }).format(at)

/** The first and the last day of a period, which ends where the next one begins. */
export const periodText = (from: Date, until: Date, reader: ReadingIn): string =>
  `${dayText(from, reader)} – ${dayText(new Date(until.getTime() - 1), reader)}`
