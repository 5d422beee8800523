import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** An attempt at a quiz with what the person answered in their own words; what it was worth once it is graded. */
export type OwnAttempt = {
  readonly id: string
  readonly lesson_id: string
  readonly number: number
  readonly status: string
  readonly percentage: string | null
  readonly passed: boolean | null
  readonly started_at: Date
  readonly submitted_at: Date | null
  readonly answers: readonly string[]
}

/** Every attempt of a member at a quiz, in the order in which they began. */
export const listAttemptsOf = (db: Db, schoolId: string, memberId: string): Promise<OwnAttempt[]> =>
  db.all(sql<OwnAttempt>`
    select a.id, a.lesson_id, a.number, a.status, a.started_at, a.submitted_at,
      case when a.status = 'graded' then a.percentage end as percentage,
      case when a.status = 'graded' then a.passed end as passed,
      array(select coalesce(w.text_answer, w.number_answer) from attempt_answers w
        where w.school_id = a.school_id and w.attempt_id = a.id and coalesce(w.text_answer, w.number_answer) is not null
        order by w.position) as answers
    from quiz_attempts a where a.school_id = ${schoolId} and a.member_id = ${memberId} order by a.id`)

/** A lesson that a person completed. */
export type OwnCompletion = {
  readonly lesson_id: string
  readonly completed_at: Date
  readonly completed_by: string
  readonly undone_at: Date | null
}

/** Every lesson that a member completed, in the order in which they did. */
export const listCompletionsOf = (db: Db, schoolId: string, memberId: string): Promise<OwnCompletion[]> =>
  db.all(sql<OwnCompletion>`
    select lesson_id, completed_at, completed_by, undone_at from lesson_completions
    where school_id = ${schoolId} and member_id = ${memberId} order by completed_at, id`)

/** How far a person has watched or heard a lesson. */
export type OwnPosition = { readonly lesson_id: string; readonly seconds: number; readonly noted_at: Date }

/** How far a member has watched or heard each lesson. */
export const listPositionsOf = (db: Db, schoolId: string, memberId: string): Promise<OwnPosition[]> =>
  db.all(sql<OwnPosition>`
    select lesson_id, seconds, noted_at from lesson_positions
    where school_id = ${schoolId} and member_id = ${memberId} order by lesson_id`)
