import { isAnswered } from '#src/areas/learning/quizzes/index.ts'
import type { GradedContent } from '../attempts/lookups.ts'
import type { ManualGrade } from '../attempts/rules.ts'

/** The questions that a lecturer has to grade, with their points. */
export const manualPoints = ({ questions }: GradedContent): ReadonlyMap<string, number> =>
  new Map(
    questions.flatMap(({ question, answer }) =>
      question.grading === 'manual' && isAnswered(answer) ? [[answer.question_id, question.points] as const] : [],
    ),
  )

/** Whether the answers already have these grades. */
export const hasGrades = ({ questions }: GradedContent, grades: readonly ManualGrade[]): boolean => {
  const stored = new Map(questions.map(({ answer }) => [answer.question_id, answer]))
  return grades.every(({ question_id: id, points, feedback }) => {
    const answer = stored.get(id)
    return answer?.points === points && answer.feedback === feedback
  })
}

/** The content of an attempt after manual grading. */
export const withManualGrades = ({ questions }: GradedContent, grades: readonly ManualGrade[]): GradedContent => ({
  questions: questions.map(one => {
    const grade = grades.find(({ question_id: id }) => id === one.answer.question_id)
    if (grade === undefined) return one
    return { ...one, answer: { ...one.answer, points: grade.points, feedback: grade.feedback } }
  }),
})
