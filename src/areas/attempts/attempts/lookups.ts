import {
  type AnswerKey,
  type AskedQuestion,
  findAsked,
  findKeyed,
  findKeys,
  findQuiz,
  type VersionRef,
} from '#src/areas/quizzes/index.ts'
import type { HookPlace } from '#src/contract/hook.ts'
import { type AnswerRow, type AttemptRow, listAnswers } from './queries.ts'
import { showsAnswers } from './rules.ts'

export { countAttempts, listAnswers } from './queries.ts'

/** A question in the version that an attempt asks, with its answer. */
export type AnsweredQuestion = { readonly question: AskedQuestion; readonly answer: AnswerRow }

/** What an attempt asks in its order, with the answers and their marks; nothing that tells what is correct. */
export type AttemptContent = { readonly questions: readonly AnsweredQuestion[] }

/** The same with what is correct; never for a learner who may not see it yet. */
export type GradedContent = { readonly questions: readonly (AnsweredQuestion & { readonly key: AnswerKey })[] }

const versionOf = <Value>(values: ReadonlyMap<string, Value>, { question_id: id }: VersionRef): Value => {
  const value = values.get(id)
  if (value === undefined) throw new Error(`the version of question ${id} that an attempt asks was deleted`)
  return value
}

/** Joins answers with the questions that they answer. */
export const contentOf = (
  answers: readonly AnswerRow[],
  asked: ReadonlyMap<string, AskedQuestion>,
): AttemptContent => ({
  questions: answers.map(answer => ({ question: versionOf(asked, answer), answer })),
})

/** Reads what an attempt asks and what was answered. */
export const readContent = async (
  { db, school }: HookPlace,
  { id }: Pick<AttemptRow, 'id'>,
): Promise<AttemptContent> => {
  const answers = await listAnswers(db, school.id, id)
  return contentOf(answers, await findAsked(db, school.id, answers))
}

/** Reads what an attempt asks, what was answered, and what is correct. */
export const readGradedContent = async (
  { db, school }: HookPlace,
  { id }: Pick<AttemptRow, 'id'>,
): Promise<GradedContent> => {
  const answers = await listAnswers(db, school.id, id)
  const versions = await findKeyed(db, school.id, answers)
  return { questions: answers.map(answer => ({ ...versionOf(versions, answer), answer })) }
}

/** Whether a learner may see now what is correct in an attempt. */
export const mayShowKeys = async ({ db, school }: HookPlace, row: AttemptRow): Promise<boolean> => {
  if (!row.is_settled) return false
  const quiz = await findQuiz(db, school.id, row.quiz_id)
  return showsAnswers(quiz?.show_answers ?? 'never', row)
}

/** What is correct in the questions of an attempt, if its learner may see that now; it is read only then. */
export const readShownKeys = async (
  place: HookPlace,
  row: AttemptRow,
  { questions }: AttemptContent,
): Promise<ReadonlyMap<string, AnswerKey> | undefined> => {
  if (!(await mayShowKeys(place, row))) return undefined
  return findKeys(
    place.db,
    place.school.id,
    questions.map(({ answer }) => answer),
  )
}
