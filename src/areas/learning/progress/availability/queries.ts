import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import type { Override } from './rules.ts'

/** A member and a course. */
export type Learning = { readonly memberId: string; readonly courseId: string }

/** Every override that was ever set for a member in a course. */
export const listOverrides = (db: Db, schoolId: string, { memberId, courseId }: Learning) =>
  db.all(sql<Override>`
    select lesson_id, opens_at, set_at, removed_at from lesson_openings
    where school_id = ${schoolId} and member_id = ${memberId} and course_id = ${courseId} order by set_at, id`)

/** Every override that was ever set for a member. */
export const listMemberOverrides = (db: Db, schoolId: string, memberId: string) =>
  db.all(sql<Override>`
    select lesson_id, opens_at, set_at, removed_at from lesson_openings
    where school_id = ${schoolId} and member_id = ${memberId} order by set_at, id`)

/** An override of one lesson. */
type NewOverride = Learning & { readonly id: string; readonly lessonId: string }

/** Ends an override; returns 1 when there was one. */
export const endOverride = (
  db: Db,
  schoolId: string,
  { memberId, lessonId }: { readonly memberId: string; readonly lessonId: string },
) =>
  db.run(sql`
    update lesson_openings set removed_at = (select stoa.now())
    where school_id = ${schoolId} and member_id = ${memberId} and lesson_id = ${lessonId} and removed_at is null`)

/**
 * Makes a lesson available to a member from an instant, by default now. The enrollment must be locked and have no current
 * override for the lesson.
 */
export const insertOverride = (db: Db, schoolId: string, one: NewOverride, opensAt: Date | undefined) =>
  db.one(sql<Override>`
    with clock as materialized (select stoa.now() as now)
    insert into lesson_openings (school_id, id, member_id, course_id, lesson_id, opens_at, set_at)
    select ${schoolId}, ${one.id}, ${one.memberId}, ${one.courseId}, ${one.lessonId}, coalesce(${opensAt}::timestamptz, now), now
    from clock
    returning lesson_id, opens_at, set_at, removed_at`)

/** The current override for a member and a lesson. */
export const findOverride = (
  db: Db,
  schoolId: string,
  { memberId, lessonId }: { readonly memberId: string; readonly lessonId: string },
) =>
  db.first(sql<Override>`
    select lesson_id, opens_at, set_at, removed_at from lesson_openings
    where school_id = ${schoolId} and member_id = ${memberId} and lesson_id = ${lessonId} and removed_at is null`)
