import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** The progress of an enrollment. */
export type EnrollmentProgress = {
  readonly percent: number
  readonly currentLessonId: string | null
  readonly isComplete: boolean
}

/**
 * Stores the progress of a locked enrollment as its next revision; a completed course stays completed. Returns the
 * revision, and when the course was completed.
 */
export const storeProgress = (
  db: Db,
  schoolId: string,
  enrollmentId: string,
  { percent, currentLessonId, isComplete }: EnrollmentProgress,
): Promise<{ revision: number; completed_at: Date | null }> =>
  db.one(sql<{ revision: number; completed_at: Date | null }>`
    with clock as materialized (select stoa.now() as now)
    update enrollments set percent_complete = ${percent}, current_lesson_id = ${currentLessonId},
      completed_at = case when ${isComplete} then coalesce(completed_at, (select now from clock)) else completed_at end,
      last_activity_at = (select now from clock), revision = revision + 1, updated_at = (select now from clock)
    where school_id = ${schoolId} and id = ${enrollmentId}
    returning revision, completed_at`)

/** Locks the next enrollments of a course in the order of their ids. */
export const lockEnrollmentsOf = async (
  db: Db,
  schoolId: string,
  courseId: string,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<string[]> => {
  const rows = await db.all(sql<{ id: string }>`
    select id from enrollments
    where school_id = ${schoolId} and course_id = ${courseId}
      and ${after === undefined ? sql`true` : sql`id > ${after}::uuid`}
    order by id limit ${limit} for no key update`)
  return rows.map(({ id }) => id)
}

/** An enrollment with changed progress; `has_completed` means that this change completed the course. */
type Changed = { readonly id: string; readonly member_id: string; readonly has_completed: boolean }

/**
 * Updates the progress of locked enrollments to the current requirements of their course; those that differ get a new
 * revision. A lesson that learners no longer see is not a current lesson.
 */
export const refreshProgress = (
  db: Db,
  schoolId: string,
  of: {
    readonly enrollmentIds: readonly string[]
    readonly requiredIds: readonly string[]
    readonly publishedIds: readonly string[]
  },
): Promise<Changed[]> =>
  db.all(sql<Changed>`
    with clock as materialized (select stoa.now() as now), done as (
      select e.id, count(c.id)::integer as count
      from enrollments e left join lesson_completions c on c.school_id = e.school_id and c.member_id = e.member_id
        and c.lesson_id = any (${of.requiredIds}::uuid[]) and c.undone_at is null
      where e.school_id = ${schoolId} and e.id = any (${of.enrollmentIds}::uuid[])
      group by e.id
    ), needed as (select cardinality(${of.requiredIds}::uuid[]) as count),
    wanted as (
      select e.id, e.completed_at as was, case when n.count = 0 then 0 else d.count * 100 / n.count end as percent,
        case when e.current_lesson_id = any (${of.publishedIds}::uuid[]) then e.current_lesson_id else (
          select p.id from unnest(${of.publishedIds}::uuid[]) with ordinality as p (id, place)
          where not exists (select from lesson_completions c where c.school_id = ${schoolId}
            and c.member_id = e.member_id and c.lesson_id = p.id and c.undone_at is null)
          order by p.place limit 1) end as current_lesson_id
      from enrollments e join done d on d.id = e.id cross join needed n
      where e.school_id = ${schoolId} and e.id = any (${of.enrollmentIds}::uuid[])
    )
    update enrollments e set percent_complete = w.percent, current_lesson_id = w.current_lesson_id,
      completed_at = case when w.percent = 100 then coalesce(e.completed_at, (select now from clock)) else e.completed_at end,
      revision = e.revision + 1, updated_at = (select now from clock)
    from wanted w
    where e.school_id = ${schoolId} and e.id = w.id
      and ((e.percent_complete, e.current_lesson_id) is distinct from (w.percent, w.current_lesson_id)
        or (w.percent = 100 and e.completed_at is null))
    returning e.id, e.member_id, (w.was is null and e.completed_at is not null) as has_completed`)

/**
 * Moves the progress of one member to another, except where the other has the same; returns the courses concerned.
 */
export const moveLearning = async (db: Db, schoolId: string, fromId: string, intoId: string): Promise<string[]> => {
  const [moved] = await Promise.all([
    db.all(sql<{ course_id: string }>`
      update lesson_completions c set member_id = ${intoId} where school_id = ${schoolId} and member_id = ${fromId}
        and (undone_at is not null or not exists (
          select from lesson_completions o where o.school_id = ${schoolId} and o.member_id = ${intoId}
            and o.lesson_id = c.lesson_id and o.undone_at is null))
      returning course_id`),
    db.run(sql`
      update lesson_openings c set member_id = ${intoId} where school_id = ${schoolId} and member_id = ${fromId}
        and (removed_at is not null or not exists (
          select from lesson_openings o where o.school_id = ${schoolId} and o.member_id = ${intoId}
            and o.lesson_id = c.lesson_id and o.removed_at is null))`),
    db.run(sql`
      update lesson_positions c set member_id = ${intoId} where school_id = ${schoolId} and member_id = ${fromId}
        and not exists (
          select from lesson_positions o where o.school_id = ${schoolId} and o.member_id = ${intoId}
            and o.lesson_id = c.lesson_id)`),
  ])
  return [...new Set(moved.map(({ course_id: id }) => id))]
}
