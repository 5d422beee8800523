import type { AttemptContent } from '../attempts/lookups.ts'
import type { NewAnswer } from '../attempts/rules.ts'

/** Whether a question has this answer already. */
export const isSameAnswer = ({ questions }: AttemptContent, input: NewAnswer): boolean => {
  const answer = questions.find(one => one.answer.question_id === input.question_id)?.answer
  return (
    answer !== undefined &&
    input.text_answer === answer.text_answer &&
    input.number_answer === answer.number_answer &&
    input.chosen.toSorted().join() === answer.chosen.toSorted().join()
  )
}

/** The content of an attempt after some questions were answered. */
export const withAnswers = ({ questions }: AttemptContent, answers: readonly NewAnswer[]): AttemptContent => {
  const byQuestion = new Map(answers.map(one => [one.question_id, one]))
  return {
    questions: questions.map(one => ({
      ...one,
      answer: { ...one.answer, ...byQuestion.get(one.answer.question_id) },
    })),
  }
}
