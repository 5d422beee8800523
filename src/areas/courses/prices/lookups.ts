import type { HookPlace } from '#src/contract/hook.ts'
import { seatsTaken } from '../hooks.ts'
import type { Capped, Taken } from './rules.ts'

/** Counts the taken seats of courses that have a price with a cap; the others do not need the number. */
export const takenSeats = async ({ db, school }: HookPlace, prices: readonly Capped[]): Promise<Taken> => {
  const courseIds = [...new Set(prices.filter(one => one.enrollment_cap !== null).map(one => one.course_id))]
  if (courseIds.length === 0) return new Map()
  const answers = await seatsTaken.call({ courseIds }, { school, db })
  return new Map(courseIds.map(id => [id, answers.reduce((sum, one) => sum + (one.get(id) ?? 0), 0)]))
}
