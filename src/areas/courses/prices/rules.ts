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

/** The course has the maximum number of prices. */
export const tooManyPrices = problem(
  409,
  'too_many_prices',
  'The course has too many prices',
  'A course offers at most twenty prices at a time. Retire one, or say in replaces which one the new price replaces.',
)

/** The maximum number of active prices of a course. */
export const MAX_PRICES = 20

/** The number of taken seats by course, for courses with a capped price. */
export type TakenSeats = ReadonlyMap<string, number>

/** The properties of a price that matter for its cap. */
export type Capped = Pick<PriceRow, 'course_id' | 'enrollment_cap'>

/** The number of seats left at a price; null without a cap. */
export const seatsLeft = ({ course_id: id, enrollment_cap: cap }: Capped, taken: TakenSeats): number | null =>
  cap === null ? null : Math.max(0, cap - (taken.get(id) ?? 0))

/** Whether a course has prices but none with a seat left. */
export const isSoldOut = (prices: readonly Capped[], taken: TakenSeats): boolean =>
  prices.length > 0 && prices.every(price => seatsLeft(price, taken) === 0)

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

const accessOf = ({ payment_type: type, access_days: days, access_until: until }: PriceRow): OfferedAccess => {
  if (type === 'subscription') return { forSubscription: true }
  if (days !== null) return { days }
  return until === null ? null : { until }
}

/**
 * What matters of a buyer: whether they have access, whether the school ended their access, and how many seats are left
 * for them; null without a cap.
 */
type Buyer = { readonly hasAccess: boolean; readonly isRemoved: boolean; readonly left: number | null }

/** What a price offers to a buyer at an instant. What a buyer may not know of is said first. */
export const offerAt = (row: OfferedRow, at: Date, { hasAccess, isRemoved, left }: Buyer): Offer | Unavailable => {
  if (row.course_status !== 'published') return { unavailable: 'not_published' }
  if (row.status === 'retired') return { unavailable: 'retired' }
  if (hasAccess) return { unavailable: 'already_has_access' }
  // What the school ended is not taken again without paying.
  if (row.payment_type === 'free' && isRemoved) return { unavailable: 'not_for_you' }
  if (row.access_until !== null && row.access_until <= at) return { unavailable: 'ended' }
  if (left === 0) return { unavailable: 'sold_out' }
  return {
    item: { type: 'course', id: row.course_id },
    priceId: row.id,
    name: row.course_name,
    payment: picked(row, PAYMENT),
    access: accessOf(row),
    mostPerOrder: 1,
    taxClass: 'standard',
  }
}
