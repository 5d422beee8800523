import { isCredited } from '#src/areas/memberships/subscription-credits/index.ts'
import { getSelling, type SellingValues } from '#src/areas/school/index.ts'
import {
  type BillingValues,
  computeOrder,
  computeTaxation,
  type LineAmounts,
  listPaidParts,
  offPeriod,
  type PaidPart,
  type PeriodTerms,
  readPeriodTerms,
  type Taxation,
  type Totals,
} from '#src/areas/shop/index.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import type { SubscriptionRow } from '../subscription/conditions.ts'
import { readSchool } from '../subscription/queries.ts'

/** What decides what periods cost: the seller settings, the country of the school, and the coupons. */
export type ChargingTerms = {
  readonly selling: SellingValues
  readonly country: string | null
  readonly coupons: ReadonlyMap<string, PeriodTerms>
}

/** What a period of a subscription costs, with what reduces it. */
type PeriodQuote = {
  readonly line: LineAmounts
  readonly totals: Totals
  readonly taxation: Taxation
  readonly billing: BillingValues
  /** What the code takes off, and the part of the credit that is used. */
  readonly codeOff: number
  readonly creditUsed: number
  readonly held: number
}

const NO_BILLING: BillingValues = { name: null, company: null, address: null, country: null, tax_id: null }

/** Reads what decides what periods of some subscriptions cost now. */
export const chargingTerms = async (
  { db, school }: SchoolContext,
  rows: readonly SubscriptionRow[],
): Promise<ChargingTerms> => {
  const couponIds = [...new Set(rows.flatMap(({ coupon_id: id }) => (id === null ? [] : [id])))]
  const selling = await getSelling(db, school.id)
  const { country } = await readSchool(db, school.id)
  return { selling, country, coupons: await readPeriodTerms(db, school.id, couponIds) }
}

/** What paid for the time of a subscription that contains an instant; undefined when nothing did that is not credited already. */
export const findPaidPart = async (
  { db, school }: SchoolContext,
  subscriptionId: string,
  at: Date,
): Promise<PaidPart | undefined> => {
  const [part] = await listPaidParts(db, school.id, subscriptionId, at)
  return part === undefined || (await isCredited(db, school.id, part.line_id)) ? undefined : part
}

/** What a code leaves of an amount of a subscription that began with it. */
export const computeCodeOff = (row: SubscriptionRow, { coupons }: ChargingTerms, amount: number): number => {
  const terms = row.coupon_id === null || row.code_periods_left === 0 ? undefined : coupons.get(row.coupon_id)
  return terms === undefined ? 0 : offPeriod(terms, amount)
}

/** How what a subscription costs is taxed now. */
export const taxationFor = (row: SubscriptionRow, { selling, country }: ChargingTerms): Taxation => {
  const { tax, legal } = selling
  return computeTaxation({ tax, sellerCountry: legal.address?.country ?? country, buyer: row.billing ?? NO_BILLING })
}

/** What the next period of a subscription costs: its price, less its code and its credit, with the tax of now. */
export const quotePeriod = (row: SubscriptionRow, terms: ChargingTerms): PeriodQuote | undefined => {
  if (row.price === null || row.collection === 'complimentary') return undefined
  const codeOff = computeCodeOff(row, terms, row.price.amount)
  const creditUsed = Math.min(row.credit, row.price.amount - codeOff)
  const taxation = taxationFor(row, terms)
  const priced = { unitAmount: row.price.amount, quantity: 1, discount: codeOff + creditUsed, taxClass: row.tax_class }
  const { lines, totals } = computeOrder([priced], taxation)
  const [line] = lines
  if (line === undefined) throw new Error('a period has a line')
  return { line, totals, taxation, billing: row.billing ?? NO_BILLING, codeOff, creditUsed, held: creditUsed }
}
