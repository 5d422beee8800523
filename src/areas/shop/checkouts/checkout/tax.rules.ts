import type { FieldError } from '#src/contract/problem.ts'
import { isCountry } from '#src/kit/countries.ts'
import { parsePercent } from '#src/kit/money.ts'
import { hasVatNumbers, taxIdError } from '#src/kit/tax-ids.ts'
import type { Taxation } from './amounts.rules.ts'

/** The part of the seller settings that decides the tax of an order. */
type TaxSettings = {
  readonly mode: Taxation['mode']
  readonly rates: readonly { readonly country: string; readonly percent: string; readonly name: string }[]
  readonly taxed_at: { readonly online: 'buyer' | 'school' }
  readonly reverse_charge: boolean
}

// Who buys, as far as tax depends on it.
type Buyer = { readonly country: string | null; readonly tax_id: string | null }

/** What decides the tax of an order. */
export type TaxBasis = {
  readonly tax: TaxSettings
  /** The country of the seller; null where the school has named none. */
  readonly sellerCountry: string | null
  readonly buyer: Buyer
}

/** Whether the tax of an order depends on the country of its buyer. */
export const needsCountry = ({ mode, taxed_at: { online } }: TaxSettings): boolean =>
  mode !== 'none' && online === 'buyer'

// A business in another country of the EU owes the tax itself (Directive 2006/112/EC, article 196).
const isReverseCharged = ({ tax, sellerCountry, buyer }: TaxBasis): boolean =>
  tax.mode !== 'none' &&
  tax.reverse_charge &&
  buyer.tax_id !== null &&
  sellerCountry !== null &&
  buyer.country !== null &&
  buyer.country !== sellerCountry &&
  hasVatNumbers(sellerCountry) &&
  hasVatNumbers(buyer.country)

/** How an order is taxed, by the country of the buyer or of the school as the settings say. */
export const computeTaxation = (basis: TaxBasis): Taxation => {
  const { tax, sellerCountry, buyer } = basis
  const { mode, rates } = tax
  const country = mode === 'none' ? null : tax.taxed_at.online === 'buyer' ? buyer.country : sellerCountry
  const rate = rates.find(one => one.country === country) ?? rates.find(one => one.country === '*')
  const reverseCharge = isReverseCharged(basis)
  if (mode === 'none' || reverseCharge || rate === undefined)
    return { mode, country: reverseCharge ? buyer.country : country, reverseCharge, rate: 0, name: null }
  const millionths = parsePercent(rate.percent)
  if (millionths === undefined) throw new Error(`${rate.percent} is not a percentage`)
  return { mode, country, reverseCharge, rate: millionths, name: rate.name }
}

/** Whether two taxations give every line the same amounts. */
export const isSameTaxation = (one: Taxation, other: Taxation): boolean =>
  one.mode === other.mode &&
  one.rate === other.rate &&
  one.name === other.name &&
  one.reverseCharge === other.reverseCharge

const error = (field: string, code: string, message: string): FieldError => ({
  pointer: `/billing/${field}`,
  code,
  message,
})

/** The errors of the country and the tax id of a buyer; `isNeeded` when the tax depends on the country. */
export const errorsOfBuyer = ({ country, tax_id }: Buyer, isNeeded: boolean): FieldError[] => {
  if (country === null) {
    if (tax_id !== null) return [error('country', 'required', 'decides the form of the tax id')]
    return isNeeded ? [error('country', 'required', 'decides the tax')] : []
  }
  if (!isCountry(country)) return [error('country', 'country', 'is not a country of ISO 3166-1')]
  const wrongForm = tax_id === null ? undefined : taxIdError(tax_id, country)
  return wrongForm === undefined ? [] : [error('tax_id', 'tax_id', wrongForm)]
}
