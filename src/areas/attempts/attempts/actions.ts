import type { Static } from 'typebox'
import {
  type AnswerContent,
  type AnswerKey,
  type AskedQuestion,
  findAsked,
  findKeys,
  findQuiz,
  isAnswered,
} from '#src/areas/quizzes/index.ts'
import type { Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { toId } from '#src/kit/ids.ts'
import { type AnswerRow, type AttemptRow, listAnswers, listMarks, type MarkRow } from './queries.ts'
import { showsAnswers, showsMark } from './rules.ts'
import type { Attempt, AttemptEntry, OwnAttempt, OwnAttemptEntry } from './schema.ts'

type Where = { readonly db: Db; readonly school: School }

const instant = (at: Date | null): string | null => (at === null ? null : at.toISOString())

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

/** An attempt in a list for those who run the course. */
export const entryView = (row: AttemptRow): Static<typeof AttemptEntry> => ({
  ...ownAttemptEntry(row),
  student: { id: toId('mem', row.member_id), name: row.member_name },
})

const answerView = (answered: AnswerContent) =>
  isAnswered(answered)
    ? {
        choice_ids: answered.chosen.map(id => toId('cho', id)),
        text: answered.text_answer,
        number: answered.number_answer,
      }
    : null

const askedView = (asked: AskedQuestion, row: AnswerRow) => ({
  id: toId('qst', row.question_id),
  kind: asked.kind,
  grading: asked.grading,
  prompt: asked.prompt,
  points_possible: asked.points,
  choices: row.shown.map(id => ({
    id: toId('cho', id),
    text: asked.choices.find(choice => choice.id === id)?.text ?? '',
  })),
  answer: answerView(row),
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

const markView = (mark: MarkRow | undefined) =>
  mark === undefined ? {} : { points: mark.points, feedback: mark.feedback }

const known = <Thing>(things: ReadonlyMap<string, Thing>, id: string): Thing => {
  const thing = things.get(id)
  if (thing === undefined) throw new Error('a version that was asked is never taken away')
  return thing
}

const readAsked = async ({ db, school }: Where, row: AttemptRow) => {
  const answers = await listAnswers(db, school.id, row.id)
  return { answers, asked: await findAsked(db, school.id, answers) }
}

const readMarks = async ({ db, school }: Where, row: AttemptRow): Promise<ReadonlyMap<string, MarkRow>> =>
  new Map((await listMarks(db, school.id, row.id)).map(mark => [mark.question_id, mark]))

// Read only once it may be seen: what is right, and what each answer was worth.
const readShown = async (where: Where, row: AttemptRow, answers: readonly AnswerRow[]) => {
  const { db, school } = where
  const quiz = await findQuiz(db, school.id, row.quiz_id)
  const isShown = row.is_settled && showsAnswers(quiz?.show_answers ?? 'never', row)
  const keys = isShown ? await findKeys(db, school.id, answers) : new Map<string, AnswerKey>()
  return { isShown, keys, marks: row.is_settled ? await readMarks(where, row) : new Map<string, MarkRow>() }
}

/** One's own attempt with what is asked; what is right is there once it may be seen. */
export const ownView = async (where: Where, row: AttemptRow): Promise<Static<typeof OwnAttempt>> => {
  const { answers, asked } = await readAsked(where, row)
  const { isShown, keys, marks } = await readShown(where, row, answers)
  const questions = answers.map(answer => {
    const question = known(asked, answer.question_id)
    const key = keys.get(answer.question_id)
    return {
      ...askedView(question, answer),
      ...(showsMark(isShown, question, row) ? markView(marks.get(answer.question_id)) : {}),
      ...(key === undefined ? {} : keyView(key)),
    }
  })
  return { ...ownAttemptEntry(row), questions }
}

/** An attempt for those who run the course, with what is right. */
export const attemptView = async (where: Where, row: AttemptRow): Promise<Static<typeof Attempt>> => {
  const { answers, asked } = await readAsked(where, row)
  const [keys, marks] = await Promise.all([
    findKeys(where.db, where.school.id, answers),
    row.is_settled ? readMarks(where, row) : new Map<string, MarkRow>(),
  ])
  const questions = answers.map(answer => ({
    ...askedView(known(asked, answer.question_id), answer),
    ...markView(marks.get(answer.question_id)),
    ...keyView(known(keys, answer.question_id)),
  }))
  return { ...entryView(row), questions }
}
