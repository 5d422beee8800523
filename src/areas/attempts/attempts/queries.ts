import type { AnswerContent } from '#src/areas/quizzes/index.ts'
import type { Db, Statement } from '#src/contract/db.ts'
import { type Change, settledBehind } from '#src/db/commit-order.ts'
import { keyset } from '#src/db/keyset.ts'
import { sql } from '#src/db/sql.ts'
import { allOf, when } from '#src/db/where.ts'
import type { AttemptStatus, GivenAnswer, Seat } from './rules.ts'

/** An attempt at a quiz, with its student's name. */
export type AttemptRow = {
  readonly id: string
  readonly member_id: string
  readonly member_name: string
  readonly course_id: string
  readonly lesson_id: string
  readonly quiz_id: string
  readonly attempt_number: number
  /** By the clock: one whose time is up is timed out, whether or not that was written yet. */
  readonly status: AttemptStatus
  /** Whether what came of it is written. */
  readonly is_settled: boolean
  readonly passing_percentage: number | null
  readonly points_possible: number
  readonly points: number | null
  readonly percentage: number | null
  readonly passed: boolean | null
  readonly started_at: Date
  readonly expires_at: Date | null
  readonly submitted_at: Date | null
  readonly timed_out_at: Date | null
  readonly graded_at: Date | null
  readonly revision: number
  readonly changed_in: string
  readonly created_at: Date
  readonly updated_at: Date
}

const isOver = sql`(a.status = 'started' and coalesce(a.expires_at <= (select now from clock), false))`

const columnsIn = (schoolId: string): Statement => sql`a.id, a.member_id,
  (select m.name from members m where m.school_id = ${schoolId} and m.id = a.member_id) as member_name, a.course_id, a.lesson_id, a.quiz_id, a.attempt_number,
  case when ${isOver} then 'timed_out' else a.status end as status, a.status <> 'started' as is_settled,
  a.passing_percentage::double precision as passing_percentage, a.points_possible,
  a.points::double precision as points, a.percentage::double precision as percentage, a.passed, a.started_at, a.expires_at,
  a.submitted_at, case when ${isOver} then a.expires_at else a.timed_out_at end as timed_out_at, a.graded_at, a.revision,
  a.changed_in, a.created_at, a.updated_at`

const attemptsIn = (schoolId: string): Statement => sql`select ${columnsIn(schoolId)} from quiz_attempts a`

/** Which attempts are meant; what is undefined does not matter. */
export type AttemptFilter = {
  readonly memberId?: string | undefined
  /** Only in these courses: a statement that gives their ids. */
  readonly courses?: Statement | undefined
  readonly courseId?: string | undefined
  readonly lessonId?: string | undefined
  readonly status?: AttemptStatus | undefined
  readonly graded?: boolean | undefined
}

// What the clock ended counts as ended in the very statement that reads it.
const ofStatus = (status: AttemptStatus): Statement => {
  if (status === 'started') return sql`a.status = 'started' and not ${isOver}`
  return status === 'timed_out' ? sql`(a.status = 'timed_out' or ${isOver})` : sql`a.status = ${status}`
}

const ofGraded = (isGraded: boolean): Statement =>
  isGraded ? sql`a.status = 'graded'` : sql`(a.status in ('submitted', 'timed_out') or ${isOver})`

const matching = (schoolId: string, filter: AttemptFilter): Statement =>
  allOf(
    sql`a.school_id = ${schoolId}`,
    when(filter.memberId, id => sql`a.member_id = ${id}`),
    when(filter.courses, courses => sql`a.course_id in (${courses})`),
    when(filter.courseId, id => sql`a.course_id = ${id}`),
    when(filter.lessonId, id => sql`a.lesson_id = ${id}`),
    when(filter.status, ofStatus),
    when(filter.graded, ofGraded),
  )

/** The attempts of a filter by when they began, behind `after`, at most `rows`; all of them without `rows`. */
export const attemptsStatement = (
  schoolId: string,
  filter: AttemptFilter,
  isDescending: boolean,
  { rows, after }: { readonly rows?: number; readonly after?: readonly string[] | undefined } = {},
): Statement<AttemptRow> => {
  const { order, behind } = keyset(sql`a.id`, { isDescending }, after)
  return sql`
    with clock as materialized (select stoa.now() as now)
    ${attemptsIn(schoolId)} where ${allOf(matching(schoolId, filter), behind)}
    order by ${order} ${rows === undefined ? sql`` : sql`limit ${rows}`}`
}

/** The attempts of a filter in the order of commits, behind a position. */
export const listChangedAttempts = (
  db: Db,
  schoolId: string,
  filter: AttemptFilter,
  rows: number,
  after: Change,
): Promise<AttemptRow[]> =>
  db.all(sql<AttemptRow>`
    with clock as materialized (select stoa.now() as now)
    ${attemptsIn(schoolId)} where ${allOf(matching(schoolId, filter), settledBehind(after))}
    order by a.changed_in, a.id limit ${rows}`)

/** How many attempts a filter has. */
export const countAttempts = async (db: Db, schoolId: string, filter: AttemptFilter): Promise<number> =>
  (
    await db.one(
      sql<{
        count: number
      }>`
    with clock as materialized (select stoa.now() as now)
    select count(*)::integer as count from quiz_attempts a where ${matching(schoolId, filter)}`,
    )
  ).count

/** An attempt by its id. */
export const findAttempt = (db: Db, schoolId: string, id: string): Promise<AttemptRow | undefined> =>
  db.first(sql<AttemptRow>`
    with clock as materialized (select stoa.now() as now)
    ${attemptsIn(schoolId)} where a.school_id = ${schoolId} and a.id = ${id}::uuid`)

/** Holds an attempt until the transaction ends; what it is is read after that, for the clock went on meanwhile. */
export const lockAttempt = (db: Db, schoolId: string, id: string): Promise<unknown> =>
  db.first(sql`select id from quiz_attempts where school_id = ${schoolId} and id = ${id}::uuid for no key update`)

/** The attempts of a member at a quiz, the first one first. */
export const listAttemptsAt = (
  db: Db,
  schoolId: string,
  { memberId, quizId }: { readonly memberId: string; readonly quizId: string },
): Promise<AttemptRow[]> =>
  db.all(sql<AttemptRow>`
    with clock as materialized (select stoa.now() as now)
    ${attemptsIn(schoolId)} where a.school_id = ${schoolId} and a.member_id = ${memberId} and a.quiz_id = ${quizId}
    order by a.attempt_number`)

/** A new attempt. */
export type NewAttempt = {
  readonly id: string
  readonly memberId: string
  readonly quiz: { readonly id: string; readonly course_id: string; readonly lesson_id: string } & {
    readonly passing_percentage: number | null
    readonly time_limit_seconds: number | null
  }
  readonly attempt_number: number
  readonly pointsPossible: number
  readonly seats: readonly Seat[]
}

/**
 * Begins an attempt by the database's clock; gives when it ends, if it does by itself. Of those who begin at once one
 * takes the number, and the others get nothing.
 */
export const insertAttempt = async (
  db: Db,
  schoolId: string,
  attempt: NewAttempt,
): Promise<{ readonly expires_at: Date | null } | undefined> => {
  const { id, quiz } = attempt
  const row = await db.first(sql<{ expires_at: Date | null }>`
    with clock as materialized (select stoa.now() as now)
    insert into quiz_attempts (school_id, id, member_id, course_id, lesson_id, quiz_id, attempt_number, status,
      passing_percentage, points_possible, started_at, expires_at, created_at, updated_at)
    select ${schoolId}, ${id}, ${attempt.memberId}, ${quiz.course_id}, ${quiz.lesson_id}, ${quiz.id},
      ${attempt.attempt_number}::integer, 'started', ${quiz.passing_percentage}::numeric, ${attempt.pointsPossible}::integer, now,
      now + make_interval(secs => ${quiz.time_limit_seconds}::integer), now, now
    from clock
    on conflict (school_id, quiz_id, member_id, attempt_number) do nothing
    returning expires_at`)
  if (row === undefined) return undefined
  await db.run(sql`
    insert into attempt_answers (school_id, attempt_id, question_id, version, position, shown)
    select ${schoolId}, ${id}, s.question_id, s.version, s.position, s.shown
    from jsonb_to_recordset(${JSON.stringify(attempt.seats)}::jsonb)
      as s (question_id uuid, version integer, position integer, shown uuid[])`)
  return row
}

/** What an attempt asked, with what was answered. */
export type AnswerRow = Seat & AnswerContent

/** What an attempt asks, in its order, with what was answered; nothing of what is right. */
export const listAnswers = (db: Db, schoolId: string, attemptId: string): Promise<AnswerRow[]> =>
  db.all(sql<AnswerRow>`
    select question_id, version, position, shown, chosen, text_answer, number_answer from attempt_answers
    where school_id = ${schoolId} and attempt_id = ${attemptId} order by position`)

/** Stores answers of an attempt that is held, if it is still under way; gives how many attempts that were: 0 or 1. */
export const storeAnswers = async (
  db: Db,
  schoolId: string,
  attemptId: string,
  answers: readonly GivenAnswer[],
): Promise<number> => {
  const touched = await db.run(sql`
    with clock as materialized (select stoa.now() as now)
    update quiz_attempts set revision = revision + 1, updated_at = (select now from clock)
    where school_id = ${schoolId} and id = ${attemptId} and status = 'started'
      and coalesce(expires_at > (select now from clock), true)`)
  if (touched === 0) return 0
  await db.run(sql`
    update attempt_answers a set chosen = g.chosen, text_answer = g.text_answer, number_answer = g.number_answer,
      answered_at = (select stoa.now())
    from jsonb_to_recordset(${JSON.stringify(answers)}::jsonb)
      as g (question_id uuid, chosen uuid[], text_answer text, number_answer text)
    where a.school_id = ${schoolId} and a.attempt_id = ${attemptId} and a.question_id = g.question_id`)
  return touched
}

/** What an answer of an attempt that is over was worth. */
export type MarkRow = {
  readonly question_id: string
  /** Null waits for somebody to read the answer. */
  readonly points: number | null
  readonly feedback: string
}

/** The marks of an attempt that is over. */
export const listMarks = (db: Db, schoolId: string, attemptId: string): Promise<MarkRow[]> =>
  db.all(sql<MarkRow>`
    select question_id, points::double precision as points, feedback from attempt_marks
    where school_id = ${schoolId} and attempt_id = ${attemptId}`)
