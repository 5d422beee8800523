import { addedTax, computeSum, includedTax } from '#src/kit/money.ts'

/** How the lines of an order are taxed: whether amounts contain the tax, and the rate of a line that is not exempt. */
export type Taxation = {
  readonly mode: 'none' | 'inclusive' | 'exclusive'
  /** The country whose rate applies; null where nothing is taxed or the country is not known. */
  readonly country: string | null
  readonly reverseCharge: boolean
  /** In millionths. */
  readonly rate: number
  /** What the tax is called; null where there is none. */
  readonly name: string | null
}

/** A line before it is computed; amounts in minor units. */
export type PricedLine = {
  readonly unitAmount: number
  readonly quantity: number
  /** What codes take off the line, together. */
  readonly discount: number
  readonly taxClass: 'standard' | 'exempt'
}

/** The amounts of a line: `amount` is what is paid for it, with its tax. */
export type LineAmounts = {
  readonly unit_amount: number
  readonly discount_amount: number
  readonly tax_rate: number
  readonly tax_name: string | null
  readonly tax_amount: number
  readonly amount: number
}

/** The sums of an order. */
export type Totals = {
  readonly subtotal: number
  readonly discount_total: number
  readonly tax_total: number
  readonly total: number
}

/** The amount of so many units. */
export const amountOfUnits = (unitAmount: number, quantity: number): number =>
  computeSum(Array.from({ length: quantity }, () => unitAmount))

const lineAmounts = (line: PricedLine, { mode, rate, name }: Taxation): LineAmounts => {
  const { unitAmount, quantity, discount, taxClass } = line
  const base = computeSum([amountOfUnits(unitAmount, quantity), -discount])
  const isTaxed = mode !== 'none' && taxClass === 'standard' && name !== null
  const untaxed = { net: base, tax: 0, gross: base }
  const { tax, gross } = !isTaxed ? untaxed : mode === 'inclusive' ? includedTax(base, rate) : addedTax(base, rate)
  return {
    unit_amount: unitAmount,
    discount_amount: discount,
    tax_rate: isTaxed ? rate : 0,
    tax_name: isTaxed ? name : null,
    tax_amount: tax,
    amount: gross,
  }
}

/**
 * The amounts of an order: for each line the units, less its discounts, with its tax; the totals are sums of the lines. A
 * quote, a dry run and the order that is placed are computed by this function alone.
 */
export const computeOrder = (
  lines: readonly PricedLine[],
  taxation: Taxation,
): { readonly lines: readonly LineAmounts[]; readonly totals: Totals } => {
  const computed = lines.map(line => lineAmounts(line, taxation))
  return {
    lines: computed,
    totals: {
      subtotal: computeSum(lines.map(({ unitAmount, quantity }) => amountOfUnits(unitAmount, quantity))),
      discount_total: computeSum(computed.map(line => line.discount_amount)),
      tax_total: computeSum(computed.map(line => line.tax_amount)),
      total: computeSum(computed.map(line => line.amount)),
    },
  }
}
