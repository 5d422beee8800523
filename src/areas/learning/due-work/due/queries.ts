import type { AttemptStatus } from '#src/areas/learning/attempts/index.ts'
import type { CompletionRow, Override } from '#src/areas/learning/progress/index.ts'
import type { SubmissionRow } from '#src/areas/learning/submissions/index.ts'
import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import type { ZonedTime } from '#src/kit/local-time.ts'

/** Some lessons, or some courses, as one member learns in them. */
type Own = { readonly memberId: string; readonly ids: readonly string[] }

/** The courses in which a member is enrolled, or the one that is named. */
export const listEnrolledIds = async (
  db: Db,
  schoolId: string,
  { memberId, courseId }: { readonly memberId: string; readonly courseId: string | undefined },
): Promise<string[]> => {
  const rows = await db.all(sql<{ course_id: string }>`
    select e.course_id from enrollments e where e.school_id = ${schoolId} and e.member_id = ${memberId}
      and ${courseId === undefined ? sql`true` : sql`e.course_id = ${courseId}`}`)
  return rows.map(one => one.course_id)
}

/** The last submission for a lesson, as far as due work depends on it. */
export type LatestWork = Pick<SubmissionRow, 'lesson_id' | 'status' | 'attempt_number' | 'accepted'>

/** The last submission of a member for each of some lessons. */
export const listLatestWork = (db: Db, schoolId: string, { memberId, ids }: Own) =>
  db.all(sql<LatestWork>`
    select distinct on (lesson_id) lesson_id, status, attempt_number, accepted from submissions
    where school_id = ${schoolId} and member_id = ${memberId} and lesson_id = any (${ids}::uuid[])
    order by lesson_id, attempt_number desc`)

/** The last attempt of a member at the quiz of a lesson, and whether any passed. */
export type LatestAttempt = {
  readonly lesson_id: string
  readonly status: AttemptStatus
  readonly expires_at: Date | null
  readonly used: number
  readonly has_passed: boolean
}

/** The last attempts of a member at the quizzes of some lessons; an attempt whose time is up counts as ended. */
export const listLatestAttempts = (db: Db, schoolId: string, { memberId, ids }: Own) =>
  db.all(sql<LatestAttempt>`
    select distinct on (lesson_id) lesson_id, expires_at,
      case when status = 'started' and expires_at <= (select stoa.now()) then 'timed_out' else status end as status,
      (count(*) over of_quiz)::integer as used, coalesce(bool_or(passed) over of_quiz, false) as has_passed
    from quiz_attempts
    where school_id = ${schoolId} and member_id = ${memberId} and lesson_id = any (${ids}::uuid[])
    window of_quiz as (partition by lesson_id)
    order by lesson_id, attempt_number desc`)

/** The deadline extensions of a member for some lessons. */
export const listExtended = (db: Db, schoolId: string, { memberId, ids }: Own) =>
  db.all(sql<ZonedTime & { readonly lesson_id: string }>`
    select lesson_id, due_local as local, due_time_zone as time_zone from assignment_extensions
    where school_id = ${schoolId} and member_id = ${memberId} and lesson_id = any (${ids}::uuid[])`)

/** Every completion of a member in some courses, undone ones too. */
export const listCompletionsIn = (db: Db, schoolId: string, { memberId, ids }: Own) =>
  db.all(sql<CompletionRow & { readonly course_id: string }>`
    select course_id, lesson_id, completed_at, undone_at, completed_by from lesson_completions
    where school_id = ${schoolId} and member_id = ${memberId} and course_id = any (${ids}::uuid[])
    order by completed_at, id`)

/** Every availability override of a member for some lessons, past ones too. */
export const listMemberOverrides = (db: Db, schoolId: string, { memberId, ids }: Own) =>
  db.all(sql<Override>`
    select lesson_id, opens_at, set_at, removed_at from lesson_openings
    where school_id = ${schoolId} and member_id = ${memberId} and lesson_id = any (${ids}::uuid[]) order by set_at, id`)
