import { exampleFrom } from '#src/contract/example.ts'
import { declareFor, type WriteContext } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound, refuseInvalid } from '#src/contract/problems.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { getOwnQuiz, lockOwnQuiz } from '../quizzes/access.ts'
import { quizChanged, quizExample } from '../quizzes/operations.ts'
import type { QuizRow } from '../quizzes/queries.ts'
import {
  notAQuiz,
  planQuestions,
  type QuestionPlan,
  type RequestedQuestion,
  storedQuestion,
  tooManyQuestions,
} from '../quizzes/rules.ts'
import { MAX_QUESTIONS, QuizRef } from '../quizzes/schema.ts'
import { changeQuiz } from '../quizzes/writes.ts'
import { listQuestions, type QuestionRow } from './queries.ts'
import { errorsOfQuestion } from './rules.ts'
import { NewQuizQuestion, type QuestionInputValues, QuestionRef, QuizQuestion, QuizQuestionChanges } from './schema.ts'
import { questionView } from './views.ts'

const example = {
  ...quizExample,
  question_id: exampleFrom('qst', 'getQuiz', { at: 'questions.0.id' }),
}

const checkQuestion = (input: QuestionInputValues, before: QuestionRow | undefined): void =>
  refuseInvalid(errorsOfQuestion('', input, before), 'The question has values that are not allowed.')

const activeQuestions = async ({ db, school }: Pick<WriteContext, 'db' | 'school'>, quiz: QuizRow) =>
  (await listQuestions(db, school.id, quiz.id)).filter(one => one.archived_at === null)

const questionIn = (questions: readonly QuestionRow[], id: string | undefined): QuestionRow => {
  const question = questions.find(one => one.id === id)
  if (question === undefined) throw new Refusal(notFound, 'The quiz has no such question.')
  return question
}

const unchanged = ({ id }: QuestionRow): RequestedQuestion => ({ id, input: {} })

const storeQuestions = async (
  context: WriteContext,
  quiz: QuizRow,
  { plan, questionId, fields }: { plan: QuestionPlan; questionId: string; fields: readonly string[] },
): Promise<void> => {
  const { revision } = await changeQuiz(context, { id: quiz.id, values: quiz, plan })
  context.changed({ ids: [toId('quz', quiz.id), toId('qst', questionId)], fields, revision })
  context.record(quizChanged(quiz))
}

const createQuizQuestion = declareFor('lecturer_of', 'curriculum', {
  id: 'createQuizQuestion',
  route: 'POST /lessons/:lesson_id/quiz/questions',
  summary: 'Create a quiz question',
  description: 'Adds a question to a quiz.',
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
    const { position, ...input } = body
    const quiz = await lockOwnQuiz(context, params.lesson_id)
    checkQuestion(input, undefined)
    const before = await activeQuestions(context, quiz)
    if (before.length >= MAX_QUESTIONS) throw new Refusal(tooManyQuestions, `There are ${MAX_QUESTIONS} questions.`)
    const id = newUuid(now.getTime())
    const requested = before.map(unchanged).toSpliced(position ?? before.length, 0, { input })
    const plan = planQuestions(before.map(storedQuestion), requested, () => id)
    await storeQuestions(context, quiz, { plan, questionId: id, fields: Object.keys(body) })
    return questionView(questionIn(await activeQuestions(context, quiz), id))
  },
})

const getQuizQuestion = declareFor('lecturer_of', 'curriculum', {
  id: 'getQuizQuestion',
  route: 'GET /lessons/:lesson_id/quiz/questions/:question_id',
  summary: 'Get a quiz question',
  description: 'Returns one question of a quiz with its correct answers.',
  params: QuestionRef,
  returns: QuizQuestion,
  example: { params: example },
  async handle(context) {
    const quiz = await getOwnQuiz(context, context.params.lesson_id)
    return questionView(questionIn(await activeQuestions(context, quiz), context.params.question_id))
  },
})

const updateQuizQuestion = declareFor('lecturer_of', 'curriculum', {
  id: 'updateQuizQuestion',
  route: 'PATCH /lessons/:lesson_id/quiz/questions/:question_id',
  summary: 'Update a quiz question',
  description:
    'Changes or moves a question of a quiz. Attempts keep the question as it was asked and are graded by the answers that were correct then.',
  ifMatch: 'honoured',
  params: QuestionRef,
  body: QuizQuestionChanges,
  returns: QuizQuestion,
  fails: [notAQuiz],
  example: { params: example, body: { points: 2, explanation: 'Wild yeast, to be exact.' } },
  async handle(context) {
    const { params, body, now, requireMatch } = context
    const { position, ...input } = body
    const quiz = await lockOwnQuiz(context, params.lesson_id)
    const before = await activeQuestions(context, quiz)
    const question = questionIn(before, params.question_id)
    await requireMatch(question.revision, () => questionView(question))
    checkQuestion(input, question)
    const others = before.filter(({ id }) => id !== question.id).map(unchanged)
    const requested = others.toSpliced(position ?? question.position, 0, { id: question.id, input })
    const plan = planQuestions(before.map(storedQuestion), requested, () => newUuid(now.getTime()))
    if (plan.isSame) return questionView(question)
    await storeQuestions(context, quiz, { plan, questionId: params.question_id, fields: Object.keys(body) })
    return questionView(questionIn(await activeQuestions(context, quiz), question.id))
  },
})

const deleteQuizQuestion = declareFor('lecturer_of', 'curriculum', {
  id: 'deleteQuizQuestion',
  route: 'DELETE /lessons/:lesson_id/quiz/questions/:question_id',
  summary: 'Delete a quiz question',
  description:
    'Removes a question from a quiz. Attempts that contain it keep it, and it can be restored by naming it when the quiz is replaced.',
  ifMatch: 'honoured',
  params: QuestionRef,
  returns: undefined,
  fails: [notAQuiz],
  example: { params: example },
  async handle(context) {
    const { params, now, requireMatch } = context
    const quiz = await lockOwnQuiz(context, params.lesson_id)
    const before = await activeQuestions(context, quiz)
    const question = questionIn(before, params.question_id)
    await requireMatch(question.revision, () => questionView(question))
    const requested = before.filter(({ id }) => id !== question.id).map(unchanged)
    const plan = planQuestions(before.map(storedQuestion), requested, () => newUuid(now.getTime()))
    await storeQuestions(context, quiz, { plan, questionId: params.question_id, fields: [] })
  },
})

/** The operations of single questions, in the order of the documentation. */
export const questionOperations = [createQuizQuestion, getQuizQuestion, updateQuizQuestion, deleteQuizQuestion]
