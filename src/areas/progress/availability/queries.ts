import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import type { Override } from './rules.ts'

/** A course as a member learns in it. */
export type Learning = { readonly memberId: string; readonly courseId: string }

/** Every override that was ever said for a member in a course. */
export const listOverrides = (db: Db, schoolId: string, { memberId, courseId }: Learning): Promise<Override[]> =>
  db.all(sql<Override>`
    select lesson_id, opens_at, set_at, removed_at from lesson_openings
    where school_id = ${schoolId} and member_id = ${memberId} and course_id = ${courseId} order by set_at, id`)

/** What is said of one lesson. */
export type NewOverride = Learning & { readonly id: string; readonly lessonId: string }

/** Takes an override back; gives 1 when there was one. */
export const endOverride = (
  db: Db,
  schoolId: string,
  { memberId, lessonId }: { readonly memberId: string; readonly lessonId: string },
): Promise<number> =>
  db.run(sql`
    update lesson_openings set removed_at = (select stoa.now())
    where school_id = ${schoolId} and member_id = ${memberId} and lesson_id = ${lessonId} and removed_at is null`)

/** Opens a lesson to a member from an instant on, unset now; the enrollment is held and no override stands. */
export const insertOverride = (db: Db, schoolId: string, one: NewOverride, opensAt: string | undefined) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    insert into lesson_openings (school_id, id, member_id, course_id, lesson_id, opens_at, set_at)
    select ${schoolId}, ${one.id}, ${one.memberId}, ${one.courseId}, ${one.lessonId}, coalesce(${opensAt}::timestamptz, now), now
    from clock`)

/** The override that stands for a member and a lesson. */
export const findOverride = (
  db: Db,
  schoolId: string,
  { memberId, lessonId }: { readonly memberId: string; readonly lessonId: string },
): Promise<Override | undefined> =>
  db.first(sql<Override>`
    select lesson_id, opens_at, set_at, removed_at from lesson_openings
    where school_id = ${schoolId} and member_id = ${memberId} and lesson_id = ${lessonId} and removed_at is null`)
