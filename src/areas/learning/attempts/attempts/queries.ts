import type { AnswerContent } from '#src/areas/learning/quizzes/index.ts'
import type { Db, Recorded, Statement } from '#src/contract/db.ts'
import { countList, type List } from '#src/db/list.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'
import type { AttemptStatus, NewAnswer, QuestionSlot } from './rules.ts'

/** An attempt at a quiz, with its student's name. */
export type AttemptRow = Recorded & {
  readonly id: string
  readonly member_id: string
  readonly member_name: string
  readonly course_id: string
  readonly lesson_id: string
  readonly quiz_id: string
  readonly attempt_number: number
  /** By the clock: an attempt past its time limit is timed out, even before that is stored. */
  readonly status: AttemptStatus
  /** Whether its end is stored. */
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
  readonly changed_in: string
}

const isOver = sql`(a.status = 'started' and coalesce(a.expires_at <= (select now from clock), false))`

/** The columns of an attempt `a` in a statement that has `clock`. */
export const attemptColumns = (schoolId: string): Statement => sql`a.id, a.member_id,
  (select m.name from members m where m.school_id = ${schoolId} and m.id = a.member_id) as member_name, a.course_id, a.lesson_id, a.quiz_id, a.attempt_number,
  case when ${isOver} then 'timed_out' else a.status end as status, a.status <> 'started' as is_settled,
  a.passing_percentage::double precision as passing_percentage, a.points_possible,
  a.points::double precision as points, a.percentage::double precision as percentage, a.passed, a.started_at, a.expires_at,
  a.submitted_at, case when ${isOver} then a.expires_at else a.timed_out_at end as timed_out_at, a.graded_at, a.revision,
  a.changed_in, a.created_at, a.updated_at`

const attemptsIn = (schoolId: string): Statement => sql`select ${attemptColumns(schoolId)} from quiz_attempts a`

/** The filter of a list of attempts; undefined fields do not filter. */
export type AttemptFilter = {
  readonly memberId?: string | undefined
  /** Only in these courses: a statement that gives their ids. */
  readonly courses?: Statement | undefined
  readonly courseId?: string | undefined
  readonly lessonId?: string | undefined
  readonly status?: AttemptStatus | undefined
  readonly graded?: boolean | undefined
}

// An attempt past its time limit counts as ended in the statement that reads it.
const ofStatus = (status: AttemptStatus): Statement => {
  if (status === 'started') return sql`a.status = 'started' and not ${isOver}`
  return status === 'timed_out' ? sql`(a.status = 'timed_out' or ${isOver})` : sql`a.status = ${status}`
}

const ofGraded = (isGraded: boolean): Statement =>
  isGraded ? sql`a.status = 'graded'` : sql`(a.status in ('submitted', 'timed_out') or ${isOver})`

const matching = (schoolId: string, filter: AttemptFilter): Statement =>
  joinConditions(
    sql`a.school_id = ${schoolId}`,
    when(filter.memberId, id => sql`a.member_id = ${id}`),
    when(filter.courses, courses => sql`a.course_id in (${courses})`),
    when(filter.courseId, id => sql`a.course_id = ${id}`),
    when(filter.lessonId, id => sql`a.lesson_id = ${id}`),
    when(filter.status, ofStatus),
    when(filter.graded, ofGraded),
  )

/** The attempts of a filter. */
export const attemptList = (schoolId: string, filter: AttemptFilter): List<AttemptRow> => ({
  columns: attemptColumns(schoolId),
  from: sql`quiz_attempts a`,
  where: matching(schoolId, filter),
  id: sql`a.id`,
  changedIn: sql`a.changed_in`,
  hasClock: true,
})

/** How many attempts a filter has. */
export const countAttempts = (db: Db, schoolId: string, filter: AttemptFilter): Promise<number> =>
  countList(db, attemptList(schoolId, filter))

/** An attempt by its id. */
export const findAttempt = (db: Db, schoolId: string, id: string): Promise<AttemptRow | undefined> =>
  db.first(sql<AttemptRow>`
    with clock as materialized (select stoa.now() as now)
    ${attemptsIn(schoolId)} where a.school_id = ${schoolId} and a.id = ${id}::uuid`)

/** Locks an attempt until the transaction ends, and returns its current state. */
export const lockAttempt = (db: Db, schoolId: string, id: string): Promise<AttemptRow | undefined> =>
  // The sub-select is locked before the columns outside are computed, so the clock is read after the wait for the lock.
  db.first(sql<AttemptRow>`
    with clock as materialized (select stoa.now() as now)
    select ${attemptColumns(schoolId)} from (
      select * from quiz_attempts q where q.school_id = ${schoolId} and q.id = ${id}::uuid for no key update
    ) a`)

/** The attempts of a member at a quiz, the first one first. */
export const listAttemptsAt = (
  db: Db,
  schoolId: string,
  { memberId, quizId }: { readonly memberId: string; readonly quizId: string },
) =>
  db.all(sql<AttemptRow>`
    with clock as materialized (select stoa.now() as now)
    ${attemptsIn(schoolId)} where a.school_id = ${schoolId} and a.member_id = ${memberId} and a.quiz_id = ${quizId}
    order by a.attempt_number`)

/** A new attempt. */
type NewAttempt = {
  readonly id: string
  readonly memberId: string
  readonly quiz: { readonly id: string; readonly course_id: string; readonly lesson_id: string } & {
    readonly passing_percentage: number | null
    readonly time_limit_seconds: number | null
  }
  readonly attempt_number: number
  readonly pointsPossible: number
  readonly slots: readonly QuestionSlot[]
}

/**
 * Starts an attempt by the database's clock; of several at the same time one gets the number, the others get undefined.
 */
export const insertAttempt = (db: Db, schoolId: string, attempt: NewAttempt): Promise<AttemptRow | undefined> => {
  const { id, quiz } = attempt
  return db.first(sql<AttemptRow>`
    with clock as materialized (select stoa.now() as now), started as (
      insert into quiz_attempts (school_id, id, member_id, course_id, lesson_id, quiz_id, attempt_number, status,
        passing_percentage, points_possible, started_at, expires_at, created_at, updated_at)
      select ${schoolId}, ${id}, ${attempt.memberId}, ${quiz.course_id}, ${quiz.lesson_id}, ${quiz.id},
        ${attempt.attempt_number}::integer, 'started', ${quiz.passing_percentage}::numeric, ${attempt.pointsPossible}::integer, now,
        now + make_interval(secs => ${quiz.time_limit_seconds}::integer), now, now
      from clock
      on conflict (school_id, quiz_id, member_id, attempt_number) do nothing
      returning *
    ), asked as (
      insert into attempt_answers (school_id, attempt_id, question_id, version, position, shown)
      select ${schoolId}, a.id, s.question_id, s.version, s.position, s.shown
      from started a, jsonb_to_recordset(${JSON.stringify(attempt.slots)}::jsonb)
        as s (question_id uuid, version integer, position integer, shown uuid[])
    )
    select ${attemptColumns(schoolId)} from started a`)
}

/** A question of an attempt with its answer and points. */
export type AnswerRow = QuestionSlot &
  AnswerContent & {
    /** Null until the answer is graded. */
    readonly points: number | null
    /** Null until the attempt has ended. */
    readonly feedback: string | null
  }

/** The questions of an attempt in its order, with answers and grades, without the correct answers. */
export const listAnswers = (db: Db, schoolId: string, attemptId: string) =>
  db.all(sql<AnswerRow>`
    select w.question_id, w.version, w.position, w.shown, w.chosen, w.text_answer, w.number_answer,
      k.points::double precision as points, k.feedback
    from attempt_answers w left join attempt_marks k
      on k.school_id = ${schoolId} and k.attempt_id = w.attempt_id and k.question_id = w.question_id
    where w.school_id = ${schoolId} and w.attempt_id = ${attemptId} order by w.position`)

/** Stores answers of a locked attempt that is still in progress; returns its new state, or undefined. */
export const storeAnswers = (db: Db, schoolId: string, attemptId: string, answers: readonly NewAnswer[]) =>
  db.first(sql<AttemptRow>`
    with clock as materialized (select stoa.now() as now), touched as (
      update quiz_attempts a set revision = a.revision + 1, updated_at = (select now from clock)
      where a.school_id = ${schoolId} and a.id = ${attemptId} and a.status = 'started'
        and coalesce(a.expires_at > (select now from clock), true)
      returning a.*
    ), answered as (
      update attempt_answers w set chosen = g.chosen, text_answer = g.text_answer, number_answer = g.number_answer,
        answered_at = (select now from clock)
      from touched a, jsonb_to_recordset(${JSON.stringify(answers)}::jsonb)
        as g (question_id uuid, chosen uuid[], text_answer text, number_answer text)
      where w.school_id = ${schoolId} and w.attempt_id = a.id and w.question_id = g.question_id
    )
    select ${attemptColumns(schoolId)} from touched a`)
