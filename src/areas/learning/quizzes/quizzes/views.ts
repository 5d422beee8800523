import type { Static } from 'typebox'
import type { QuestionRow } from '../questions/queries.ts'
import { questionView } from '../questions/views.ts'
import type { QuizRow } from './queries.ts'
import type { Quiz } from './schema.ts'

/** A quiz for learners: without its questions. */
export const quizView = (
  row: QuizRow,
  questions: readonly { readonly points: number }[],
): Omit<Static<typeof Quiz>, 'questions'> => ({
  id: row.id,
  course_id: row.course_id,
  lesson_id: row.lesson_id,
  passing_percentage: row.passing_percentage,
  max_attempts: row.max_attempts,
  shuffle_questions: row.shuffle_questions,
  shuffle_choices: row.shuffle_choices,
  time_limit_seconds: row.time_limit_seconds,
  show_answers: row.show_answers,
  question_count: questions.length,
  points_possible: questions.reduce((sum, { points }) => sum + points, 0),
  revision: row.revision,
  created_at: row.created_at,
  updated_at: row.updated_at,
})

/** A quiz with its questions and their correct answers, for those who manage the course. */
export const keyedView = (row: QuizRow, questions: readonly QuestionRow[]): Static<typeof Quiz> => {
  const active = questions.filter(one => one.archived_at === null)
  return { ...quizView(row, active), questions: active.map(questionView) }
}
