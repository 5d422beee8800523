import { problem } from '#src/contract/problem.ts'
import type { PriceRow } from './queries.ts'

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
export type Taken = ReadonlyMap<string, number>

/** The properties of a price that matter for its cap. */
export type Capped = Pick<PriceRow, 'course_id' | 'enrollment_cap'>

/** The number of seats left at a price; null without a cap. */
export const seatsLeft = ({ course_id: id, enrollment_cap: cap }: Capped, taken: Taken): number | null =>
  cap === null ? null : Math.max(0, cap - (taken.get(id) ?? 0))

/** Whether a course has prices but none with a seat left. */
export const isSoldOut = (prices: readonly Capped[], taken: Taken): boolean =>
  prices.length > 0 && prices.every(price => seatsLeft(price, taken) === 0)
