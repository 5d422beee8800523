import type { PriceRow } from '#src/areas/school/index.ts'

/** The number of taken seats by course, for courses with a capped price. */
export type TakenSeats = ReadonlyMap<string, number>

/** The properties of a price that matter for its cap; the item is a course. */
export type Capped = Pick<PriceRow, 'item_id' | 'enrollment_cap'>

/** The number of seats left at a price; null without a cap. */
export const seatsLeft = ({ item_id: id, enrollment_cap: cap }: Capped, taken: TakenSeats): number | null =>
  cap === null ? null : Math.max(0, cap - (taken.get(id) ?? 0))

/** Whether a course has prices but none with a seat left. */
export const isSoldOut = (prices: readonly Capped[], taken: TakenSeats): boolean =>
  prices.length > 0 && prices.every(price => seatsLeft(price, taken) === 0)
