import { toTag } from './locale.ts'
import { decimalAmount, getExponent, MAX_AMOUNT } from './money.ts'

/** A number as somebody typed it. */
type Typed = {
  /** Its digits with a point before the decimals, such as `-1250.5`. */
  readonly text: string
  /** The same where its only separator, with three digits behind it, is the one before the decimals. */
  readonly other?: string
}

const isDigit = (character: string): boolean => /\p{Nd}/u.test(character)

// Digits of Unicode come in rows from 0 to 9, and some rows follow each other.
const toDigit = (digit: string): string => {
  const code = digit.codePointAt(0) ?? 0
  let first = code
  while (isDigit(String.fromCodePoint(first - 1))) first -= 1
  return String((code - first) % 10)
}

const SAME: Readonly<Record<string, string>> = {
  '−': '-',
  '－': '-',
  '＋': '+',
  '．': '.',
  '，': ',',
  '٫': '.',
  '٬': ' ',
}

// A sign, and digits with what may stand between them.
const SHAPE = /^(([+-]?) ?((?=.*\d)[\d., ]+))$/

const MOST_CHARACTERS = 100

// Format characters are invisible, such as the marks of direction in a number that was copied.
const plain = (typed: string): string =>
  typed.length > MOST_CHARACTERS
    ? ''
    : [...typed.replace(/\p{Cf}/gu, '').trim()]
        .map(one => (isDigit(one) ? toDigit(one) : /\s/u.test(one) ? ' ' : (SAME[one] ?? one)))
        .join('')

/** What separates the groups of digits where people of a language write a point or a comma between them. */
const findGroup = (locale: string): '.' | ',' =>
  new Intl.NumberFormat(toTag(locale)).formatToParts(0.5).some(({ value }) => value === ',') ? '.' : ','

// The parts before and after the separator of the decimals, and which separator stands between groups.
const readParts = (digits: string, locale: string): readonly [whole: string, decimals: string, group: string] => {
  const marks = [...digits].filter(one => one === '.' || one === ',')
  const last = marks.at(-1) ?? ''
  const others = new Set<string>(marks.slice(0, -1))
  const at = digits.lastIndexOf(last)
  const split = [digits.slice(0, at), digits.slice(at + 1)] as const
  if (marks.length === 0) return [digits, '', '']
  if (others.has(last)) return [digits, '', last]
  if (others.size > 0) return [...split, last === '.' ? ',' : '.']
  return last === findGroup(locale) && isAmbiguous(digits) ? [digits, '', last] : [...split, '']
}

const isAmbiguous = (digits: string): boolean => /^[1-9]\d{0,2}[.,]\d{3}$/.test(digits)

// The digits of the whole part; undefined where what stands between them does not divide them into groups of three.
const ungrouped = (whole: string, group: string): string | undefined => {
  const separators = new Set([...whole].filter(one => !isDigit(one)))
  if (separators.size > 1 || [...separators].some(one => one !== ' ' && one !== group)) return undefined
  if (separators.size === 1 && !/^\d{1,3}(?:\D\d{3})+$/.test(whole)) return undefined
  return whole.replace(/\D/g, '')
}

const written = (sign: string, whole: string, decimals: string): string => {
  const text = `${whole.replace(/^0+(?=\d)/, '') || '0'}${decimals === '' ? '' : `.${decimals}`}`
  return sign === '-' && /[1-9]/.test(text) ? `-${text}` : text
}

/**
 * Reads a number as people of a language write it: with digits of any script, and spaces between groups of three. Of a
 * point and a comma the last one is before the decimals. One of them alone, before exactly three digits, is between groups where
 * the language groups with it, and is before decimals otherwise. Undefined for anything else, such as `0x10`, `1e3` or `Infinity`.
 */
const readNumber = (typed: string, locale: string): Typed | undefined => {
  const [, , sign = '', digits = ''] = SHAPE.exec(plain(typed)) ?? []
  if (digits === '') return undefined
  const [before, decimals, group] = readParts(digits, locale)
  const whole = ungrouped(before, group)
  if (whole === undefined || !/^\d*$/.test(decimals)) return undefined
  const text = written(sign, whole, decimals)
  const [first = '', rest = ''] = digits.split(group || ' ')
  return group !== '' && isAmbiguous(digits) ? { text, other: written(sign, first, rest) } : { text }
}

/** A decimal text without what makes it longer, such as `12.5`; undefined for what is not a number. */
export const readDecimal = (typed: string, locale: string): string | undefined => readNumber(typed, locale)?.text

/** Whether the only separator of a number may stand between groups or before decimals. */
export const hasTwoReadings = (typed: string, locale: string): boolean => readNumber(typed, locale)?.other !== undefined

/**
 * A whole number that is not negative, of at most so many digits; undefined for anything else. It has no decimals, so a point or a
 * comma in it is between groups of three, in every language.
 */
export const readWhole = (typed: string, digits = 12): number | undefined => {
  const [, number = ''] = SHAPE.exec(plain(typed)) ?? []
  const whole = number.startsWith('-')
    ? undefined
    : ungrouped(number.replace(/^\+ ?/, ''), /[.,]/.exec(number)?.[0] ?? '')
  return whole === undefined || whole === '' || whole.length > digits ? undefined : Number(whole)
}

/** A percentage as a decimal text, typed with its sign or without. */
export const readPercent = (typed: string, locale: string): string | undefined =>
  readDecimal(typed.replace(/[%％٪]\s*$/u, ''), locale)

/** An amount in minor units, or the two amounts that were perhaps meant, as texts in the major unit. */
type TypedAmount = { readonly amount: number } | { readonly readings: readonly [string, string] }

const minorUnits = (text: string, currency: string): number | undefined => {
  const [whole = '', decimals = ''] = text.split('.')
  const exponent = getExponent(currency)
  if (whole.startsWith('-') || whole.length > 13 || decimals.length > exponent) return undefined
  const amount = Number(whole + decimals.padEnd(exponent, '0'))
  return amount <= MAX_AMOUNT ? amount : undefined
}

// The ways in which a currency is written beside an amount.
const names = (currency: string, locale: string): string[] =>
  (['code', 'symbol', 'narrowSymbol'] as const).flatMap(currencyDisplay =>
    new Intl.NumberFormat(toTag(locale), { style: 'currency', currency, currencyDisplay })
      .formatToParts(1)
      .flatMap(({ type, value }) => (type === 'currency' ? [value] : [])),
  )

const withoutCurrency = (typed: string, currency: string, locale: string): string => {
  const text = typed.trim()
  const name = names(currency, locale).find(one => text.startsWith(one) || text.endsWith(one))
  if (name === undefined) return text
  return text.startsWith(name) ? text.slice(name.length) : text.slice(0, -name.length)
}

/**
 * Reads an amount in the major unit of a currency, with its currency or without. In a currency with three decimals a number
 * like `1,250` may be either amount, so both are returned. Undefined for what is not an amount, and for more decimals.
 */
export const readAmount = (typed: string, currency: string, locale: string): TypedAmount | undefined => {
  const number = readNumber(withoutCurrency(typed, currency, locale), locale)
  if (number === undefined) return undefined
  const amounts = [number.text, ...(number.other === undefined ? [] : [number.other])].map(text =>
    minorUnits(text, currency),
  )
  const [amount, other] = amounts
  if (amount === undefined) return undefined
  if (other === undefined) return { amount }
  return { readings: [decimalAmount(amount, currency), decimalAmount(other, currency)] }
}
