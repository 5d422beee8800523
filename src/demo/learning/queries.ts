import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** Moves what a member did into the past: they joined so many days ago, and learned every second day since. */
export const spreadLearning = async (db: Db, schoolId: string, memberId: string, days: number): Promise<void> => {
  await db.run(sql`
    with clock as materialized (select stoa.now() as now)
    update members set created_at = (select now from clock) - make_interval(days => ${days})
    where school_id = ${schoolId} and id = ${memberId}`)
  await db.run(sql`
    with clock as materialized (select stoa.now() as now), placed as (
      select id, row_number() over (order by id)::integer as place from lesson_completions
      where school_id = ${schoolId} and member_id = ${memberId}
    )
    update lesson_completions c set completed_at = least((select now from clock),
      (select now from clock) - make_interval(days => ${days} - 2 * p.place, hours => p.place))
    from placed p where c.school_id = ${schoolId} and c.id = p.id`)
  await db.run(sql`
    with clock as materialized (select stoa.now() as now)
    update enrollments e set created_at = (select now from clock) - make_interval(days => ${days}),
      completed_at = case when e.completed_at is not null then (select now from clock) end
    where e.school_id = ${schoolId} and e.member_id = ${memberId}`)
  await db.run(sql`delete from activity_hours where school_id = ${schoolId} and member_id = ${memberId}`)
  await db.run(sql`
    select stoa.record_activity(school_id, course_id, member_id, completed_at) from lesson_completions
    where school_id = ${schoolId} and member_id = ${memberId}`)
}
