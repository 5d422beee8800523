import { EXPONENTS } from './money-exponents.ts'

/** The largest amount of a price, in minor units: enough in every currency, and exact as a number. */
export const MAX_AMOUNT = 1_000_000_000_000

// A percentage is an integer of millionths: 100 % is a million.
const WHOLE = 1_000_000n
const PERCENT = /^(0|[1-9]\d{0,2})(?:\.(\d{1,4}))?$/

/** Whether a code is a currency of ISO 4217 with a minor unit. */
export const isCurrency = (code: string): boolean => EXPONENTS.has(code)

/** How many decimals the major unit of a currency has; throws a RangeError for an unknown code. */
export const getExponent = (currency: string): number => {
  const exponent = EXPONENTS.get(currency)
  if (exponent === undefined) throw new RangeError(`${currency} is not a currency of ISO 4217`)
  return exponent
}

// Arithmetic is in BigInt, since an amount times a percentage exceeds what a number holds exactly.
const exact = (amount: number): bigint => {
  if (!Number.isSafeInteger(amount)) throw new RangeError(`${amount} is not an amount in minor units`)
  return BigInt(amount)
}

const toAmount = (exactAmount: bigint): number => {
  const amount = Number(exactAmount)
  if (!Number.isSafeInteger(amount)) throw new RangeError(`${exactAmount} is too large for an amount`)
  return amount
}

// Half away from zero; the divisor is positive.
const roundedQuotient = (dividend: bigint, divisor: bigint): bigint => {
  const size = dividend < 0n ? -dividend : dividend
  const rounded = (2n * size + divisor) / (2n * divisor)
  return dividend < 0n ? -rounded : rounded
}

/** The millionths of a percentage such as `33.3333`, from 0 to 999.9999; undefined for another text. */
export const parsePercent = (text: string): number | undefined => {
  const [matched, whole = '', decimals = ''] = PERCENT.exec(text) ?? []
  return matched === undefined ? undefined : Number(whole + decimals.padEnd(4, '0'))
}

/** The percentage of a number of millionths, without zeros at its end. */
export const percentText = (millionths: number): string => {
  const digits = String(exact(millionths)).padStart(5, '0')
  return `${digits.slice(0, -4)}.${digits.slice(-4)}`.replace(/\.?0+$/, '')
}

/** The sum of amounts, in minor units. */
export const computeSum = (amounts: readonly number[]): number =>
  toAmount(amounts.reduce((sum, amount) => sum + exact(amount), 0n))

/** A percentage of an amount, rounded half away from zero; the percentage in millionths. */
export const computePercent = (amount: number, millionths: number): number =>
  toAmount(roundedQuotient(exact(amount) * exact(millionths), WHOLE))

/**
 * The part of an amount that is in proportion to a part of a whole, rounded half away from zero. Throws a RangeError for a whole
 * that is not positive.
 */
export const computePortion = (amount: number, part: number, whole: number): number => {
  if (whole <= 0) throw new RangeError(`${whole} is not a whole`)
  return toAmount(roundedQuotient(exact(amount) * exact(part), exact(whole)))
}

/**
 * Divides a total in proportion to weights that are not negative, so that the parts sum to it: what rounding leaves goes
 * to the largest remainders, and of equal ones to the first. Throws a RangeError when all weights are 0 and the total is
 * not.
 */
export const allocate = (total: number, weights: readonly number[]): number[] => {
  const exactWeights = weights.map(exact)
  const sum = exactWeights.reduce((before, weight) => before + weight, 0n)
  if (exactWeights.some(weight => weight < 0n)) throw new RangeError('a weight is negative')
  if (sum === 0n && total !== 0) throw new RangeError('no weight takes a part of the total')
  if (total < 0) return allocate(-total, weights).map(part => 0 - part)
  const shares = exactWeights.map((weight, position) => {
    const product = exact(total) * weight
    return sum === 0n ? { position, part: 0n, rest: 0n } : { position, part: product / sum, rest: product % sum }
  })
  const left = exact(total) - shares.reduce((before, { part }) => before + part, 0n)
  const larger = shares.toSorted((a, b) => (a.rest === b.rest ? a.position - b.position : a.rest < b.rest ? 1 : -1))
  const lifted = new Set(larger.slice(0, Number(left)).map(({ position }) => position))
  return shares.map(({ position, part }) => toAmount(lifted.has(position) ? part + 1n : part))
}

/** The amounts of a line in minor units: `net` and `tax` sum to `gross`. */
type Taxed = { readonly net: number; readonly tax: number; readonly gross: number }

/** The tax in an amount that includes it; the rate in millionths. */
export const includedTax = (amount: number, rate: number): Taxed => {
  const net = toAmount(roundedQuotient(exact(amount) * WHOLE, WHOLE + exact(rate)))
  return { net, tax: amount - net, gross: amount }
}

/** The tax on top of an amount; the rate in millionths. */
export const addedTax = (amount: number, rate: number): Taxed => {
  const tax = computePercent(amount, rate)
  return { net: amount, tax, gross: computeSum([amount, tax]) }
}

/** A line, and how much of its amount was refunded before. */
type RefundedLine = { readonly amount: number; readonly tax: number; readonly refunded: number }

/**
 * The tax in a partial refund of a line. It is the difference of two cumulative sums, so that every sequence of refunds
 * of the whole amount returns exactly the tax of the line. Throws a RangeError for more than what is left of the line.
 */
export const refundedTax = ({ amount, tax, refunded }: RefundedLine, refund: number): number => {
  const until = computeSum([refunded, refund])
  if (refund < 0 || refunded < 0 || until > amount) throw new RangeError('the refund is not a part of the line')
  const taxUntil = (part: number): bigint =>
    amount === 0 ? 0n : roundedQuotient(exact(tax) * exact(part), exact(amount))
  return toAmount(taxUntil(until) - taxUntil(refunded))
}

/** An amount in the major unit of its currency, with all decimals and a point, such as `-12.30`. */
export const decimalAmount = (amount: number, currency: string): `${number}` => {
  const exponent = getExponent(currency)
  const digits = String(exact(Math.abs(amount))).padStart(exponent + 1, '0')
  const whole = digits.slice(0, digits.length - exponent)
  const decimals = exponent === 0 ? '' : `.${digits.slice(-exponent)}`
  // The type of a template keeps no digits.
  return `${amount < 0 ? '-' : ''}${whole}${decimals}` as `${number}`
}

/** The same as a cell of a list, which a spreadsheet reads as a number. */
export const amountCell = (amount: number, currency: string) => ({ decimal: decimalAmount(amount, currency) })

/** A number of minor units as a cell, which a spreadsheet gets in the major unit; without a currency it is a plain number. */
export const minorUnits = (value: number | null, currency: string | null) =>
  value === null || currency === null ? value : { plain: value, spreadsheet: amountCell(value, currency) }
