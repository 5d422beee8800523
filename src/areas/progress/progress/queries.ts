import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import type { Learning } from '../availability/queries.ts'
import type { Completion } from '../availability/rules.ts'

/** Who completed a lesson for somebody. */
export type CompletedBy = 'self' | 'staff' | 'quiz' | 'assignment'

/** A completion as it is stored. */
export type CompletionRow = Completion & { readonly completed_by: CompletedBy }

/** Every completion of a member in a course, what was taken back too. */
export const listCompletions = (db: Db, schoolId: string, { memberId, courseId }: Learning): Promise<CompletionRow[]> =>
  db.all(sql<CompletionRow>`
    select lesson_id, completed_at, undone_at, completed_by from lesson_completions
    where school_id = ${schoolId} and member_id = ${memberId} and course_id = ${courseId} order by completed_at, id`)

/** A lesson of a course and a member who learns in it. */
export type LearnedLesson = Learning & { readonly lessonId: string }

/** Completes a lesson, unless it is; gives how many were completed. */
export const insertCompletion = (
  db: Db,
  schoolId: string,
  one: LearnedLesson & { readonly id: string; readonly by: CompletedBy },
): Promise<number> =>
  db.run(sql`
    insert into lesson_completions (school_id, id, member_id, course_id, lesson_id, completed_at, completed_by)
    values (${schoolId}, ${one.id}, ${one.memberId}, ${one.courseId}, ${one.lessonId}, (select stoa.now()), ${one.by})
    on conflict (school_id, member_id, lesson_id) where undone_at is null do nothing`)

/** Takes the completion of a lesson back; gives 1 when it stood. */
export const endCompletion = (db: Db, schoolId: string, { memberId, lessonId }: LearnedLesson): Promise<number> =>
  db.run(sql`
    update lesson_completions set undone_at = (select stoa.now())
    where school_id = ${schoolId} and member_id = ${memberId} and lesson_id = ${lessonId} and undone_at is null`)

/** How far somebody is in a lesson. */
export type PositionRow = { readonly lesson_id: string; readonly seconds: number; readonly noted_at: Date }

/** How far a member is in the lessons of a course. */
export const listPositions = (db: Db, schoolId: string, { memberId, courseId }: Learning): Promise<PositionRow[]> =>
  db.all(sql<PositionRow>`
    select lesson_id, seconds, noted_at from lesson_positions
    where school_id = ${schoolId} and member_id = ${memberId} and course_id = ${courseId}`)

/** A position that was told. */
export type NewPosition = {
  readonly member_id: string
  readonly course_id: string
  readonly lesson_id: string
  readonly seconds: number
}

/**
 * Stores positions, and that their members learned, in one statement; it waits for no enrollment that somebody holds, and
 * leaves out who has none any more.
 */
export const storePositions = (db: Db, schoolId: string, positions: readonly NewPosition[]): Promise<number> =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now), told as (
      select e.id, p.member_id, p.course_id, p.lesson_id, p.seconds, clock.now
      from jsonb_to_recordset(${JSON.stringify(positions)}::jsonb)
          as p (member_id uuid, course_id uuid, lesson_id uuid, seconds integer)
        join enrollments e on e.school_id = ${schoolId} and e.member_id = p.member_id and e.course_id = p.course_id,
        clock
    ), free as (
      select e.id from enrollments e
      where e.school_id = ${schoolId} and e.id in (select id from told) order by e.id for no key update skip locked
    ), learned as (
      update enrollments e set last_activity_at = (select max(now) from told)
      where e.school_id = ${schoolId} and e.id in (select id from free)
    )
    insert into lesson_positions as l (school_id, member_id, course_id, lesson_id, seconds, noted_at)
    select ${schoolId}::uuid, member_id, course_id, lesson_id, seconds, now from told order by member_id, lesson_id
    on conflict (school_id, member_id, lesson_id) do update set seconds = excluded.seconds, noted_at = excluded.noted_at`)

/** Where an enrollment stands. */
export type EnrollmentProgress = {
  readonly percent: number
  readonly currentLessonId: string | null
  readonly isComplete: boolean
}

/**
 * Stores where an enrollment that is held stands, as the next revision; completed is completed for good. Gives the
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

/** Holds the next enrollments of a course in the order of their ids. */
export const lockEnrollmentsOf = async (
  db: Db,
  schoolId: string,
  courseId: string,
  { after, most }: { readonly after: string | undefined; readonly most: number },
): Promise<string[]> => {
  const rows = await db.all(sql<{ id: string }>`
    select id from enrollments
    where school_id = ${schoolId} and course_id = ${courseId}
      and ${after === undefined ? sql`true` : sql`id > ${after}::uuid`}
    order by id limit ${most} for no key update`)
  return rows.map(({ id }) => id)
}

/** An enrollment of which the standing changed; `has_completed` tells of one that is complete only now. */
export type Changed = { readonly id: string; readonly member_id: string; readonly has_completed: boolean }

/**
 * Brings enrollments that are held up to what their course requires now, as the next revision of those that differ. A
 * lesson that learners see no more is nobody's next one.
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

/** The completion of a lesson that stands. */
export const findCompletion = (
  db: Db,
  schoolId: string,
  { memberId, lessonId }: { readonly memberId: string; readonly lessonId: string },
): Promise<CompletionRow | undefined> =>
  db.first(sql<CompletionRow>`
    select lesson_id, completed_at, undone_at, completed_by from lesson_completions
    where school_id = ${schoolId} and member_id = ${memberId} and lesson_id = ${lessonId} and undone_at is null`)

/** Gives what one member learned to another, where the other has not learned the same; gives the courses it was in. */
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

/** Forgets how far a member was in recordings; that somebody completed a lesson stays, without them. */
export const forgetPositions = (db: Db, schoolId: string, memberId: string): Promise<number> =>
  db.run(sql`delete from lesson_positions where school_id = ${schoolId} and member_id = ${memberId}`)
