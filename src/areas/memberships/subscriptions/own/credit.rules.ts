import { type ChargingTerms, computeCodeOff } from '../charging/lookups.ts'
import { periodStart } from '../rules.ts'
import type { SubscriptionRow } from '../subscription/conditions.ts'

// What pays for more periods than this is not reckoned to its end.
const MAX_PERIODS = 400

/**
 * Until when the credit of a subscription would pay all that comes, at the price of now: when the first period begins that it pays
 * in part or not at all. Undefined where it pays no whole period, or all that is ever due.
 */
export const creditPaysUntil = (row: SubscriptionRow, terms: ChargingTerms): Date | undefined => {
  const { price, status, next_charge_at: next, cancel_at: end, code_periods_left: codePeriods } = row
  if (price === null || next === null || end !== null || (status !== 'active' && status !== 'trialing'))
    return undefined
  const most = price.number_of_payments === null ? MAX_PERIODS : price.number_of_payments - row.payments_made
  const off = computeCodeOff(row, terms, price.amount)
  let left = row.credit
  for (let paid = 0; paid < most; paid += 1) {
    left -= price.amount - (codePeriods === null || paid < codePeriods ? off : 0)
    if (left < 0) return paid === 0 ? undefined : periodStart(row, price, row.current_number + 1 + paid)
  }
  return undefined
}
