import type { Static } from 'typebox'
import {
  type AnswerContent,
  type AnswerKey,
  isAnswered,
  type QuestionContent,
} from '#src/areas/learning/quizzes/index.ts'
import type { AttemptContent, GradedContent } from './lookups.ts'
import type { AnswerRow, AttemptRow } from './queries.ts'
import { showsGrade } from './rules.ts'
import type { Attempt, AttemptEntry, OwnAttempt, OwnAttemptEntry } from './schema.ts'

/** One's own attempt in a list. */
export const ownAttemptEntry = (row: AttemptRow): Static<typeof OwnAttemptEntry> => ({
  id: row.id,
  course_id: row.course_id,
  lesson_id: row.lesson_id,
  quiz_id: row.quiz_id,
  attempt_number: row.attempt_number,
  status: row.status,
  started_at: row.started_at,
  expires_at: row.expires_at,
  submitted_at: row.submitted_at,
  timed_out_at: row.timed_out_at,
  graded_at: row.graded_at,
  points_possible: row.points_possible,
  points: row.points,
  percentage: row.percentage,
  passing_percentage: row.passing_percentage,
  passed: row.passed,
  revision: row.revision,
  created_at: row.created_at,
  updated_at: row.updated_at,
})

/** An attempt in a list for those who manage the course. */
export const entryView = (row: AttemptRow): Static<typeof AttemptEntry> => ({
  ...ownAttemptEntry(row),
  student: { id: row.member_id, name: row.member_name },
})

const answerView = (answer: AnswerContent) =>
  isAnswered(answer)
    ? {
        choice_ids: [...answer.chosen],
        text: answer.text_answer,
        number: answer.number_answer,
      }
    : null

const questionView = (question: QuestionContent, answer: AnswerRow) => ({
  id: answer.question_id,
  kind: question.kind,
  grading: question.grading,
  prompt: question.prompt,
  points_possible: question.points,
  choices: answer.shown.map(id => ({
    id,
    text: question.choices.find(choice => choice.id === id)?.text ?? '',
  })),
  answer: answerView(answer),
})

const keyView = (key: AnswerKey) => ({
  correct: {
    choice_ids: [...key.correct],
    accepted_answers: [...key.accepted_answers],
    value: key.value,
    tolerance: key.tolerance,
  },
  explanation: key.explanation,
})

const gradeView = ({ points, feedback }: AnswerRow) => (feedback === null ? {} : { points, feedback })

/** One's own attempt with its questions; `keys` are there once the learner may see what is correct. */
export const ownAttemptView = (
  row: AttemptRow,
  { questions, keys }: AttemptContent & { readonly keys?: ReadonlyMap<string, AnswerKey> | undefined },
): Static<typeof OwnAttempt> => ({
  ...ownAttemptEntry(row),
  questions: questions.map(({ question, answer }) => {
    const key = keys?.get(answer.question_id)
    return {
      ...questionView(question, answer),
      ...(row.is_settled && showsGrade(keys !== undefined, question, row) ? gradeView(answer) : {}),
      ...(key === undefined ? {} : keyView(key)),
    }
  }),
})

/** An attempt with its questions and the correct answers, for those who manage the course. */
export const attemptView = (row: AttemptRow, { questions }: GradedContent): Static<typeof Attempt> => ({
  ...entryView(row),
  questions: questions.map(({ question, answer, key }) => ({
    ...questionView(question, answer),
    ...gradeView(answer),
    ...keyView(key),
  })),
})
