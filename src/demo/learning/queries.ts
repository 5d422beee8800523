import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** An enrollment of a learner of the demo, and how long ago it began, in minutes. */
export type LearnerEnrollment = {
  readonly id: string
  readonly member_id: string
  readonly course_id: string
  readonly slug: string
  readonly name: string
  readonly email: string
  readonly minutes: number
}

/** The enrollments of the members with some addresses, in the order in which they began. */
export const listEnrollments = (db: Db, schoolId: string, emails: readonly string[]) =>
  db.all(sql<LearnerEnrollment>`
    with clock as materialized (select stoa.now() as now)
    select e.id, e.member_id, e.course_id, c.slug, m.name, m.email,
      (extract(epoch from (select now from clock) - e.created_at) / 60)::integer as minutes
    from enrollments e join members m on m.school_id = ${schoolId} and m.id = e.member_id
      join courses c on c.school_id = ${schoolId} and c.id = e.course_id
    where e.school_id = ${schoolId} and m.email = any (${emails}::text[]) order by e.id`)
