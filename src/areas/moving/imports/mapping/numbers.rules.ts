const GROUPED: Readonly<Record<string, RegExp>> = {
  decimal_point: /^[+-]?(?:\d+|\d{1,3}(?:[,'’ ]\d{3})+)?(?:\.\d+)?$/,
  decimal_comma: /^[+-]?(?:\d+|\d{1,3}(?:[.'’ ]\d{3})+)?(?:,\d+)?$/,
}

const MAX_CHARACTERS = 40

/** Reads a cell as a number of a format; undefined where it is none. */
export const readNumber = (text: string, format: string): number | undefined => {
  const plain = text.normalize('NFKC').replace('\u2212', '-').trim()
  if (plain.length > MAX_CHARACTERS || !/\d/.test(plain) || !GROUPED[format]?.test(plain)) return undefined
  const digits =
    format === 'decimal_comma' ? plain.replace(/[.'’ ]/g, '').replace(',', '.') : plain.replace(/[,'’ ]/g, '')
  return Number(digits)
}

const PERCENTAGE = /^(\d{1,3}(?:[.,]\d+)?)\s*(%?)$/
const SIGNIFICANT = 12

/** Reads a cell as a percentage from 0 to 100, written as such or as a part of 1; undefined where it is none. */
export const readPercent = (text: string, format: string): number | undefined => {
  const [, digits, sign] = PERCENTAGE.exec(text.normalize('NFKC').trim()) ?? []
  if (digits === undefined || digits.length > MAX_CHARACTERS) return undefined
  const value = Number(digits.replace(',', '.'))
  if (format === 'percent') return value <= 100 ? value : undefined
  return sign === '' && value <= 1 ? Number((value * 100).toPrecision(SIGNIFICANT)) : undefined
}

/** Whether later digits of a number were lost when a program showed it with an exponent, such as 4,91701E+11. */
export const hasLostDigits = (text: string): boolean => /^[+-]?\d+(?:[.,]\d+)?E\+\d+$/i.test(text.trim())
