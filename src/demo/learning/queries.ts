import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** An enrollment of a learner of the demo, and how long ago it began, in minutes. */
export type LearnerEnrollment = {
  readonly id: string
  readonly member_id: string
  readonly course_id: string
  readonly slug: string
  readonly name: string
  readonly email: string
  readonly minutes: number
}

/** The enrollments of the members with some addresses, in the same order in every demo school. */
export const listEnrollments = (db: Db, schoolId: string, emails: readonly string[]) =>
  db.all(sql<LearnerEnrollment>`
    with clock as materialized (select stoa.now() as now)
    select e.id, e.member_id, e.course_id, c.slug, m.name, m.email,
      (extract(epoch from (select now from clock) - e.created_at) / 60)::integer as minutes
    from enrollments e join members m on m.school_id = ${schoolId} and m.id = e.member_id
      join courses c on c.school_id = ${schoolId} and c.id = e.course_id
    where e.school_id = ${schoolId} and m.email = any (${emails}::text[])
    order by e.created_at, m.email, c.slug`)

/** A question of a quiz, its choices and what answers it correctly. */
export type QuestionKey = {
  readonly id: string
  readonly kind: 'single' | 'multiple' | 'text' | 'number'
  readonly choices: string[]
  readonly correct: string[]
  readonly accepted: string[]
  readonly value: string | null
}

/** The questions of the quiz of a lesson in their order. */
export const listQuestionKeys = (db: Db, schoolId: string, lessonId: string) =>
  db.all(sql<QuestionKey>`
    select q.id, v.kind, k.correct, k.accepted_answers as accepted, k.value,
      array(select choice ->> 'id' from jsonb_array_elements(v.choices) as choice) as choices
    from quizzes z join quiz_questions q on q.school_id = ${schoolId} and q.quiz_id = z.id
      join question_versions v on v.school_id = ${schoolId} and v.question_id = q.id and v.version = q.version
      join question_keys k on k.school_id = ${schoolId} and k.question_id = q.id and k.version = q.version
    where z.school_id = ${schoolId} and z.lesson_id = ${lessonId} order by q.position, q.id`)
