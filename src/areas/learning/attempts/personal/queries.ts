import type { AnswerContent, VersionRef } from '#src/areas/learning/quizzes/index.ts'
import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import type { AttemptStatus } from '../attempts/rules.ts'

/** A quiz attempt; its percentage is there once it is graded. */
export type OwnAttempt = {
  readonly id: string
  readonly lesson_id: string
  readonly attempt_number: number
  readonly status: AttemptStatus
  readonly percentage: number | null
  readonly passed: boolean | null
  readonly started_at: Date
  readonly submitted_at: Date | null
}

/** All quiz attempts of a member, in the order in which they started. */
export const listMemberAttempts = (db: Db, schoolId: string, memberId: string) =>
  db.all(sql<OwnAttempt>`
    select a.id, a.lesson_id, a.attempt_number, a.status, a.started_at, a.submitted_at,
      case when a.status = 'graded' then a.percentage::double precision end as percentage,
      case when a.status = 'graded' then a.passed end as passed
    from quiz_attempts a where a.school_id = ${schoolId} and a.member_id = ${memberId} order by a.id`)

/** A question of an attempt with the member's answer, its points and the feedback. */
export type OwnAnswer = AnswerContent &
  VersionRef & {
    readonly attempt_id: string
    /** Null until the answer is graded. */
    readonly points: number | null
    readonly feedback: string | null
  }

/**
 * The questions of all attempts of a member with their answers, in the order of each; nothing that tells what is
 * correct.
 */
export const listMemberAnswers = (db: Db, schoolId: string, memberId: string) =>
  db.all(sql<OwnAnswer>`
    select w.attempt_id, w.question_id, w.version, w.chosen, w.text_answer, w.number_answer,
      k.points::double precision as points, k.feedback
    from quiz_attempts a
      join attempt_answers w on w.school_id = ${schoolId} and w.attempt_id = a.id
      left join attempt_marks k on k.school_id = ${schoolId} and k.attempt_id = a.id and k.question_id = w.question_id
    where a.school_id = ${schoolId} and a.member_id = ${memberId} order by a.id, w.position`)
