import {
  type AnswerKey,
  findKeyed,
  findKeys,
  findQuestionContents,
  findQuiz,
  type QuestionContent,
  type VersionRef,
} from '#src/areas/learning/quizzes/index.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import { type AnswerRow, type AttemptRow, listAnswers } from './queries.ts'
import { showsAnswers } from './rules.ts'

/** A question in the version that an attempt asks, with its answer. */
type AnsweredQuestion = { readonly question: QuestionContent; readonly answer: AnswerRow }

/** The questions of an attempt in its order, with answers and grades, without the correct answers. */
export type AttemptContent = { readonly questions: readonly AnsweredQuestion[] }

/** The same with the correct answers; never for a learner who may not see them yet. */
export type GradedContent = { readonly questions: readonly (AnsweredQuestion & { readonly key: AnswerKey })[] }

const getVersion = <Value>(values: ReadonlyMap<string, Value>, { question_id: id }: VersionRef): Value => {
  const value = values.get(id)
  if (value === undefined) throw new Error(`the version of question ${id} that an attempt asks was deleted`)
  return value
}

/** Joins answers with the questions that they answer. */
export const buildContent = (
  answers: readonly AnswerRow[],
  questions: ReadonlyMap<string, QuestionContent>,
): AttemptContent => ({
  questions: answers.map(answer => ({ question: getVersion(questions, answer), answer })),
})

/** Reads the questions and answers of an attempt. */
export const readContent = async (
  { db, school }: SchoolContext,
  { id }: Pick<AttemptRow, 'id'>,
): Promise<AttemptContent> => {
  const answers = await listAnswers(db, school.id, id)
  return buildContent(answers, await findQuestionContents(db, school.id, answers))
}

/** Reads the questions, answers and correct answers of an attempt. */
export const readGradedContent = async (
  { db, school }: SchoolContext,
  { id }: Pick<AttemptRow, 'id'>,
): Promise<GradedContent> => {
  const answers = await listAnswers(db, school.id, id)
  const versions = await findKeyed(db, school.id, answers)
  return { questions: answers.map(answer => ({ ...getVersion(versions, answer), answer })) }
}

/** Whether a learner may now see the correct answers of an attempt. */
const mayShowKeys = async ({ db, school }: SchoolContext, row: AttemptRow): Promise<boolean> => {
  if (!row.is_settled) return false
  const quiz = await findQuiz(db, school.id, row.quiz_id)
  return showsAnswers(quiz?.show_answers ?? 'never', row)
}

/** The correct answers of an attempt, read only if its learner may see them now. */
export const readVisibleKeys = async (
  context: SchoolContext,
  row: AttemptRow,
  { questions }: AttemptContent,
): Promise<ReadonlyMap<string, AnswerKey> | undefined> => {
  if (!(await mayShowKeys(context, row))) return undefined
  return findKeys(
    context.db,
    context.school.id,
    questions.map(({ answer }) => answer),
  )
}
