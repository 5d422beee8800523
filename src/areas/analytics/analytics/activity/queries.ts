import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** An hour in which a member learned in a course. */
type ActivityRow = { readonly hour: Date; readonly course_id: string; readonly quarters: number }

/** When a member learned, by hours. */
export const listActivity = (db: Db, schoolId: string, memberId: string) =>
  db.all(sql<ActivityRow>`
    select hour, course_id, quarters from activity_hours
    where school_id = ${schoolId} and member_id = ${memberId} order by hour, course_id`)

/** Deletes when a member learned. */
export const deleteActivity = (db: Db, schoolId: string, memberId: string) =>
  db.run(sql`delete from activity_hours where school_id = ${schoolId} and member_id = ${memberId}`)

/** Moves when a member learned to another member. */
export const moveActivity = (db: Db, schoolId: string, fromId: string, intoId: string) =>
  db.run(sql`
    with moved as (
      delete from activity_hours where school_id = ${schoolId} and member_id = ${fromId}
      returning school_id, hour, course_id, quarters
    )
    insert into activity_hours as a (school_id, hour, course_id, member_id, quarters)
    select school_id, hour, course_id, ${intoId}::uuid, quarters from moved order by hour, course_id
    on conflict (school_id, hour, course_id, member_id) do update set quarters = a.quarters | excluded.quarters`)
