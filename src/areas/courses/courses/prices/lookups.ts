import { findOfferedPrice, listItemPrices as listPricesIn, offerAt, type PriceRow } from '#src/areas/school/index.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import type { Db } from '#src/contract/db.ts'
import type { Offer, Unavailable } from '#src/contract/offer.ts'
import { isRemovedFromCourse, mayUseCourse, seatsTaken } from '../hooks.ts'
import { coursePrices } from './conditions.ts'
import { type Capped, seatsLeft, type TakenSeats } from './rules.ts'

/** Every active price of some courses, in the order in which they were created. */
export const listCoursePrices = (db: Db, schoolId: string, courseIds: readonly string[]): Promise<PriceRow[]> =>
  listPricesIn(db, schoolId, coursePrices, courseIds)

/**
 * Counts the taken seats of courses that have a price with a cap; the others do not need the number. What is reserved for
 * one member can be left out.
 */
export const takenSeats = async (
  { db, school }: SchoolContext,
  prices: readonly Capped[],
  exceptFor?: string,
): Promise<TakenSeats> => {
  const courseIds = [...new Set(prices.filter(one => one.enrollment_cap !== null).map(one => one.item_id))]
  if (courseIds.length === 0) return new Map()
  const answers = await seatsTaken.call({ courseIds, exceptFor }, { school, db })
  return new Map(courseIds.map(id => [id, answers.reduce((sum, one) => sum + (one.get(id) ?? 0), 0)]))
}

/** A price, and who wants to buy at it; undefined for somebody who is not signed in. */
type PriceRequest = { readonly priceId: string; readonly memberId: string | undefined; readonly at: Date }

const mayUse = async (context: SchoolContext, courseId: string, memberId: string | undefined): Promise<boolean> =>
  memberId !== undefined && (await mayUseCourse.call({ memberId, courseId }, context)).includes(true)

const isRemoved = async (context: SchoolContext, row: PriceRow, memberId: string | undefined): Promise<boolean> =>
  memberId !== undefined &&
  row.payment_type === 'free' &&
  (await isRemovedFromCourse.call({ memberId, courseId: row.item_id }, context)).includes(true)

/** What a price of a course offers at an instant; undefined when no course has it. */
export const findOffer = async (
  context: SchoolContext,
  { priceId, memberId, at }: PriceRequest,
): Promise<Offer | Unavailable | undefined> => {
  const row = await findOfferedPrice(context.db, context.school.id, coursePrices, priceId)
  if (row === undefined) return undefined
  const [taken, hasAccess, removed] = await Promise.all([
    takenSeats(context, [row], memberId),
    mayUse(context, row.item_id, memberId),
    isRemoved(context, row, memberId),
  ])
  return offerAt('course', row, at, { hasAccess, isRemoved: removed, left: seatsLeft(row, taken) })
}
