import { getSelling } from '#src/areas/school/index.ts'
import type { BillingValues, OrderRow } from '#src/areas/shop/orders/index.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import { Refusal } from '#src/contract/problem.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import { shareSchool } from '../checkout/queries.ts'
import { computeTaxation, errorsOfBuyer, isSameTaxation, needsCountry } from '../checkout/tax.rules.ts'
import { billingChangesTax } from './rules.ts'

/**
 * The country whose rate applies to an order with another billing. Refuses with 422 a billing that has errors, and with 409 one
 * that would change the tax of the order.
 */
export const getTaxCountry = async (
  { db, school }: SchoolContext,
  row: OrderRow,
  billing: BillingValues,
): Promise<string | null> => {
  const [{ tax, legal }, { country }] = await Promise.all([getSelling(db, school.id), shareSchool(db, school.id)])
  refuseInvalid(errorsOfBuyer(billing, needsCountry(tax) && row.total > 0), 'The billing is not valid.')
  const taxationFor = (buyer: BillingValues) =>
    computeTaxation({ tax, sellerCountry: legal.address?.country ?? country, buyer })
  const [before, after] = [taxationFor(row.billing), taxationFor(billing)]
  if (row.total > 0 && !isSameTaxation(before, after))
    throw new Refusal(billingChangesTax, 'With this billing the order would be taxed otherwise.')
  return after.country === before.country ? row.tax_country : after.country
}

/**
 * Refuses a billing for an order that is paid, as \`getTaxCountry\`, and also one of another country where tax was charged: it
 * belongs to the country for which it was charged. An order that was not taxed has no tax that could change.
 */
export const checkPaidBilling = async (
  context: SchoolContext,
  row: OrderRow,
  billing: BillingValues,
): Promise<void> => {
  if (row.tax_mode === 'none') return refuseInvalid(errorsOfBuyer(billing, false), 'The billing is not valid.')
  if ((await getTaxCountry(context, row, billing)) === row.tax_country || row.tax_total === 0) return
  throw new Refusal(billingChangesTax, 'The tax of the order was charged for another country.')
}
