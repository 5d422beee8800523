import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import { type AttemptRow, attemptColumns } from '../attempts/queries.ts'
import type { AnswerGrade, Result } from './rules.ts'

/** The kind of job that ends an attempt whose time is up. */
export const ATTEMPT_JOB = 'quiz_attempt'

/**
 * Ends a locked attempt in progress, once: submitted, or timed out if its time is up by the database's clock. With
 * `onlyLate` only the time limit ends it. Without a result it waits for manual grading. Returns its new state, or
 * undefined if it did not end.
 */
export const endAttempt = (
  db: Db,
  schoolId: string,
  id: string,
  {
    result,
    grades,
    onlyLate,
  }: { readonly result: Result | undefined; readonly grades: readonly AnswerGrade[]; readonly onlyLate: boolean },
) =>
  db.first(sql<AttemptRow>`
    with clock as materialized (select stoa.now() as now), ended as (
      update quiz_attempts a set
        status = case when ${result !== undefined} then 'graded' when a.expires_at <= now then 'timed_out' else 'submitted' end,
        submitted_at = case when coalesce(a.expires_at <= now, false) then null else now end,
        timed_out_at = case when a.expires_at <= now then a.expires_at end,
        graded_at = case when ${result !== undefined} then now end,
        points = ${result?.points}::numeric, percentage = ${result?.percentage}::numeric, passed = ${result?.passed}::boolean,
        revision = a.revision + 1, updated_at = now
      from clock
      where a.school_id = ${schoolId} and a.id = ${id} and a.status = 'started'
        and (not ${onlyLate}::boolean or a.expires_at <= now)
      returning a.*
    ), marked as (
      insert into attempt_marks (school_id, attempt_id, question_id, points)
      select ${schoolId}, a.id, p.question_id, p.points
      from ended a, jsonb_to_recordset(${JSON.stringify(grades)}::jsonb) as p (question_id uuid, points numeric)
    )
    select ${attemptColumns(schoolId)} from ended a`)

/** The instant of the database's clock. */
export const clockNow = async (db: Db): Promise<Date> =>
  (await db.one(sql<{ now: Date }>`select stoa.now() as now`)).now

/** Erases a member's answers and the feedback on them, and deletes their attempts in progress. */
export const eraseAttempts = async (db: Db, schoolId: string, memberId: string): Promise<void> => {
  const theirs = sql`select a.id from quiz_attempts a where a.school_id = ${schoolId} and a.member_id = ${memberId}`
  const open = sql`${theirs} and a.status = 'started'`
  // Locked first, so that no attempt ends meanwhile.
  await db.all(sql`${theirs} order by a.id for update`)
  await db.run(sql`
    delete from jobs where school_id = ${schoolId} and kind = ${ATTEMPT_JOB} and id in (${open})`)
  await db.run(sql`delete from attempt_answers where school_id = ${schoolId} and attempt_id in (${open})`)
  await db.run(sql`delete from quiz_attempts where school_id = ${schoolId} and id in (${open})`)
  await db.run(sql`
    update attempt_answers set chosen = '{}', text_answer = null, number_answer = null
    where school_id = ${schoolId} and attempt_id in (${theirs})`)
  await db.run(sql`
    update attempt_marks set feedback = '' where school_id = ${schoolId} and attempt_id in (${theirs})`)
}

/** Moves one member's attempts to another member, numbered after those that they have. */
export const moveAttempts = async (db: Db, schoolId: string, fromId: string, intoId: string): Promise<void> => {
  await db.run(sql`
    update quiz_attempts a set member_id = ${intoId}, revision = a.revision + 1, updated_at = (select stoa.now()),
      attempt_number = a.attempt_number + coalesce((
        select max(o.attempt_number) from quiz_attempts o
        where o.school_id = ${schoolId} and o.member_id = ${intoId} and o.quiz_id = a.quiz_id), 0)
    where a.school_id = ${schoolId} and a.member_id = ${fromId}`)
}
