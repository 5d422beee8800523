import type { Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { seatsTaken } from '../hooks.ts'
import type { PriceRow } from './queries.ts'

/** How many seats of each course are taken, of those for which it matters. */
export type Taken = ReadonlyMap<string, number>

type Capped = Pick<PriceRow, 'course_id' | 'enrollment_cap'>

/** Counts the seats that are taken of the courses that have a price with a cap; of others nobody has to know. */
export const takenSeats = async (
  { db, school }: { readonly db: Db; readonly school: School },
  prices: readonly Capped[],
): Promise<Taken> => {
  const courseIds = [...new Set(prices.filter(one => one.enrollment_cap !== null).map(one => one.course_id))]
  if (courseIds.length === 0) return new Map()
  const answers = await seatsTaken.call({ courseIds }, { school, db })
  return new Map(courseIds.map(id => [id, answers.reduce((sum, one) => sum + (one.get(id) ?? 0), 0)]))
}

/** How many may still buy at a price; null when it has no cap. */
export const seatsLeft = ({ course_id: id, enrollment_cap: cap }: Capped, taken: Taken): number | null =>
  cap === null ? null : Math.max(0, cap - (taken.get(id) ?? 0))

/** Whether there are prices of a course, and none of them has a seat left. */
export const isSoldOut = (prices: readonly Capped[], taken: Taken): boolean =>
  prices.length > 0 && prices.every(price => seatsLeft(price, taken) === 0)
