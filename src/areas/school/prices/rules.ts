import type { Offer, OfferedAccess, Unavailable } from '#src/contract/offer.ts'
import type { PriceValues } from '#src/contract/price.ts'
import { problem } from '#src/contract/problem.ts'
import { picked } from '#src/kit/patch.ts'
import type { OfferedRow, PriceRow } from './queries.ts'

/** The price is retired. */
export const priceArchived = problem(
  409,
  'price_archived',
  'The price was retired',
  'A price that was retired is not offered again. Make a new price with the same values.',
)

/** The item has the maximum number of prices. */
export const tooManyPrices = problem(
  409,
  'too_many_prices',
  'There are too many prices',
  'At most twenty prices of one course or product are on sale at a time. Retire one, or say in replaces which one the new price replaces.',
)

/** The maximum number of active prices of an item. */
export const MAX_PRICES = 20

const PAYMENT = [
  'payment_type',
  'amount',
  'currency',
  'interval',
  'interval_count',
  'number_of_payments',
  'trial_days',
  'access_days',
  'access_until',
  'enrollment_cap',
] as const satisfies readonly (keyof PriceValues)[]

const buildAccess = ({ payment_type: type, access_days: days, access_until: until }: PriceRow): OfferedAccess => {
  if (type === 'subscription') return { forSubscription: true }
  if (days !== null) return { days }
  return until === null ? null : { until }
}

/**
 * What matters of a buyer: whether they have access, whether the school ended their access, and how many are left for them;
 * null without a cap.
 */
type Buyer = { readonly hasAccess: boolean; readonly isRemoved: boolean; readonly left: number | null }

/** What a price of a type of item offers to a buyer at an instant. What a buyer may not know of is said first. */
export const offerAt = (
  type: Offer['item']['type'],
  row: OfferedRow,
  at: Date,
  { hasAccess, isRemoved, left }: Buyer,
): Offer | Unavailable => {
  if (row.item_status !== 'published' && row.item_status !== 'active') return { unavailable: 'not_published' }
  if (row.status === 'retired') return { unavailable: 'retired' }
  const about = { item: { type, id: row.item_id }, name: row.item_name }
  if (hasAccess) return { unavailable: 'already_has_access', about }
  // What the school ended is not taken again without paying.
  if (row.payment_type === 'free' && isRemoved) return { unavailable: 'not_for_you', about }
  if (row.access_until !== null && row.access_until <= at) return { unavailable: 'ended', about }
  if (left === 0) return { unavailable: 'sold_out', about }
  return {
    ...about,
    priceId: row.id,
    payment: picked(row, PAYMENT),
    access: buildAccess(row),
    mostPerOrder: 1,
    taxClass: 'standard',
  }
}
