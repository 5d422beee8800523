import { fill, type Language } from '#src/contract/language.ts'
import { isTimeZone } from '#src/kit/locale.ts'
import type { Counted } from './text.ts'

const TAGS = { en: 'en-GB', pt: 'pt-PT' } as const

/** A number of things in words, such as `3 lessons`. */
export const counted = (phrases: Counted, n: number, language: Language, more: Record<string, string> = {}): string => {
  const isOne = new Intl.PluralRules(TAGS[language]).select(n) === 'one'
  const values = { ...more, n: new Intl.NumberFormat(TAGS[language]).format(n) }
  return fill(isOne ? phrases.one : phrases.other, language, values)
}

/** An amount in minor units of an ISO 4217 currency, without decimals where they are zero. */
export const moneyOf = (amount: number, currency: string, language: Language): string => {
  const format = new Intl.NumberFormat(TAGS[language], {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    trailingZeroDisplay: 'stripIfInteger',
  })
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}

/** The average of reviews, such as `4.8`. */
export const ratingOf = (rating: number, language: Language): string =>
  new Intl.NumberFormat(TAGS[language], { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(rating)

const unit = (n: number, name: 'hour' | 'minute', language: Language): string =>
  new Intl.NumberFormat(TAGS[language], { style: 'unit', unit: name, unitDisplay: 'short' }).format(n)

/** A length of time such as `1 hr 20 min`; at least one minute. */
export const durationOf = (seconds: number, language: Language): string => {
  const minutes = Math.max(1, Math.round(seconds / 60))
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return [hours > 0 ? unit(hours, 'hour', language) : '', rest > 0 ? unit(rest, 'minute', language) : '']
    .filter(text => text !== '')
    .join(' ')
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** A size in bytes, such as `1.2 MB`. */
export const bytesIn = (bytes: number, language: Language): string => {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)))
  const format = {
    style: 'unit',
    unit: UNITS[power] ?? 'byte',
    unitDisplay: 'short',
    maximumFractionDigits: 1,
  } as const
  return new Intl.NumberFormat(TAGS[language], format).format(bytes / 1000 ** power)
}

const zoneOf = (timeZone: string): string => (isTimeZone(timeZone) ? timeZone : 'UTC')

/** A day in the time zone of a school. */
export const dayIn = (instant: string, timeZone: string, language: Language): string =>
  new Intl.DateTimeFormat(TAGS[language], { dateStyle: 'long', timeZone: zoneOf(timeZone) }).format(new Date(instant))

/** A day and time in a time zone, which it names. */
export const timeIn = (instant: string, timeZone: string, language: Language): string =>
  new Intl.DateTimeFormat(TAGS[language], {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: zoneOf(timeZone),
    timeZoneName: 'short',
  }).format(new Date(instant))

/** A period in a time zone, which it names, with the day of the week. */
export const periodIn = (starts: string, ends: string, timeZone: string, language: Language): string =>
  new Intl.DateTimeFormat(TAGS[language], {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: zoneOf(timeZone),
    timeZoneName: 'short',
  }).formatRange(new Date(starts), new Date(ends))
