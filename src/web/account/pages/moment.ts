import type { Language } from '#src/contract/language.ts'
import type { Session } from '#src/identity/index.ts'
import { isTimeZone } from '#src/kit/locale.ts'

const TAGS = { en: 'en-GB', pt: 'pt-PT' } as const

/** The time zone of a person; UTC for one that has none. */
export const zoneOf = ({ timeZone }: Session['member']): string =>
  timeZone !== null && isTimeZone(timeZone) ? timeZone : 'UTC'

/** A day in the language and time zone of a person. */
export const dayOf = (instant: Date, language: Language, person: Session['member']): string =>
  new Intl.DateTimeFormat(TAGS[language], { dateStyle: 'long', timeZone: zoneOf(person) }).format(instant)

/** A day and time with the time zone. */
export const timeOf = (instant: Date, language: Language, person: Session['member']): string =>
  new Intl.DateTimeFormat(TAGS[language], {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: zoneOf(person),
    timeZoneName: 'short',
  }).format(instant)
