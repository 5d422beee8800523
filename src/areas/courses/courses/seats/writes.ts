import type { SchoolContext } from '#src/contract/context.ts'
import type { Offer, Reserved, SoldOut } from '#src/contract/offer.ts'
import { shareCourses } from '../course/named.queries.ts'
import { lockCourseRow } from '../course/queries.ts'
import { takenSeats } from '../prices/lookups.ts'
import { seatsLeft } from '../prices/rules.ts'
import { moveReservation, putReservation, type Reservation } from './queries.ts'

type Seat = Omit<Reservation, 'courseId'> & { readonly offer: Offer }

// With a cap the course is locked against everybody who takes a seat; without one only against its deletion.
const lockSeats = async ({ db, school }: SchoolContext, courseId: string, cap: number | null): Promise<boolean> =>
  cap === null
    ? (await shareCourses(db, school.id, [courseId])).length > 0
    : (await lockCourseRow(db, school.id, courseId)) !== undefined

/** Reserves a seat in the course of an offer, unless its cap is reached; undefined when there is no such course. */
export const reserveSeat = async (
  context: SchoolContext,
  { lineId, offer, memberId, until }: Seat,
): Promise<Reserved | SoldOut | undefined> => {
  const { db, school } = context
  const capped = { item_id: offer.item.id, enrollment_cap: offer.payment.enrollment_cap }
  if (!(await lockSeats(context, capped.item_id, capped.enrollment_cap))) return undefined
  if ((await moveReservation(db, school.id, { lineId, until })) > 0) return { reservedUntil: until }
  const taken = await takenSeats(context, [capped], memberId)
  if (seatsLeft(capped, taken) === 0) return { unavailable: 'sold_out' }
  await putReservation(db, school.id, { lineId, courseId: capped.item_id, memberId, until })
  return { reservedUntil: until }
}
