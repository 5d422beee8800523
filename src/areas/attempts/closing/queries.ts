import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** The kind of work that ends an attempt whose time is up. */
export const ATTEMPT_JOB = 'quiz_attempt'

/** What an answer was worth; undefined waits for somebody to read it. */
export type Mark = { readonly question_id: string; readonly points: number | undefined }

/** What came of an attempt; without anything to be reached nobody passes and nobody fails. */
export type Result = { readonly points: number; readonly percentage: number; readonly passed: boolean | null }

/** An attempt that has just ended. */
export type Ended = { readonly isLate: boolean; readonly at: Date; readonly revision: number }

/**
 * Ends an attempt that is held and under way, once: handed in, or by the clock if its time is up by the database's. With
 * `onlyLate` nothing else ends it. Without a result it waits for somebody to read it.
 */
export const endAttempt = (
  db: Db,
  schoolId: string,
  id: string,
  { result, onlyLate }: { readonly result: Result | undefined; readonly onlyLate: boolean },
): Promise<Ended | undefined> =>
  db.first(sql<Ended>`
    with clock as materialized (select stoa.now() as now)
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
    returning a.timed_out_at is not null as "isLate", now as at, a.revision`)

/** Stores what the answers of an attempt were worth. */
export const insertMarks = (db: Db, schoolId: string, attemptId: string, marks: readonly Mark[]): Promise<number> =>
  db.run(sql`
    insert into attempt_marks (school_id, attempt_id, question_id, points)
    select ${schoolId}, ${attemptId}, p.question_id, p.points
    from jsonb_to_recordset(${JSON.stringify(marks)}::jsonb) as p (question_id uuid, points numeric)`)

/** Stores what somebody gave to answers of an attempt. */
export const storeMarks = (
  db: Db,
  schoolId: string,
  attemptId: string,
  graderId: string,
  marks: readonly { readonly question_id: string; readonly points: number; readonly feedback: string }[],
): Promise<number> =>
  db.run(sql`
    update attempt_marks a set points = p.points, feedback = p.feedback, graded_by = ${graderId}
    from jsonb_to_recordset(${JSON.stringify(marks)}::jsonb) as p (question_id uuid, points numeric, feedback text)
    where a.school_id = ${schoolId} and a.attempt_id = ${attemptId} and a.question_id = p.question_id`)

/** Stores what came of an attempt that somebody read; it is held. */
export const storeResult = (db: Db, schoolId: string, id: string, result: Result): Promise<number> =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    update quiz_attempts set status = 'graded', graded_at = (select now from clock), points = ${result.points}::numeric,
      percentage = ${result.percentage}::numeric, passed = ${result.passed}::boolean, revision = revision + 1,
      updated_at = (select now from clock)
    where school_id = ${schoolId} and id = ${id} and status in ('submitted', 'timed_out', 'graded')`)

/** The instant of the database's clock. */
export const clockNow = async (db: Db): Promise<Date> =>
  (await db.one(sql<{ now: Date }>`select stoa.now() as now`)).now

/** Takes what a member wrote and what was said of it from their attempts, and ends those under way. */
export const forgetAttempts = async (db: Db, schoolId: string, memberId: string): Promise<void> => {
  const theirs = sql`select a.id from quiz_attempts a where a.school_id = ${schoolId} and a.member_id = ${memberId}`
  const open = sql`${theirs} and a.status = 'started'`
  // Held first, so that none ends while it is forgotten.
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

/** Gives one member's attempts to another, numbered behind those that they have. */
export const moveAttempts = async (db: Db, schoolId: string, fromId: string, intoId: string): Promise<void> => {
  await db.run(sql`
    update quiz_attempts a set member_id = ${intoId}, revision = a.revision + 1, updated_at = (select stoa.now()),
      attempt_number = a.attempt_number + coalesce((
        select max(o.attempt_number) from quiz_attempts o
        where o.school_id = ${schoolId} and o.member_id = ${intoId} and o.quiz_id = a.quiz_id), 0)
    where a.school_id = ${schoolId} and a.member_id = ${fromId}`)
}
