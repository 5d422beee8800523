import type { AttemptContent } from '../attempts/lookups.ts'
import type { GivenAnswer } from '../attempts/rules.ts'

/** Whether a question has this answer already. */
export const isSameAnswer = ({ questions }: AttemptContent, given: GivenAnswer): boolean => {
  const answer = questions.find(one => one.answer.question_id === given.question_id)?.answer
  return (
    answer !== undefined &&
    given.text_answer === answer.text_answer &&
    given.number_answer === answer.number_answer &&
    given.chosen.toSorted().join() === answer.chosen.toSorted().join()
  )
}

/** The content of an attempt after some questions were answered. */
export const withAnswers = ({ questions }: AttemptContent, given: readonly GivenAnswer[]): AttemptContent => {
  const byQuestion = new Map(given.map(one => [one.question_id, one]))
  return {
    questions: questions.map(one => ({
      ...one,
      answer: { ...one.answer, ...byQuestion.get(one.answer.question_id) },
    })),
  }
}
