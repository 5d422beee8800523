import type { Db, Statement } from '#src/contract/db.ts'
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
export const lockCourseEnrollments = async (
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

/**
 * Updates the progress of locked enrollments to the current requirements of their course; those that differ get a new
 * revision. A lesson that learners no longer see is not a current lesson. It completes no course (decision 191).
 */
export const refreshProgress = (
  db: Db,
  schoolId: string,
  of: {
    readonly enrollmentIds: readonly string[]
    readonly requiredIds: readonly string[]
    readonly publishedIds: readonly string[]
  },
) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now), done as (
      select e.id, count(c.id)::integer as count
      from enrollments e left join lesson_completions c on c.school_id = e.school_id and c.member_id = e.member_id
        and c.lesson_id = any (${of.requiredIds}::uuid[]) and c.undone_at is null
      where e.school_id = ${schoolId} and e.id = any (${of.enrollmentIds}::uuid[])
      group by e.id
    ), needed as (select cardinality(${of.requiredIds}::uuid[]) as count),
    wanted as (
      select e.id, case when n.count = 0 then 0 else d.count * 100 / n.count end as percent,
        case when e.current_lesson_id = any (${of.publishedIds}::uuid[]) then e.current_lesson_id else (
          select p.id from unnest(${of.publishedIds}::uuid[]) with ordinality as p (id, place)
          where not exists (select from lesson_completions c where c.school_id = ${schoolId}
            and c.member_id = e.member_id and c.lesson_id = p.id and c.undone_at is null)
          order by p.place limit 1) end as current_lesson_id
      from enrollments e join done d on d.id = e.id cross join needed n
      where e.school_id = ${schoolId} and e.id = any (${of.enrollmentIds}::uuid[])
    )
    update enrollments e set percent_complete = w.percent, current_lesson_id = w.current_lesson_id,
      revision = e.revision + 1, updated_at = (select now from clock)
    from wanted w
    where e.school_id = ${schoolId} and e.id = w.id
      and (e.percent_complete, e.current_lesson_id) is distinct from (w.percent, w.current_lesson_id)`)

/** A course with the lessons that it requires, at least one. */
type Requirements = { readonly courseId: string; readonly requiredIds: readonly string[] }

// Whether the person of enrollment `e` has not completed the course although nothing that it requires is missing.
const lacksNothing = (schoolId: string, { courseId, requiredIds }: Requirements): Statement => sql`
  e.school_id = ${schoolId} and e.course_id = ${courseId} and e.completed_at is null
  and exists (
    select from members m where m.school_id = ${schoolId} and m.id = e.member_id and m.status <> 'deleted')
  and not exists (
    select from unnest(${requiredIds}::uuid[]) as r (id) where not exists (
      select from lesson_completions c where c.school_id = ${schoolId} and c.member_id = e.member_id
        and c.lesson_id = r.id and c.undone_at is null))`

/**
 * How many enrollments a change of the requirements brings to 100 %, and the ids of the first of them; those of people
 * whom the lecturers may not know of do not count.
 */
export const findReaching = (
  db: Db,
  schoolId: string,
  requirements: Requirements,
  limit: number,
): Promise<{ count: number; ids: readonly string[] }> =>
  db.one(sql<{ count: number; ids: readonly string[] }>`
    with reaching as materialized (
      select e.id from enrollments e
      where ${lacksNothing(schoolId, requirements)} and e.percent_complete < 100 and e.pending_email is null)
    select count(*)::integer as count, array(select id from reaching order by id limit ${limit}) as ids from reaching`)

/** An enrollment that was completed just now. */
type Completed = { readonly id: string; readonly member_id: string }

/** Completes the course of the next enrollments that lack nothing, in the order of their ids. */
export const completeReady = (
  db: Db,
  schoolId: string,
  requirements: Requirements,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
) =>
  db.all(sql<Completed>`
    with clock as materialized (select stoa.now() as now), ready as (
      select e.id from enrollments e
      where ${lacksNothing(schoolId, requirements)} and ${after === undefined ? sql`true` : sql`e.id > ${after}::uuid`}
      order by e.id limit ${limit} for no key update of e
    ), completed as (
      update enrollments e set completed_at = (select now from clock), revision = e.revision + 1,
        updated_at = (select now from clock)
      from ready r where e.school_id = ${schoolId} and e.id = r.id
      returning e.id, e.member_id)
    select id, member_id from completed order by id`)

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
