import { isAnswered } from '#src/areas/quizzes/index.ts'
import type { GradedContent } from '../attempts/lookups.ts'
import type { GivenMark } from '../attempts/rules.ts'

/** The questions that a lecturer has to grade, with their points. */
export const manualPoints = ({ questions }: GradedContent): ReadonlyMap<string, number> =>
  new Map(
    questions.flatMap(({ question, answer }) =>
      question.grading === 'manual' && isAnswered(answer) ? [[answer.question_id, question.points] as const] : [],
    ),
  )

/** Whether the answers have these marks already. */
export const hasMarks = ({ questions }: GradedContent, given: readonly GivenMark[]): boolean => {
  const stored = new Map(questions.map(({ answer }) => [answer.question_id, answer]))
  return given.every(({ question_id: id, points, feedback }) => {
    const answer = stored.get(id)
    return answer?.points === points && answer.feedback === feedback
  })
}

/** The content of an attempt after its answers were given marks. */
export const withMarks = ({ questions }: GradedContent, given: readonly GivenMark[]): GradedContent => ({
  questions: questions.map(one => {
    const mark = given.find(({ question_id: id }) => id === one.answer.question_id)
    if (mark === undefined) return one
    return { ...one, answer: { ...one.answer, points: mark.points, feedback: mark.feedback } }
  }),
})
