import type { Statement } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/**
 * The reservations of seats that have not expired, by course and member. For the statements of later areas, which begin
 * with the clock.
 */
export const seatReservations = (schoolId: string): Statement => sql`
  select s.course_id, s.member_id from seat_reservations s
  where s.school_id = ${schoolId} and s.expires_at > (select now from clock)`
