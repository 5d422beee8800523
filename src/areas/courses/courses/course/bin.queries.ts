import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** What a deleted course is named by. */
type DeletedCourse = { readonly id: string; readonly slug: string; readonly external_id: string | null }

/** Hides a course and its lessons; its slug and external id are free. */
export const hideCourse = (db: Db, schoolId: string, id: string) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now), lessons as (
      update all_lessons set deleted_at = clock.now from clock where school_id = ${schoolId} and course_id = ${id}
    )
    update all_courses set deleted_at = clock.now, revision = revision + 1, updated_at = clock.now from clock
    where school_id = ${schoolId} and id = ${id} and deleted_at is null`)

/** A deleted course that was taken out of the bin. */
export const getDeletedCourse = (db: Db, schoolId: string, id: string) =>
  db.one(sql<DeletedCourse>`
    select id, slug, external_id from all_courses where school_id = ${schoolId} and id = ${id} and deleted_at is not null`)

/** Shows a deleted course with its lessons again, under a slug. */
export const showCourse = (db: Db, schoolId: string, id: string, slug: string) =>
  db.run(sql`
    with lessons as (
      update all_lessons set deleted_at = null where school_id = ${schoolId} and course_id = ${id}
    )
    update all_courses set deleted_at = null, slug = ${slug}, revision = revision + 1, updated_at = (select stoa.now())
    where school_id = ${schoolId} and id = ${id}`)
