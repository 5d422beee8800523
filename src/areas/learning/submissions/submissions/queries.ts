import { coursesOfLecturer, coursesTaughtBy } from '#src/areas/courses/index.ts'
import type { Db, Recorded, Statement } from '#src/contract/db.ts'
import type { List } from '#src/db/list.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'

/** A submission, as far as a list shows it. */
export type EntryRow = Recorded & {
  readonly id: string
  readonly member_id: string
  readonly member_name: string
  readonly course_id: string
  readonly lesson_id: string
  readonly attempt_number: number
  readonly status: 'submitted' | 'returned' | 'graded'
  readonly submitted_at: Date
  readonly due_at: Date | null
  readonly late: boolean
  readonly points: number | null
  readonly max_points: number | null
  readonly passing_points: number | null
  readonly accepted: boolean | null
  readonly decided_at: Date | null
  readonly changed_in: string
}

/** A whole submission. */
export type SubmissionRow = EntryRow & {
  readonly text: string | null
  readonly link: string | null
  readonly file_ids: readonly string[]
  readonly feedback: string | null
  readonly feedback_file_ids: readonly string[]
  readonly grader_id: string | null
  readonly grader_name: string | null
  /** Whether it is the last submission of the member for the lesson. */
  readonly is_latest: boolean
}

const entryColumns = sql`s.id, s.member_id, m.name as member_name, s.course_id, s.lesson_id, s.attempt_number, s.status,
  s.submitted_at, s.due_at, s.late, s.points, s.max_points, s.passing_points, s.accepted, s.decided_at, s.revision,
  s.changed_in, s.created_at, s.updated_at`

const buildFiles = (schoolId: string, purpose: 'work' | 'feedback'): Statement => sql`array(
  select f.file_id from submission_files f
  where f.school_id = ${schoolId} and f.submission_id = s.id and f.purpose = ${purpose} order by f.position)`

const wholeIn = (schoolId: string): Statement => sql`
  select ${entryColumns}, s.text, s.link, s.feedback, s.grader_id, g.name as grader_name,
    ${buildFiles(schoolId, 'work')} as file_ids, ${buildFiles(schoolId, 'feedback')} as feedback_file_ids,
    not exists (select from submissions n where n.school_id = ${schoolId} and n.member_id = s.member_id
      and n.lesson_id = s.lesson_id and n.attempt_number > s.attempt_number) as is_latest
  from submissions s join members m on m.school_id = s.school_id and m.id = s.member_id
    left join members g on g.school_id = s.school_id and g.id = s.grader_id`

/** The filter of a list of submissions; undefined fields do not filter. */
export type SubmissionFilter = {
  /** Only in the courses that this member teaches. */
  readonly taughtBy?: string | undefined
  readonly lecturerId?: string | undefined
  readonly memberId?: string | undefined
  readonly courseId?: string | undefined
  readonly lessonId?: string | undefined
  readonly status?: SubmissionRow['status'] | undefined
  readonly isDecided?: boolean | undefined
}

const matching = (schoolId: string, filter: SubmissionFilter): Statement =>
  joinConditions(
    sql`s.school_id = ${schoolId}`,
    when(filter.taughtBy, id => sql`s.course_id in (${coursesTaughtBy(schoolId, id)})`),
    when(filter.lecturerId, id => sql`s.course_id in (${coursesOfLecturer(schoolId, id)})`),
    when(filter.memberId, id => sql`s.member_id = ${id}::uuid`),
    when(filter.courseId, id => sql`s.course_id = ${id}::uuid`),
    when(filter.lessonId, id => sql`s.lesson_id = ${id}::uuid`),
    when(filter.status, status => sql`s.status = ${status}`),
    when(filter.isDecided, is => (is ? sql`s.status in ('graded', 'returned')` : sql`s.status = 'submitted'`)),
  )

/** The submissions of a filter. */
export const submissionList = (schoolId: string, filter: SubmissionFilter): List<EntryRow> => ({
  columns: entryColumns,
  from: sql`submissions s join members m on m.school_id = s.school_id and m.id = s.member_id`,
  where: matching(schoolId, filter),
  id: sql`s.id`,
  changedIn: sql`s.changed_in`,
  counted: { from: sql`submissions s`, where: matching(schoolId, filter) },
})

/** A submission by the id of its row. */
export const findSubmission = (db: Db, schoolId: string, id: string) =>
  db.first(sql<SubmissionRow>`
    ${wholeIn(schoolId)} where s.school_id = ${schoolId} and s.id = ${id}::uuid`)

/** Locks a submission until the transaction ends; it is read after that. Returns 0 when there is none. */
export const lockSubmission = (db: Db, schoolId: string, id: string) =>
  db.run(sql`select from submissions where school_id = ${schoolId} and id = ${id}::uuid for no key update`)

/** The last submission of a member for a lesson, locked until the transaction ends. */
export const lockLatest = (
  db: Db,
  schoolId: string,
  { memberId, lessonId }: { readonly memberId: string; readonly lessonId: string },
) =>
  db.first(sql<Pick<SubmissionRow, 'status' | 'attempt_number' | 'accepted'>>`
    select status, attempt_number, accepted from submissions
    where school_id = ${schoolId} and member_id = ${memberId} and lesson_id = ${lessonId}
    order by attempt_number desc limit 1 for no key update`)

/** The columns of a submission that the learner writes. */
type WorkValues = Pick<SubmissionRow, 'text' | 'link' | 'due_at' | 'late'>

/** Stores a new submission; 0 when the same member submits at the same moment. */
export const insertSubmission = (
  db: Db,
  schoolId: string,
  one: WorkValues & Pick<SubmissionRow, 'id' | 'member_id' | 'course_id' | 'lesson_id' | 'attempt_number'>,
) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    insert into submissions (school_id, id, member_id, course_id, lesson_id, attempt_number, status, text, link, submitted_at,
      due_at, late, created_at, updated_at)
    select ${schoolId}, ${one.id}, ${one.member_id}, ${one.course_id}, ${one.lesson_id}, ${one.attempt_number}::integer,
      'submitted', ${one.text}, ${one.link}, now, ${one.due_at}::timestamptz, ${one.late}::boolean, now, now
    from clock
    on conflict do nothing`)

/** The columns of a submission that a learner's change sets. */
type StoredWork = WorkValues & Pick<SubmissionRow, 'submitted_at' | 'revision' | 'changed_in' | 'updated_at'>

/** Stores changed work that is not decided, as submitted now; undefined when it was decided. */
export const storeWork = (db: Db, schoolId: string, id: string, one: WorkValues) =>
  db.first(sql<StoredWork>`
    with clock as materialized (select stoa.now() as now)
    update submissions s set text = ${one.text}, link = ${one.link}, due_at = ${one.due_at}::timestamptz,
      late = ${one.late}::boolean, submitted_at = (select now from clock), revision = s.revision + 1,
      updated_at = (select now from clock)
    where s.school_id = ${schoolId} and s.id = ${id} and s.status = 'submitted'
    returning s.text, s.link, s.due_at, s.late, s.submitted_at, s.revision, s.changed_in, s.updated_at`)

/** Deletes a submission that is not decided; 0 when it was decided. */
export const deleteSubmission = (db: Db, schoolId: string, id: string) =>
  db.run(sql`delete from submissions where school_id = ${schoolId} and id = ${id} and status = 'submitted'`)

/** Stores which files are attached to a submission, by the ids of their rows in their order. */
export const putFiles = async (
  db: Db,
  schoolId: string,
  { id, purpose }: { readonly id: string; readonly purpose: 'work' | 'feedback' },
  fileIds: readonly string[],
): Promise<void> => {
  await db.run(sql`
    delete from submission_files where school_id = ${schoolId} and submission_id = ${id} and purpose = ${purpose}`)
  if (fileIds.length > 0)
    await db.run(sql`
      insert into submission_files (school_id, submission_id, purpose, position, file_id)
      select ${schoolId}, ${id}, ${purpose}, f.position, f.id
      from unnest(${fileIds}::uuid[]) with ordinality as f (id, position)`)
}

/** A decision on a submission. */
export type Decision = Pick<
  SubmissionRow,
  'status' | 'points' | 'max_points' | 'passing_points' | 'accepted' | 'feedback'
> & { readonly graderId: string }

/** The columns of a submission that a decision sets. */
type StoredDecision = Omit<Decision, 'graderId'> &
  Pick<SubmissionRow, 'grader_id' | 'grader_name' | 'decided_at' | 'revision' | 'changed_in' | 'updated_at'>

/** Stores a decision on a submission at a revision; undefined when it is at another one. */
export const storeDecision = (
  db: Db,
  schoolId: string,
  { id, revision }: Pick<SubmissionRow, 'id' | 'revision'>,
  one: Decision,
) =>
  db.first(sql<StoredDecision>`
    with clock as materialized (select stoa.now() as now)
    update submissions s set status = ${one.status}, points = ${one.points}::integer,
      max_points = ${one.max_points}::integer, passing_points = ${one.passing_points}::integer,
      accepted = ${one.accepted}::boolean, feedback = ${one.feedback}, grader_id = ${one.graderId},
      decided_at = (select now from clock), revision = s.revision + 1, updated_at = (select now from clock)
    where s.school_id = ${schoolId} and s.id = ${id} and s.revision = ${revision}
    returning s.status, s.points, s.max_points, s.passing_points, s.accepted, s.feedback, s.grader_id,
      (select g.name from members g where g.school_id = ${schoolId} and g.id = s.grader_id) as grader_name,
      s.decided_at, s.revision, s.changed_in, s.updated_at`)

/** All submissions of a member, the oldest first. */
export const listMemberSubmissions = (db: Db, schoolId: string, memberId: string) =>
  db.all(sql<SubmissionRow>`
    ${wholeIn(schoolId)} where s.school_id = ${schoolId} and s.member_id = ${memberId} order by s.id`)

/** The submissions that refer to some files, by the ids of their rows. */
export const listFileUses = (
  db: Db,
  schoolId: string,
  fileIds: readonly string[],
): Promise<{ readonly file_id: string; readonly submission_id: string }[]> =>
  db.all(sql<{ readonly file_id: string; readonly submission_id: string }>`
    select distinct file_id, submission_id from submission_files
    where school_id = ${schoolId} and file_id = any (${fileIds}::uuid[]) order by 1, 2`)

/**
 * Erases the content of a member's submissions and the feedback. Undecided ones are deleted; of decided ones points and
 * dates stay for the school's statistics. One statement, so that no other implementation of the hook comes between.
 */
export const eraseWork = (db: Db, schoolId: string, memberId: string) =>
  db.run(sql`
    with files as (
      delete from submission_files where school_id = ${schoolId} and submission_id in (
        select id from submissions where school_id = ${schoolId} and member_id = ${memberId})
    ), waiting as (
      delete from submissions where school_id = ${schoolId} and member_id = ${memberId} and status = 'submitted'
    )
    update submissions set text = null, link = null, feedback = null, revision = revision + 1,
      updated_at = (select stoa.now())
    where school_id = ${schoolId} and member_id = ${memberId} and status <> 'submitted'`)

/**
 * Moves one member's submissions to another, numbered after those that the other has for the same lesson. An undecided
 * submission of the other there is returned, since only the last one of a lesson is graded.
 */
export const moveWork = async (db: Db, schoolId: string, fromId: string, intoId: string): Promise<void> => {
  await db.run(sql`
    with clock as materialized (select stoa.now() as now)
    update submissions o set status = 'returned', decided_at = (select now from clock), revision = revision + 1,
      updated_at = (select now from clock)
    where o.school_id = ${schoolId} and o.member_id = ${intoId} and o.status = 'submitted' and exists (
      select from submissions s
      where s.school_id = ${schoolId} and s.member_id = ${fromId} and s.lesson_id = o.lesson_id)`)
  await db.run(sql`
    update submissions s set member_id = ${intoId}, revision = revision + 1, updated_at = (select stoa.now()),
      attempt_number = s.attempt_number + coalesce((
        select max(o.attempt_number) from submissions o
        where o.school_id = ${schoolId} and o.member_id = ${intoId} and o.lesson_id = s.lesson_id), 0)
    where s.school_id = ${schoolId} and s.member_id = ${fromId}`)
}
