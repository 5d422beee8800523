import type { EnrollmentRow } from '#src/areas/learning/enrollments/index.ts'
import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import type { EnrollmentProgress } from '../progress/queries.ts'

/** An enrollment as far as its progress is imported. */
export type LockedEnrollment = Pick<
  EnrollmentRow,
  'id' | 'member_id' | 'course_id' | 'completed_at' | 'current_lesson_id' | 'last_activity_at' | 'percent_complete'
>

/** Some enrollments, locked until the transaction ends. */
export const lockEnrollments = (db: Db, schoolId: string, ids: readonly string[]) =>
  db.all(sql<LockedEnrollment>`
    select id, member_id, course_id, completed_at, current_lesson_id, last_activity_at, percent_complete from enrollments
    where school_id = ${schoolId} and id = any (${ids}::uuid[]) order by id for no key update`)

/** A completion in force, by the enrollment that it belongs to. */
export type Done = { readonly enrollment_id: string; readonly lesson_id: string; readonly completed_at: Date }

/** The completions in force of the members of some enrollments in their courses. */
export const listDone = (db: Db, schoolId: string, enrollmentIds: readonly string[]) =>
  db.all(sql<Done>`
    select e.id as enrollment_id, c.lesson_id, c.completed_at
    from enrollments e join lesson_completions c
      on c.school_id = ${schoolId} and c.member_id = e.member_id and c.course_id = e.course_id
    where e.school_id = ${schoolId} and e.id = any (${enrollmentIds}::uuid[]) and c.undone_at is null`)

/** A lesson that was completed elsewhere. */
export type NewCompletion = {
  readonly id: string
  readonly memberId: string
  readonly courseId: string
  readonly lessonId: string
  readonly at: Date
}

/** Stores completions of an import, each at its own instant; returns the ids of those that are new. */
export const insertImported = async (
  db: Db,
  schoolId: string,
  all: readonly NewCompletion[],
): Promise<ReadonlySet<string>> => {
  const rows = await db.all(sql<{ id: string }>`
    insert into lesson_completions (school_id, id, member_id, course_id, lesson_id, completed_at, completed_by)
    select ${schoolId}::uuid, r.id, r."memberId", r."courseId", r."lessonId", r.at, 'import'
    from jsonb_to_recordset(${JSON.stringify(all)}::jsonb)
      as r (id uuid, "memberId" uuid, "courseId" uuid, "lessonId" uuid, at timestamptz)
    on conflict (school_id, member_id, lesson_id) where undone_at is null do nothing
    returning id`)
  return new Set(rows.map(({ id }) => id))
}

/** Deletes completions of an import; returns the ids of those that were in force. */
export const deleteImported = async (
  db: Db,
  schoolId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> => {
  const rows = await db.all(sql<{ id: string; undone_at: Date | null }>`
    delete from lesson_completions where school_id = ${schoolId} and id = any (${ids}::uuid[]) and completed_by = 'import'
    returning id, undone_at`)
  return new Set(rows.filter(({ undone_at: at }) => at === null).map(({ id }) => id))
}

/** The progress of an enrollment as the lessons of an import leave it, and the last instant of those. */
export type ImportedProgress = Pick<EnrollmentProgress, 'percent' | 'currentLessonId'> & {
  readonly id: string
  /** Set where the course is completed by it. */
  readonly completedAt: Date | null
  readonly activeAt: Date | null
}

/** Stores imported progress of locked enrollments in one statement, each as its next revision. */
export const storeImported = (db: Db, schoolId: string, all: readonly ImportedProgress[]) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    update enrollments e set percent_complete = r.percent, current_lesson_id = r."currentLessonId",
      completed_at = coalesce(e.completed_at, r."completedAt"),
      last_activity_at = greatest(e.last_activity_at, r."activeAt"),
      revision = e.revision + 1, updated_at = (select now from clock)
    from jsonb_to_recordset(${JSON.stringify(all)}::jsonb) as r (id uuid, percent integer, "currentLessonId" uuid,
      "completedAt" timestamptz, "activeAt" timestamptz)
    where e.school_id = ${schoolId} and e.id = r.id`)

/** The progress of an enrollment after an undo. */
export type RevertedProgress = Pick<EnrollmentProgress, 'percent' | 'currentLessonId'> & {
  readonly id: string
  /** Whether the import completed the course, which is not complete any more. */
  readonly isReopened: boolean
  /** The last activity before the import, and as the import stored it. */
  readonly before: string | null
  readonly after: string | null
}

/** Stores the progress of locked enrollments after an undo, each as its next revision. */
export const storeReverted = (db: Db, schoolId: string, all: readonly RevertedProgress[]) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    update enrollments e set percent_complete = r.percent, current_lesson_id = r."currentLessonId",
      completed_at = case when r."isReopened" then null else e.completed_at end,
      last_activity_at = case when date_trunc('milliseconds', e.last_activity_at) is not distinct from r.after
        then r.before else e.last_activity_at end,
      revision = e.revision + 1, updated_at = (select now from clock)
    from jsonb_to_recordset(${JSON.stringify(all)}::jsonb) as r (id uuid, percent integer, "currentLessonId" uuid,
      "isReopened" boolean, before timestamptz, after timestamptz)
    where e.school_id = ${schoolId} and e.id = r.id`)
