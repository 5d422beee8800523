import { isDate } from '#src/kit/instant.ts'
import { dateFormat } from '#src/kit/intl.ts'
import { dayAt, daysAfter, toInstant } from '#src/kit/local-time.ts'
import { fold } from '#src/kit/text.ts'

/** A date of a cell: its day, with the time of day and the distance from UTC where the cell has them. */
type WrittenDate = {
  /** Such as 2026-04-03. */
  readonly day: string
  /** Such as 09:30:00. */
  readonly time?: string
  /** In minutes; positive east of Greenwich. */
  readonly offset?: number
}

// RFC 5322 §4.3, and what Central and Western Europe use.
const ZONES: Readonly<Record<string, number>> = {
  z: 0,
  ut: 0,
  utc: 0,
  gmt: 0,
  wet: 0,
  west: 60,
  cet: 60,
  cest: 120,
  mez: 60,
  mesz: 120,
  est: -300,
  edt: -240,
  cst: -360,
  cdt: -300,
  mst: -420,
  mdt: -360,
  pst: -480,
  pdt: -420,
}

const CLOCK = String.raw`(\d{1,2}) ?[:h.] ?(\d\d)(?:(?:[:.]| min )(\d\d)(?:[.,]\d{1,9})?(?: s)?)?`
const HALF = String.raw`(?:\s*([ap])\.?\s?m\.?)?`
const ZONE = String.raw`(?:\s*([a-z]{1,4}))?(?:\s*([+-]\d\d):?(\d\d)?)?`
// After at, um, às, à, a las, or the T of ISO 8601.
const TIME = new RegExp(`(?:,? (?:(?:at|um|as|a|a las) )?|t)${CLOCK}(?: ?uhr)?${HALF}${ZONE}$`)

const pad = (value: number): string => String(value).padStart(2, '0')

// Twelve o'clock is the first hour of each half of a day.
const toHour = (hour: number, half: string): number => {
  if (half === '') return hour
  return hour < 1 || hour > 12 ? Number.NaN : (hour % 12) + (half === 'p' ? 12 : 0)
}

const readOffset = (zone: string, hours: string, minutes: string): number | undefined => {
  const named = zone === '' ? undefined : (ZONES[zone] ?? Number.NaN)
  if (hours === '') return named
  const size = Math.abs(Number(hours)) * 60 + Number(minutes)
  return (named ?? 0) + (hours.startsWith('-') ? -size : size)
}

type Split = { readonly date: string } & Omit<WrittenDate, 'day'>

// The date and the time of a folded cell; undefined where it does not end with a time.
const splitTime = (text: string): Split | undefined => {
  const match = TIME.exec(text)
  if (match === null) return undefined
  const [, hours = '', minutes = '', seconds = '00', half = '', zone = '', east = '', rest = '00'] = match
  const hour = toHour(Number(hours), half)
  const offset = readOffset(zone, east, rest)
  const isTime = hour < 24 && Number(minutes) < 60 && Number(seconds) < 60 && !(Math.abs(offset ?? 0) > 15 * 60)
  if (!isTime || Number.isNaN(offset)) return undefined
  const split = { date: text.slice(0, match.index), time: `${pad(hour)}:${minutes}:${seconds}` }
  return offset === undefined ? split : { ...split, offset }
}

const LANGUAGES = ['en', 'pt', 'es', 'de', 'fr']

const nameMonths = (): readonly (readonly string[])[] =>
  Array.from({ length: 12 }, (_, month) =>
    LANGUAGES.flatMap(language =>
      (['long', 'short'] as const).map(length =>
        fold(
          dateFormat(language, { month: length, timeZone: 'UTC' })
            .format(Date.UTC(2026, month, 15))
            .replace('.', ''),
        ),
      ),
    ),
  )

// Abbreviations that do not begin a name, and names of Austria.
const MORE_MONTHS: Readonly<Record<string, number>> = { mrz: 3, janner: 1, feber: 2 }

let monthNames: readonly (readonly string[])[] | undefined

// A month by its name in one of the languages, or by the beginning of one that no other month has.
const findMonth = (word: string): number | undefined => {
  monthNames ??= nameMonths()
  const fitting = monthNames.flatMap((names, at) => (names.some(name => name.startsWith(word)) ? [at + 1] : []))
  return MORE_MONTHS[word] ?? (word.length > 2 && fitting.length === 1 ? fitting[0] : undefined)
}

// POSIX: 69 to 99 are of the last century.
const toYear = (digits: string): number => {
  const year = Number(digits)
  if (digits.length !== 2) return year
  return year < 69 ? 2000 + year : 1900 + year
}

const FIRST_YEAR = 1900

const toDay = (year = '', month = 0, day = ''): string | undefined => {
  const written = `${toYear(year)}-${pad(month)}-${pad(Number(day))}`
  return toYear(year) >= FIRST_YEAR && isDate(written) ? written : undefined
}

const YEAR_FIRST = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})\.?$/
const COMPACT = /^(\d{4})(\d\d)(\d\d)$/
const YEAR_LAST = /^(\d{1,2})([-/.]) ?(\d{1,2})\2 ?(\d{4}|\d\d)$/

const readYearFirst = (date: string): string | undefined => {
  const [, year, , month, day] = YEAR_FIRST.exec(date) ?? []
  if (year !== undefined) return toDay(year, Number(month), day)
  const [, compactYear, compactMonth, compactDay] = COMPACT.exec(date) ?? []
  return toDay(compactYear, Number(compactMonth ?? 0), compactDay)
}

const readYearLast = (date: string, order: 'day' | 'month'): string | undefined => {
  const [, first, , second, year] = YEAR_LAST.exec(date) ?? []
  return order === 'day' ? toDay(year, Number(second ?? 0), first) : toDay(year, Number(first ?? 0), second)
}

const WEEKDAY = /^[a-z]{2,12}(?:-feira)?[.,]* +(?=\d|[a-z]{3,})/
const ARTICLE = /^(?:le|el|den) (?=\d)/
const NAME_SECOND =
  /^(\d{1,2})(?:st|nd|rd|th|er|\.o|\.|o)?[ ./-]*(?:de |of )?([a-z]+)\.?[ .,/-]*(?:de |del )?(\d{4}|\d\d)$/
const NAME_FIRST = /^([a-z]+)\.?[ .-]*(\d{1,2})(?:st|nd|rd|th)?[ .,-]+(\d{4}|\d\d)$/
const NAME_AFTER_YEAR = /^(\d{4})[ ./-]([a-z]+)\.?[ ./-](\d{1,2})$/

const readNamed = (date: string): string | undefined => {
  const [, day, month, year] = NAME_SECOND.exec(date) ?? []
  if (day !== undefined) return toDay(year, findMonth(month ?? ''), day)
  const [, firstMonth, secondDay, lastYear] = NAME_FIRST.exec(date) ?? []
  if (secondDay !== undefined) return toDay(lastYear, findMonth(firstMonth ?? ''), secondDay)
  const [, firstYear, secondMonth, lastDay] = NAME_AFTER_YEAR.exec(date) ?? []
  return toDay(firstYear, findMonth(secondMonth ?? ''), lastDay)
}

const readMonthName = (date: string): string | undefined => {
  const plain = date.replace(ARTICLE, '')
  return readNamed(plain) ?? readNamed(plain.replace(WEEKDAY, '').replace(ARTICLE, ''))
}

const readers: Readonly<Record<string, (date: string) => string | undefined>> = {
  year_month_day: readYearFirst,
  day_month_year: date => readYearLast(date, 'day'),
  month_day_year: date => readYearLast(date, 'month'),
  month_name: readMonthName,
}

const MAX_CHARACTERS = 80

// What JavaScript writes after a date: (Western European Summer Time).
const plainDate = (text: string): string => fold(text).replace(/\s*\([^()]*\)$/, '')

type Plain = { readonly text: string; readonly plain: string; readonly split: Split | undefined }

// A cell is read by each format in turn.
let latest: Plain | undefined

const readPlain = (text: string): Plain => {
  if (latest?.text === text) return latest
  const plain = plainDate(text)
  latest = { text, plain, split: splitTime(plain) }
  return latest
}

/** Reads a cell as a date of a format; undefined where it is none. */
export const readDate = (text: string, format: string): WrittenDate | undefined => {
  if (text.length > MAX_CHARACTERS || !/\d/.test(text)) return undefined
  const { plain, split } = readPlain(text)
  const read = readers[format]
  const day = split && read?.(split.date)
  if (split !== undefined && day !== undefined) {
    const { date: _, ...time } = split
    return { day, ...time }
  }
  const whole = read?.(plain)
  return whole === undefined ? undefined : { day: whole }
}

const MINUTE_MS = 60_000

// Clocks of the zone are used where the cell does not say its distance from UTC.
const toMoment = ({ day, time, offset }: WrittenDate, zone: string): Date => {
  if (offset !== undefined) return new Date(Date.parse(`${day}T${time}Z`) - offset * MINUTE_MS)
  return toInstant({ local: `${day}T${time ?? '00:00'}`, time_zone: zone })
}

/** The instant of a date; one without a time is midnight in the zone, or the end of the day where something ends. */
export const dateToInstant = (date: WrittenDate, zone: string, isEnd: boolean): Date =>
  toMoment(isEnd && date.time === undefined ? { day: daysAfter(date.day, 1) } : date, zone)

/** The day of a date in the zone. */
export const dateToDay = (date: WrittenDate, zone: string): string =>
  date.offset === undefined ? date.day : dayAt(toMoment(date, zone), zone)

/** A date for people who choose a format, such as 2026-04-03 09:30. */
export const showDate = ({ day, time }: WrittenDate): string =>
  time === undefined || time === '00:00:00' ? day : `${day} ${time.slice(0, 5)}`
