import type { Static } from 'typebox'
import type { QuestionRow } from './queries.ts'
import type { QuizQuestion } from './schema.ts'

/** A question with its correct answers, for those who manage the course. */
export const questionView = (row: QuestionRow): Static<typeof QuizQuestion> => ({
  id: row.id,
  kind: row.kind,
  prompt: row.prompt,
  points: row.points,
  grading: row.grading,
  choices: row.choices.map(({ id, text }) => ({ id, text, is_correct: row.correct.includes(id) })),
  accepted_answers: [...row.accepted_answers],
  value: row.value,
  tolerance: row.tolerance,
  explanation: row.explanation,
  position: row.position,
  version: row.version,
  revision: row.revision,
  created_at: row.created_at,
  updated_at: row.updated_at,
})
