import { exampleFrom } from '#src/contract/example.ts'
import { operation } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidBody, notFound } from '#src/contract/problems.ts'
import { fromId, newUuid, toId } from '#src/kit/ids.ts'
import { changeQuiz, getOwnQuiz, lockOwnQuiz, questionView, storedQuestions } from '../quizzes/actions.ts'
import { quizChanged, quizExample } from '../quizzes/operations.ts'
import type { QuizRow } from '../quizzes/queries.ts'
import {
  notAQuiz,
  planQuestions,
  type QuestionPlan,
  type RequestedQuestion,
  type StoredQuestion,
  tooManyQuestions,
} from '../quizzes/rules.ts'
import { MAX_QUESTIONS, QuizRef } from '../quizzes/schema.ts'
import { listQuestions, type QuestionRow } from './queries.ts'
import { faultsOfQuestion } from './rules.ts'
import { NewQuizQuestion, type QuestionInputValues, QuestionRef, QuizQuestion, QuizQuestionChanges } from './schema.ts'

const example = {
  ...quizExample,
  question_id: exampleFrom('qst', 'getQuiz', { at: 'questions.0.id' }),
}

type Where = Parameters<typeof storedQuestions>[0]
type Context = Parameters<typeof lockOwnQuiz>[0] & {
  readonly now: Date
  readonly params: { readonly lesson_id: string }
  changed(change: { ids: readonly string[]; fields: readonly string[]; revision?: number }): void
  record(fact: ReturnType<typeof quizChanged>): void
}

const nothing = (): Refusal => new Refusal(notFound, 'The quiz has no such question.')

const getQuestion = async ({ db, school }: Where, quizId: string, id: string): Promise<QuestionRow> => {
  const row = (await listQuestions(db, school.id, quizId)).find(one => one.id === id && one.archived_at === null)
  if (row === undefined) throw nothing()
  return row
}

const checkQuestion = (said: QuestionInputValues, before: StoredQuestion | undefined): void => {
  const errors = faultsOfQuestion('', said, before)
  if (errors.length > 0) throw new Refusal(invalidBody, 'The question has values that are not allowed.', { errors })
}

const live = async (where: Where, quiz: QuizRow): Promise<StoredQuestion[]> =>
  (await storedQuestions(where, quiz.id)).filter(({ isArchived }) => !isArchived)

const kept = ({ id }: StoredQuestion): RequestedQuestion => ({ id, said: {} })

const storeAll = async (
  context: Context,
  quiz: QuizRow,
  { plan, about, fields }: { plan: QuestionPlan; about: string; fields: readonly string[] },
): Promise<void> => {
  const { changed, record, params } = context
  await changeQuiz(context, { id: quiz.id, values: quiz, plan })
  const { revision } = await lockOwnQuiz(context, params.lesson_id)
  changed({ ids: [toId('quz', quiz.id), about], fields, revision })
  record(quizChanged(quiz))
}

const createQuizQuestion = operation({
  id: 'createQuizQuestion',
  route: 'POST /lessons/:lesson_id/quiz/questions',
  summary: 'Create a quiz question',
  description: 'Adds a question to a quiz.',
  scope: 'curriculum:write',
  who: 'lecturer_of',
  mode: 'write',
  params: QuizRef,
  body: NewQuizQuestion,
  returns: QuizQuestion,
  status: 201,
  fails: [notAQuiz, tooManyQuestions],
  example: {
    params: quizExample,
    body: { kind: 'text', prompt: 'What is the first dough of a starter called?', accepted_answers: ['levain'] },
  },
  async handle(context) {
    const { params, body, now } = context
    const { position, ...said } = body
    const quiz = await lockOwnQuiz(context, params.lesson_id)
    checkQuestion(said, undefined)
    const before = await live(context, quiz)
    if (before.length >= MAX_QUESTIONS) throw new Refusal(tooManyQuestions, 'The quiz has two hundred questions.')
    const id = newUuid(now.getTime())
    const wanted = before.map(kept).toSpliced(position ?? before.length, 0, { said })
    const plan = planQuestions(before, wanted, () => id)
    await storeAll(context, quiz, { plan, about: toId('qst', id), fields: Object.keys(body) })
    return questionView(await getQuestion(context, quiz.id, id))
  },
})

const getQuizQuestion = operation({
  id: 'getQuizQuestion',
  route: 'GET /lessons/:lesson_id/quiz/questions/:question_id',
  summary: 'Get a quiz question',
  description: 'Returns one question of a quiz with its correct answers.',
  scope: 'curriculum:read',
  who: 'lecturer_of',
  mode: 'read',
  params: QuestionRef,
  returns: QuizQuestion,
  example: { params: example },
  async handle(context) {
    const quiz = await getOwnQuiz(context, context.params.lesson_id)
    return questionView(await getQuestion(context, quiz.id, fromId('qst', context.params.question_id) ?? ''))
  },
})

const updateQuizQuestion = operation({
  id: 'updateQuizQuestion',
  route: 'PATCH /lessons/:lesson_id/quiz/questions/:question_id',
  summary: 'Update a quiz question',
  description:
    'Changes or moves a question of a quiz. Attempts keep the question as it was asked and are graded by the answers that were correct then.',
  scope: 'curriculum:write',
  who: 'lecturer_of',
  mode: 'write',
  ifMatch: 'honoured',
  params: QuestionRef,
  body: QuizQuestionChanges,
  returns: QuizQuestion,
  fails: [notAQuiz],
  example: { params: example, body: { points: 2, explanation: 'Wild yeast, to be exact.' } },
  async handle(context) {
    const { params, body, now, requireMatch } = context
    const { position, ...said } = body
    const quiz = await lockOwnQuiz(context, params.lesson_id)
    const row = await getQuestion(context, quiz.id, fromId('qst', params.question_id) ?? '')
    await requireMatch(row.revision, () => questionView(row))
    const before = await live(context, quiz)
    checkQuestion(
      said,
      before.find(({ id }) => id === row.id),
    )
    const others = before.filter(({ id }) => id !== row.id).map(kept)
    const wanted = others.toSpliced(position ?? row.position, 0, { id: row.id, said })
    const plan = planQuestions(before, wanted, () => newUuid(now.getTime()))
    if (plan.isSame) return questionView(row)
    await storeAll(context, quiz, { plan, about: params.question_id, fields: Object.keys(body) })
    return questionView(await getQuestion(context, quiz.id, row.id))
  },
})

const deleteQuizQuestion = operation({
  id: 'deleteQuizQuestion',
  route: 'DELETE /lessons/:lesson_id/quiz/questions/:question_id',
  summary: 'Delete a quiz question',
  description:
    'Removes a question from a quiz. Attempts that contain it keep it, and it can be restored by naming it when the quiz is replaced.',
  scope: 'curriculum:write',
  who: 'lecturer_of',
  mode: 'write',
  ifMatch: 'honoured',
  params: QuestionRef,
  returns: undefined,
  fails: [notAQuiz],
  example: { params: example },
  async handle(context) {
    const { params, now, requireMatch } = context
    const quiz = await lockOwnQuiz(context, params.lesson_id)
    const row = await getQuestion(context, quiz.id, fromId('qst', params.question_id) ?? '')
    await requireMatch(row.revision, () => questionView(row))
    const before = await live(context, quiz)
    const wanted = before.filter(({ id }) => id !== row.id).map(kept)
    const plan = planQuestions(before, wanted, () => newUuid(now.getTime()))
    await storeAll(context, quiz, { plan, about: params.question_id, fields: [] })
  },
})

/** The operations of single questions, in the order of the documentation. */
export const questionOperations = [createQuizQuestion, getQuizQuestion, updateQuizQuestion, deleteQuizQuestion]
