import { coursesOfLecturer, coursesTaughtBy } from '#src/areas/courses/index.ts'
import type { Db, Statement } from '#src/contract/db.ts'
import { type Change, settledBehind } from '#src/db/commit-order.ts'
import { keyset } from '#src/db/keyset.ts'
import { sql } from '#src/db/sql.ts'
import { allOf, when } from '#src/db/where.ts'

/** Work that was handed in, as far as a list shows it. */
export type EntryRow = {
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
  readonly revision: number
  readonly changed_in: string
  readonly created_at: Date
  readonly updated_at: Date
}

/** Work that was handed in, whole. */
export type SubmissionRow = EntryRow & {
  readonly text: string | null
  readonly link: string | null
  readonly file_ids: readonly string[]
  readonly feedback: string | null
  readonly feedback_file_ids: readonly string[]
  readonly grader_id: string | null
  readonly grader_name: string | null
  /** Whether nothing was handed in after it. */
  readonly is_latest: boolean
}

const entryColumns = sql`s.id, s.member_id, m.name as member_name, s.course_id, s.lesson_id, s.attempt_number, s.status,
  s.submitted_at, s.due_at, s.late, s.points, s.max_points, s.passing_points, s.accepted, s.decided_at, s.revision,
  s.changed_in, s.created_at, s.updated_at`

const entries = sql`
  select ${entryColumns} from submissions s join members m on m.school_id = s.school_id and m.id = s.member_id`

const filesOf = (schoolId: string, purpose: 'work' | 'feedback'): Statement => sql`array(
  select f.file_id from submission_files f
  where f.school_id = ${schoolId} and f.submission_id = s.id and f.purpose = ${purpose} order by f.position)`

const wholeIn = (schoolId: string): Statement => sql`
  select ${entryColumns}, s.text, s.link, s.feedback, s.grader_id, g.name as grader_name,
    ${filesOf(schoolId, 'work')} as file_ids, ${filesOf(schoolId, 'feedback')} as feedback_file_ids,
    not exists (select from submissions n where n.school_id = ${schoolId} and n.member_id = s.member_id
      and n.lesson_id = s.lesson_id and n.attempt_number > s.attempt_number) as is_latest
  from submissions s join members m on m.school_id = s.school_id and m.id = s.member_id
    left join members g on g.school_id = s.school_id and g.id = s.grader_id`

/** Which work is meant; what is undefined does not matter. */
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
  allOf(
    sql`s.school_id = ${schoolId}`,
    when(filter.taughtBy, id => sql`s.course_id in (${coursesTaughtBy(schoolId, id)})`),
    when(filter.lecturerId, id => sql`s.course_id in (${coursesOfLecturer(schoolId, id)})`),
    when(filter.memberId, id => sql`s.member_id = ${id}::uuid`),
    when(filter.courseId, id => sql`s.course_id = ${id}::uuid`),
    when(filter.lessonId, id => sql`s.lesson_id = ${id}::uuid`),
    when(filter.status, status => sql`s.status = ${status}`),
    when(filter.isDecided, is => (is ? sql`s.status in ('graded', 'returned')` : sql`s.status = 'submitted'`)),
  )

/** The work of a filter, the oldest first or last, behind `after`, at most `rows`; all of it without `rows`. */
export const submissionsStatement = (
  schoolId: string,
  filter: SubmissionFilter,
  { isDescending }: { readonly isDescending: boolean },
  { rows, after }: { readonly rows?: number; readonly after?: readonly string[] | undefined } = {},
): Statement<EntryRow> => {
  const { order, behind } = keyset(sql`s.id`, { isDescending }, after)
  return sql`
    ${entries} where ${allOf(matching(schoolId, filter), behind)}
    order by ${order} ${rows === undefined ? sql`` : sql`limit ${rows}`}`
}

/** The work of a filter in the order of commits, behind a position. */
export const listChangedSubmissions = (
  db: Db,
  schoolId: string,
  filter: SubmissionFilter,
  rows: number,
  after: Change,
): Promise<EntryRow[]> =>
  db.all(sql<EntryRow>`
    select * from (${entries} where ${matching(schoolId, filter)}) as changed
    where ${settledBehind(after)} order by changed_in, id limit ${rows}`)

/** How much work a filter has. */
export const countSubmissions = async (db: Db, schoolId: string, filter: SubmissionFilter): Promise<number> =>
  (
    await db.one(
      sql<{ count: number }>`select count(*)::integer as count from submissions s where ${matching(schoolId, filter)}`,
    )
  ).count

/** Work by the id of its row. */
export const findSubmission = (db: Db, schoolId: string, id: string): Promise<SubmissionRow | undefined> =>
  db.first(sql<SubmissionRow>`
    ${wholeIn(schoolId)} where s.school_id = ${schoolId} and s.id = ${id}::uuid`)

/** Holds work until the transaction ends; what it is, is read after that. */
export const lockSubmission = (db: Db, schoolId: string, id: string): Promise<number> =>
  db.run(sql`select from submissions where school_id = ${schoolId} and id = ${id}::uuid for no key update`)

/** What was handed in last by a member for a lesson, held until the transaction ends. */
export const lockLatest = (
  db: Db,
  schoolId: string,
  { memberId, lessonId }: { readonly memberId: string; readonly lessonId: string },
): Promise<Pick<SubmissionRow, 'status' | 'attempt_number' | 'accepted'> | undefined> =>
  db.first(sql<Pick<SubmissionRow, 'status' | 'attempt_number' | 'accepted'>>`
    select status, attempt_number, accepted from submissions
    where school_id = ${schoolId} and member_id = ${memberId} and lesson_id = ${lessonId}
    order by attempt_number desc limit 1 for no key update`)

/** Work as it is handed in. */
export type HandedIn = Pick<SubmissionRow, 'text' | 'link' | 'due_at' | 'late'>

/** Stores work that is handed in; 0 when the same person does so at this moment elsewhere. */
export const insertSubmission = (
  db: Db,
  schoolId: string,
  one: HandedIn & Pick<SubmissionRow, 'id' | 'member_id' | 'course_id' | 'lesson_id' | 'attempt_number'>,
): Promise<number> =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    insert into submissions (school_id, id, member_id, course_id, lesson_id, attempt_number, status, text, link, submitted_at,
      due_at, late, created_at, updated_at)
    select ${schoolId}, ${one.id}, ${one.member_id}, ${one.course_id}, ${one.lesson_id}, ${one.attempt_number}::integer,
      'submitted', ${one.text}, ${one.link}, now, ${one.due_at}::timestamptz, ${one.late}::boolean, now, now
    from clock
    on conflict do nothing`)

/** Stores changed work that still waits, as handed in now; 0 when it was decided on. */
export const storeWork = (db: Db, schoolId: string, id: string, one: HandedIn): Promise<number> =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    update submissions set text = ${one.text}, link = ${one.link}, due_at = ${one.due_at}::timestamptz,
      late = ${one.late}::boolean, submitted_at = (select now from clock), revision = revision + 1,
      updated_at = (select now from clock)
    where school_id = ${schoolId} and id = ${id} and status = 'submitted'`)

/** Takes work away that still waits; 0 when it was decided on. */
export const deleteSubmission = (db: Db, schoolId: string, id: string): Promise<number> =>
  db.run(sql`delete from submissions where school_id = ${schoolId} and id = ${id} and status = 'submitted'`)

/** Says which files belong to work, by the ids of their rows in their order. */
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

/** What was decided of work. */
export type Decision = Pick<
  SubmissionRow,
  'status' | 'points' | 'max_points' | 'passing_points' | 'accepted' | 'feedback'
> & { readonly graderId: string }

/** Stores what was decided of work that is at a revision; 0 when it is at another one. */
export const storeDecision = (
  db: Db,
  schoolId: string,
  { id, revision }: Pick<SubmissionRow, 'id' | 'revision'>,
  one: Decision,
): Promise<number> =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    update submissions set status = ${one.status}, points = ${one.points}::integer,
      max_points = ${one.max_points}::integer, passing_points = ${one.passing_points}::integer,
      accepted = ${one.accepted}::boolean, feedback = ${one.feedback}, grader_id = ${one.graderId},
      decided_at = (select now from clock), revision = revision + 1, updated_at = (select now from clock)
    where school_id = ${schoolId} and id = ${id} and revision = ${revision}`)

/** Everything that a member handed in, whole, the oldest first. */
export const listAllOf = (db: Db, schoolId: string, memberId: string): Promise<SubmissionRow[]> =>
  db.all(sql<SubmissionRow>`
    ${wholeIn(schoolId)} where s.school_id = ${schoolId} and s.member_id = ${memberId} order by s.id`)

/** Which work refers to some files, by the ids of their rows. */
export const listFileUses = (
  db: Db,
  schoolId: string,
  fileIds: readonly string[],
): Promise<{ readonly file_id: string; readonly submission_id: string }[]> =>
  db.all(sql<{ readonly file_id: string; readonly submission_id: string }>`
    select distinct file_id, submission_id from submission_files
    where school_id = ${schoolId} and file_id = any (${fileIds}::uuid[]) order by 1, 2`)

/**
 * Forgets what a person handed in and was answered. What waits goes; of what was decided the points and dates stay, which
 * the school's figures are made of. One statement, so that no answer of another room to the same question comes between.
 */
export const forgetWork = (db: Db, schoolId: string, memberId: string): Promise<number> =>
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
 * Gives one member's work to another, numbered behind what the other handed in for the same lesson. What the other has
 * waiting there is returned, since only the last of a lesson is graded.
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
