import { dateFormat, numberFormat } from './intl.ts'
import { daysAfter, localAt } from './local-time.ts'
import { isTimeZone, toTag } from './locale.ts'
import { decimalAmount, getExponent } from './money.ts'

/** A language of our pages, or the locale of a document. */
type Locale = string

type Moment = Date | string

// Short where there is little room, as in tables.
type Month = 'long' | 'short'

const toZone = (timeZone: string): string => (isTimeZone(timeZone) ? timeZone : 'UTC')

const dates = (locale: Locale, timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  dateFormat(toTag(locale), { ...options, timeZone: toZone(timeZone) })

const DAY = { day: 'numeric', month: 'long', year: 'numeric' } as const
const CLOCK = { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const

/** The day of an instant in a time zone, such as `1 December 2026`. */
export const formatDay = (at: Moment, timeZone: string, locale: Locale, month: Month = 'long'): string =>
  dates(locale, timeZone, { ...DAY, month }).format(new Date(at))

/** The short name of the month and the number of the day of an instant in a time zone, as on a leaf of a calendar. */
export const formatLeaf = (at: Moment, timeZone: string, locale: Locale): { month: string; day: string } => ({
  month: dates(locale, timeZone, { month: 'short' }).format(new Date(at)),
  day: dates(locale, timeZone, { day: 'numeric' }).format(new Date(at)),
})

/** A day that is stored as such, like `2026-12-01`. */
export const formatDate = (day: string, locale: Locale, month: Month = 'long'): string =>
  dates(locale, 'UTC', { ...DAY, month }).format(new Date(`${day}T00:00:00Z`))

/** The same without the year, in few letters, as below a chart: `30 Oct`. */
export const formatDayMonth = (day: string, locale: Locale): string =>
  dates(locale, 'UTC', { day: 'numeric', month: 'short' }).format(new Date(`${day}T00:00:00Z`))

/** A month like `2026-12`: `December 2026`. */
export const formatMonth = (month: string, locale: Locale): string =>
  dates(locale, 'UTC', { month: 'long', year: 'numeric' }).format(new Date(`${month}-01T00:00:00Z`))

/** The day and the time of an instant in a time zone, which it names: `1 December 2026 at 19:00 WET`. */
export const formatTime = (at: Moment, timeZone: string, locale: Locale): string =>
  dates(locale, timeZone, { ...DAY, ...CLOCK }).format(new Date(at))

/** The same with the day of the week. */
export const formatWeekdayTime = (at: Moment, timeZone: string, locale: Locale): string =>
  dates(locale, timeZone, { weekday: 'long', ...DAY, ...CLOCK }).format(new Date(at))

/** The day of an instant in a time zone, with the day of the week. */
export const formatWeekdayDay = (at: Moment, timeZone: string, locale: Locale): string =>
  dates(locale, timeZone, { weekday: 'long', ...DAY }).format(new Date(at))

/** A moment where there is little room and its time zone is named elsewhere, such as `28 Nov 2026, 09:12`. */
export const formatMoment = (at: Moment, timeZone: string, locale: Locale): string =>
  dates(locale, timeZone, { ...DAY, month: 'short', hour: '2-digit', minute: '2-digit' }).format(new Date(at))

/** When something begins and ends in a time zone, which it names, with the day of the week. */
export const formatPeriod = (from: Moment, until: Moment, timeZone: string, locale: Locale): string =>
  dates(locale, timeZone, { weekday: 'long', ...DAY, ...CLOCK }).formatRange(new Date(from), new Date(until))

/** The first and the last day of a time that ends before `until`: `1 December 2026 – 31 December 2026`. */
export const formatDays = (from: Moment, until: Moment, timeZone: string, locale: Locale): string =>
  `${formatDay(from, timeZone, locale)} – ${formatDay(new Date(new Date(until).getTime() - 1), timeZone, locale)}`

/** When something ends before `until`: the last day, or the time of the end where it is in the middle of a day. */
export const formatEnd = (until: Moment, timeZone: string, locale: Locale): string => {
  const end = new Date(until)
  const [day = '', time] = localAt(end, toZone(timeZone)).split('T')
  return time === '00:00' ? formatDate(daysAfter(day, -1), locale) : formatTime(end, timeZone, locale)
}

/** A number, with at most so many decimals. */
export const formatNumber = (value: number | `${number}`, locale: Locale, decimals = 3): string =>
  numberFormat(toTag(locale), { maximumFractionDigits: decimals }).format(value)

/** The average of reviews, such as `4.8`. */
export const formatRating = (rating: number, locale: Locale): string =>
  numberFormat(toTag(locale), { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(rating)

/** A percentage that is stored as a text or a number, such as `33.3333`: `33.3333%`. */
export const formatPercent = (percent: string | number, locale: Locale): string =>
  // From the text, since a quotient has more digits.
  numberFormat(toTag(locale), { style: 'percent', maximumFractionDigits: 4 }).format(`${percent}E-2` as `${number}`)

/** How an amount is written: with all its decimals, or for a price on the site without those that are zero. */
type MoneyStyle = { readonly isShort?: boolean }

/** An amount in minor units with its currency. */
export const formatMoney = (
  amount: number,
  currency: string,
  locale: Locale,
  { isShort = false }: MoneyStyle = {},
): string => {
  const exponent = getExponent(currency)
  const digits = { minimumFractionDigits: exponent, maximumFractionDigits: exponent }
  const short = { currencyDisplay: 'narrowSymbol', trailingZeroDisplay: 'stripIfInteger' } as const
  return numberFormat(toTag(locale), { style: 'currency', currency, ...digits, ...(isShort && short) }).format(
    // From the text, since a number has too few digits for the largest amounts.
    decimalAmount(amount, currency),
  )
}

// The decimals of a text stay: nothing is rounded or added.
const written = (text: string, locale: Locale): string => {
  const decimals = text.split('.')[1]?.length ?? 0
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
  return numberFormat(toTag(locale), { useGrouping: false, ...digits }).format(text as `${number}`)
}

/** A stored decimal such as `12.50`, as the input of a form has it. */
export const formatInput = (text: string | null, locale: Locale): string =>
  text === null || text === '' ? '' : written(text, locale)

/** An amount in minor units without its currency, as the input of a form has it. */
export const formatAmount = (amount: number | null, currency: string, locale: Locale): string =>
  amount === null ? '' : written(decimalAmount(amount, currency), locale)

const unit = (n: number, name: string, locale: Locale, unitDisplay: 'short' | 'long' = 'short'): string =>
  numberFormat(toTag(locale), { style: 'unit', unit: name, unitDisplay, maximumFractionDigits: 1 }).format(n)

/** A length of time such as `1 hr 20 min`; at least one minute. */
export const formatDuration = (seconds: number, locale: Locale): string => {
  const minutes = Math.max(1, Math.round(seconds / 60))
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return [hours > 0 ? unit(hours, 'hour', locale) : '', rest > 0 ? unit(rest, 'minute', locale) : '']
    .filter(text => text !== '')
    .join(' ')
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** A number of bytes, such as `1.2 MB`. */
export const formatBytes = (bytes: number, locale: Locale): string => {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  // The short name of bytes has no plural.
  return unit(bytes / 1000 ** power, UNITS[power] ?? 'byte', locale, power === 0 ? 'long' : 'short')
}
