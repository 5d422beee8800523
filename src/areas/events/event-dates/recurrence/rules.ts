import { RRuleTemporal } from 'rrule-temporal'
import { Temporal } from 'temporal-polyfill'
import type { FieldError } from '#src/contract/problem.ts'
import { isDay } from '#src/kit/local-time.ts'

/** The most dates of an event. */
export const MAX_DATES = 200

const MAX_YEARS = 2

const numbers = (least: number, most: number): RegExp =>
  new RegExp(`^[+-]?\\d{${least},${most}}(,[+-]?\\d{${least},${most}}){0,30}$`)
const WEEKDAY = '([+-]?\\d{1,2})?(MO|TU|WE|TH|FR|SA|SU)'

// The parts of a rule, and what each may be. What repeats within an hour is no event, and the minute is that of the start.
const PARTS: Readonly<Record<string, RegExp>> = {
  FREQ: /^(DAILY|WEEKLY|MONTHLY|YEARLY)$/,
  INTERVAL: /^[1-9]\d{0,2}$/,
  BYDAY: new RegExp(`^${WEEKDAY}(,${WEEKDAY}){0,30}$`),
  BYMONTHDAY: numbers(1, 2),
  BYYEARDAY: numbers(1, 3),
  BYWEEKNO: numbers(1, 2),
  BYMONTH: /^([1-9]|1[0-2])(,([1-9]|1[0-2])){0,11}$/,
  BYSETPOS: numbers(1, 3),
  BYHOUR: /^(1?\d|2[0-3])(,(1?\d|2[0-3])){0,23}$/,
  WKST: /^(MO|TU|WE|TH|FR|SA|SU)$/,
}

/** How an event repeats. */
type Repetition = {
  readonly rule: string
  readonly until: string | null
  readonly count: number | null
  readonly except: readonly string[]
}

/** A date of a rule, and the day that the rule names where the month does not have it. */
export type RuleDate = { readonly local: string; readonly isMoved: boolean }

type Expanded = { readonly dates: readonly RuleDate[] } | { readonly errors: readonly FieldError[] }

const error = (pointer: string, code: string, message: string): FieldError => ({ pointer, code, message })

const errorOfPart = ([name = '', value = '', ...rest]: readonly string[]): string | undefined => {
  if (name === 'UNTIL' || name === 'COUNT') return `has ${name}, which is a field of its own`
  if (name === 'FREQ' && /^(SECONDLY|MINUTELY|HOURLY)$/.test(value))
    return 'repeats at least daily: FREQ is DAILY, WEEKLY, MONTHLY or YEARLY'
  const shape = PARTS[name]
  if (shape === undefined) return 'has a part that is not supported'
  return rest.length === 0 && shape.test(value) ? undefined : `has a wrong ${name}`
}

/** Why a text is no rule; undefined for a rule. */
const errorOfRule = (rule: string): string | undefined => {
  const parts = rule.split(';').map(part => part.split('='))
  const names = parts.map(([name]) => name)
  if (!names.includes('FREQ')) return 'has no FREQ'
  if (new Set(names).size < names.length) return 'has a part twice'
  return parts.map(errorOfPart).find(found => found !== undefined)
}

const utc = (local: string): Temporal.ZonedDateTime => Temporal.PlainDateTime.from(local).toZonedDateTime('UTC')

const lastMinute = (start: string): string =>
  Temporal.PlainDateTime.from(start).add({ years: MAX_YEARS }).toString({ smallestUnit: 'minute' })

type Bounds = { readonly start: string; readonly until: string; readonly most: number }

// On the wall clock, so that a time which the clocks of a zone skip is not left out (RFC 5545 §3.3.10 would).
const listLocals = (rule: string, { start, until, most }: Bounds): string[] => {
  const found = new RRuleTemporal({
    rruleString: `RRULE:${rule}`,
    dtstart: utc(start),
    until: utc(until),
    tzid: 'UTC',
    cache: false,
  }).all((_, index) => index < most)
  return found.map(date => date.toString().slice(0, 16))
}

// RFC 7529: a month without the day of the rule has its last day instead.
const movingBack = (rule: string): string =>
  /FREQ=(MONTHLY|YEARLY)/.test(rule) ? `RSCALE=GREGORIAN;${rule};SKIP=BACKWARD` : rule

const tryLocals = (rule: string, bounds: Bounds): RuleDate[] | undefined => {
  try {
    const all = [...new Set(listLocals(movingBack(rule), bounds))]
    const exact = movingBack(rule) === rule ? all : listLocals(rule, bounds)
    return all.map(local => ({ local, isMoved: !exact.includes(local) }))
  } catch {
    // The library refuses what no calendar has.
    return undefined
  }
}

const errorsOfEnd = ({ until, count }: Repetition, start: string): FieldError[] => {
  if ((until === null) === (count === null))
    return [error('/until', 'one_of', 'or count says when it ends, and not both')]
  if (until === null) return []
  if (!isDay(until)) return [error('/until', 'day', 'is not a day')]
  if (until < start.slice(0, 10)) return [error('/until', 'past', 'is before the first date')]
  return `${until}T00:00` > lastMinute(start)
    ? [error('/until', 'too_long', `is more than ${MAX_YEARS} years after the start`)]
    : []
}

const errorsOfDates = (dates: readonly RuleDate[], { count }: Repetition): FieldError[] => {
  if (dates.length > MAX_DATES) return [error('/rule', 'too_many', `gives more than ${MAX_DATES} dates`)]
  if (count !== null && dates.length < count)
    return [
      error(
        '/count',
        'too_long',
        `has dates more than ${MAX_YEARS} years after the start, or that the rule does not give`,
      ),
    ]
  return []
}

/** The local times that a rule gives from a start on, at most 200 within two years, or why it gives none. */
export const expandRule = (repetition: Repetition, start: string): Expanded => {
  const { rule, until, count, except } = repetition
  const wrong = errorOfRule(rule)
  if (wrong !== undefined) return { errors: [error('/rule', 'rule', wrong)] }
  const atEnds = errorsOfEnd(repetition, start)
  if (atEnds.length > 0) return { errors: atEnds }
  const last = until === null ? lastMinute(start) : `${until}T23:59`
  const found = tryLocals(rule, { start, until: last, most: Math.min(count ?? MAX_DATES + 1, MAX_DATES + 1) })
  if (found === undefined) return { errors: [error('/rule', 'rule', 'is not a rule of RFC 5545')] }
  const errors = errorsOfDates(found, repetition)
  if (errors.length > 0) return { errors }
  const dates = found.filter(({ local }) => !except.includes(local.slice(0, 10)))
  return dates.length === 0 ? { errors: [error('/rule', 'empty', 'gives no date')] } : { dates }
}
