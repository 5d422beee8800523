import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import type { LearnedLesson } from '../completions/queries.ts'

/** A playback position in a recording. */
export type PositionRow = { readonly lesson_id: string; readonly seconds: number; readonly noted_at: Date }

/** The playback positions of a member in a course. */
export const listPositions = (
  db: Db,
  schoolId: string,
  { memberId, courseId }: Pick<LearnedLesson, 'memberId' | 'courseId'>,
) =>
  db.all(sql<PositionRow>`
    select lesson_id, seconds, noted_at from lesson_positions
    where school_id = ${schoolId} and member_id = ${memberId} and course_id = ${courseId}`)

/** All playback positions of a member. */
export const listMemberPositions = (db: Db, schoolId: string, memberId: string) =>
  db.all(sql<PositionRow>`
    select lesson_id, seconds, noted_at from lesson_positions
    where school_id = ${schoolId} and member_id = ${memberId} order by lesson_id`)

/**
 * Stores a position and the time of the last activity; without an enrollment it stores nothing. It does not wait for an
 * enrollment that another transaction has locked.
 */
export const storePosition = (
  db: Db,
  schoolId: string,
  { memberId, courseId, lessonId, seconds }: LearnedLesson & { readonly seconds: number },
) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now), unlocked as (
      select e.id from enrollments e
      where e.school_id = ${schoolId} and e.member_id = ${memberId} and e.course_id = ${courseId}
      for no key update skip locked
    ), learned as (
      update enrollments e set last_activity_at = (select now from clock)
      where e.school_id = ${schoolId} and e.id in (select id from unlocked)
    )
    insert into lesson_positions as l (school_id, member_id, course_id, lesson_id, seconds, noted_at)
    select ${schoolId}::uuid, e.member_id, e.course_id, ${lessonId}::uuid, ${seconds}::integer, clock.now
    from enrollments e, clock
    where e.school_id = ${schoolId} and e.member_id = ${memberId} and e.course_id = ${courseId}
    on conflict (school_id, member_id, lesson_id) do update set seconds = excluded.seconds, noted_at = excluded.noted_at`)

/** Deletes the playback positions of a member; completions by others keep their rows, without this member. */
export const deletePositions = (db: Db, schoolId: string, memberId: string) =>
  db.run(sql`delete from lesson_positions where school_id = ${schoolId} and member_id = ${memberId}`)
