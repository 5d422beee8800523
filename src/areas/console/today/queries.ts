import { coursesTaughtBy } from '#src/areas/courses/index.ts'
import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'
import type { TodayValues } from './schema.ts'

const MOST = 5

/** The newest orders of a school. */
export const listNewOrders = (db: Db, schoolId: string) =>
  db.all(sql<TodayValues['orders'][number]>`
    select o.number, o.member_id, m.name, o.total::double precision as amount, o.currency, o.status, o.created_at
    from orders o join members m on m.school_id = ${schoolId} and m.id = o.member_id
    where o.school_id = ${schoolId} order by o.id desc limit ${MOST}`)

/** Who was enrolled last, in all courses, or in those that a member teaches; nobody of whom only an address is known. */
export const listNewStudents = (db: Db, schoolId: string, taughtBy: string | undefined) =>
  db.all(sql<TodayValues['students'][number]>`
    select e.id as enrollment_id, e.member_id, m.name, e.course_id, c.name as course, e.percent_complete, e.created_at
    from enrollments e join members m on m.school_id = ${schoolId} and m.id = e.member_id
    join courses c on c.school_id = ${schoolId} and c.id = e.course_id
    where ${joinConditions(
      sql`e.school_id = ${schoolId} and e.pending_email is null and c.deleted_at is null`,
      when(taughtBy, id => sql`e.course_id in (${coursesTaughtBy(schoolId, id)})`),
    )}
    order by e.id desc limit ${MOST}`)
