import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import { seatReservations } from './conditions.ts'

/** A seat in a course for a line of a purchase. */
export type Reservation = {
  readonly lineId: string
  readonly courseId: string
  readonly memberId: string
  readonly until: Date
}

/** Moves the end of a reservation that has not expired; returns 0 when there is none. */
export const moveReservation = (db: Db, schoolId: string, { lineId, until }: Pick<Reservation, 'lineId' | 'until'>) =>
  db.run(sql`
    update seat_reservations set expires_at = ${until}
    where school_id = ${schoolId} and line_id = ${lineId} and expires_at > (select stoa.now())`)

/** Stores a reservation, in place of one of the same line that expired. */
export const putReservation = (db: Db, schoolId: string, one: Reservation) =>
  db.run(sql`
    insert into seat_reservations (school_id, line_id, course_id, member_id, expires_at, created_at)
    values (${schoolId}, ${one.lineId}, ${one.courseId}, ${one.memberId}, ${one.until}, (select stoa.now()))
    on conflict (school_id, line_id) do update set course_id = excluded.course_id, member_id = excluded.member_id,
      expires_at = excluded.expires_at, created_at = excluded.created_at`)

/** Deletes the reservation of a line. */
export const deleteReservation = (db: Db, schoolId: string, lineId: string) =>
  db.run(sql`delete from seat_reservations where school_id = ${schoolId} and line_id = ${lineId}`)

/** How many members have a reservation in a course. */
export const countReservations = async (db: Db, schoolId: string, courseId: string): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
      with clock as materialized (select stoa.now() as now)
      select count(distinct r.member_id)::integer as count from (${seatReservations(schoolId)}) r
      where r.course_id = ${courseId}`)
  ).count

/** Deletes the reservations of a member. */
export const eraseReservations = (db: Db, schoolId: string, memberId: string) =>
  db.run(sql`delete from seat_reservations where school_id = ${schoolId} and member_id = ${memberId}`)

/** Moves the reservations of one member to another. */
export const moveReservations = (db: Db, schoolId: string, fromId: string, intoId: string) =>
  db.run(sql`
    update seat_reservations set member_id = ${intoId} where school_id = ${schoolId} and member_id = ${fromId}`)

/** Deletes at most so many reservations that have expired; returns how many. */
export const deleteExpired = (db: Db, schoolId: string, most: number): Promise<number> =>
  // As an array the rows are listed once, and in a query of its own the clock is read once, whatever the plan.
  db.run(sql`
    delete from seat_reservations where school_id = ${schoolId} and line_id = any (array(
      select line_id from seat_reservations
      where school_id = ${schoolId} and expires_at <= (select stoa.now())
      order by expires_at limit ${most} for update skip locked))`)
