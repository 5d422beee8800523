import { computePercentage, computePoints, isPassed, sumOfPoints } from '#src/areas/learning/quizzes/index.ts'
import type { Fact } from '#src/contract/fact.ts'
import { toId } from '#src/kit/ids.ts'
import { texts } from '#src/texts/index.ts'
import type { GradedContent } from '../attempts/lookups.ts'
import type { AttemptRow } from '../attempts/queries.ts'

/** The points of an answer; undefined waits for manual grading. */
export type AnswerGrade = { readonly question_id: string; readonly points: number | undefined }

/** The result of an attempt; without a percentage to reach, nobody passes and nobody fails. */
export type Result = { readonly points: number; readonly percentage: number; readonly passed: boolean | null }

/** The payload of facts about an attempt: ids alone. */
export const aboutAttempt = (attempt: AttemptRow) => ({
  attempt_id: toId('qat', attempt.id),
  quiz_id: toId('quz', attempt.quiz_id),
  lesson_id: toId('les', attempt.lesson_id),
  course_id: toId('crs', attempt.course_id),
  member_id: toId('mem', attempt.member_id),
})

/** The result of an attempt with these points. */
export const computeResult = (
  { points_possible: possible, passing_percentage: passing }: AttemptRow,
  points: readonly number[],
): Result => {
  const sum = sumOfPoints(points)
  const percentage = computePercentage(sum, possible)
  return { points: sum, percentage, passed: passing === null ? null : isPassed(percentage, passing) }
}

/** The points of the answers of an attempt. */
export const listGrades = ({ questions }: GradedContent): AnswerGrade[] =>
  questions.map(({ question, answer, key }) => ({
    question_id: answer.question_id,
    points: computePoints(question, key, answer),
  }))

/** The content of an attempt that ended with these grades. */
export const withAnswerGrades = ({ questions }: GradedContent, grades: readonly AnswerGrade[]): GradedContent => {
  const points = new Map(grades.map(grade => [grade.question_id, grade.points]))
  return {
    questions: questions.map(one => ({
      ...one,
      answer: { ...one.answer, points: points.get(one.answer.question_id) ?? null, feedback: '' },
    })),
  }
}

/** The fact that an attempt was graded: automatically when it ended, or manually, which is mailed to the student. */
export const attemptGraded = (attempt: AttemptRow, grading: 'automatic' | 'manual'): Fact => ({
  type: 'quiz_attempt.graded',
  payload: { ...aboutAttempt(attempt), passed: attempt.passed, grading },
  effects:
    grading === 'manual' ? texts.learning.attempts.closing.rules.attemptGraded.effects.tellsTheStudentByMail : {},
})
