import type { Static } from 'typebox'
import { type AnswerContent, type AnswerKey, type AskedQuestion, isAnswered } from '#src/areas/quizzes/index.ts'
import { toId } from '#src/kit/ids.ts'
import type { AttemptContent, GradedContent } from './lookups.ts'
import type { AnswerRow, AttemptRow } from './queries.ts'
import { showsMark } from './rules.ts'
import type { Attempt, AttemptEntry, OwnAttempt, OwnAttemptEntry } from './schema.ts'

const instant = (at: Date | null): string | null => at?.toISOString() ?? null

/** One's own attempt in a list. */
export const ownAttemptEntry = (row: AttemptRow): Static<typeof OwnAttemptEntry> => ({
  id: toId('qat', row.id),
  course_id: toId('crs', row.course_id),
  lesson_id: toId('les', row.lesson_id),
  quiz_id: toId('quz', row.quiz_id),
  attempt_number: row.attempt_number,
  status: row.status,
  started_at: row.started_at.toISOString(),
  expires_at: instant(row.expires_at),
  submitted_at: instant(row.submitted_at),
  timed_out_at: instant(row.timed_out_at),
  graded_at: instant(row.graded_at),
  points_possible: row.points_possible,
  points: row.points,
  percentage: row.percentage,
  passing_percentage: row.passing_percentage,
  passed: row.passed,
  revision: row.revision,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

/** An attempt in a list for those who manage the course. */
export const entryView = (row: AttemptRow): Static<typeof AttemptEntry> => ({
  ...ownAttemptEntry(row),
  student: { id: toId('mem', row.member_id), name: row.member_name },
})

const answerView = (answer: AnswerContent) =>
  isAnswered(answer)
    ? {
        choice_ids: answer.chosen.map(id => toId('cho', id)),
        text: answer.text_answer,
        number: answer.number_answer,
      }
    : null

const questionView = (question: AskedQuestion, answer: AnswerRow) => ({
  id: toId('qst', answer.question_id),
  kind: question.kind,
  grading: question.grading,
  prompt: question.prompt,
  points_possible: question.points,
  choices: answer.shown.map(id => ({
    id: toId('cho', id),
    text: question.choices.find(choice => choice.id === id)?.text ?? '',
  })),
  answer: answerView(answer),
})

const keyView = (key: AnswerKey) => ({
  correct: {
    choice_ids: key.correct.map(id => toId('cho', id)),
    accepted_answers: [...key.accepted_answers],
    value: key.value,
    tolerance: key.tolerance,
  },
  explanation: key.explanation,
})

const markView = ({ points, feedback }: AnswerRow) => (feedback === null ? {} : { points, feedback })

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
      ...(row.is_settled && showsMark(keys !== undefined, question, row) ? markView(answer) : {}),
      ...(key === undefined ? {} : keyView(key)),
    }
  }),
})

/** An attempt with its questions and the correct answers, for those who manage the course. */
export const attemptView = (row: AttemptRow, { questions }: GradedContent): Static<typeof Attempt> => ({
  ...entryView(row),
  questions: questions.map(({ question, answer, key }) => ({
    ...questionView(question, answer),
    ...markView(answer),
    ...keyView(key),
  })),
})
