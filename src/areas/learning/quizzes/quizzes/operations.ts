import type { Static } from 'typebox'
import { accessRequired, lessonLocked } from '#src/areas/courses/index.ts'
import { exampleFrom } from '#src/contract/example.ts'
import type { Fact } from '#src/contract/fact.ts'
import { declareFor, type ReadContext } from '#src/contract/operation.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { changedFields } from '#src/kit/patch.ts'
import { listQuestionContents, listQuestions } from '../questions/queries.ts'
import { getOpenQuiz, lockOwnQuiz, lockQuizLesson } from './access.ts'
import { findQuizOfLesson, type QuizRow, storeQuiz } from './queries.ts'
import {
  errorsOfQuestions,
  errorsOfSettings,
  notAQuiz,
  planQuestions,
  type QuestionPlan,
  type QuizValues,
  quizValues,
  requestedQuestions,
  storedQuestion,
} from './rules.ts'
import { NewQuiz, Quiz, QuizChanges, QuizRef } from './schema.ts'
import { keyedView, quizView } from './views.ts'
import { changeQuiz, createQuiz } from './writes.ts'

/** A quiz of the demo data, for the examples. */
export const quizExample = {
  lesson_id: exampleFrom('les', 'listLessons', { having: { name: 'What you know of starters' } }),
}

const READS = ['getQuiz']
const WRITES = ['setQuiz', 'updateQuiz', 'createQuizQuestion']

/** The fact that a quiz was changed. */
export const quizChanged = (quiz: QuizRow): Fact => ({
  type: 'quiz.updated',
  payload: {
    course_id: toId('crs', quiz.course_id),
    lesson_id: toId('les', quiz.lesson_id),
    quiz_id: toId('quz', quiz.id),
  },
})

const getQuiz = declareFor('anyone', 'curriculum', {
  id: 'getQuiz',
  route: 'GET /lessons/:lesson_id/quiz',
  summary: "Get a lesson's quiz",
  description:
    'Returns the attempts, time limit and pass mark of a quiz, for those who may read the lesson. Those who manage the course also see the questions with their correct answers; learners get the questions in an attempt.',
  params: QuizRef,
  returns: Quiz,
  fails: [accessRequired, lessonLocked],
  example: { params: quizExample },
  async handle(context) {
    const { db, school, caller, params, allowedActions } = context
    const { quiz, canManage } = await getOpenQuiz(context, params.lesson_id)
    const view = canManage
      ? keyedView(quiz, await listQuestions(db, school.id, quiz.id))
      : quizView(quiz, await listQuestionContents(db, school.id, quiz.id))
    if (caller.member === undefined) return view
    return { ...view, allowed_actions: allowedActions(canManage ? [...READS, ...WRITES] : READS) }
  },
})

const listFields = (before: QuizValues | undefined, values: QuizValues, plan: QuestionPlan): string[] => {
  const settings = before === undefined ? Object.keys(values) : changedFields<QuizValues>(before, values)
  return plan.isSame ? settings : [...settings, 'questions']
}

const storedView = async ({ db, school }: Pick<ReadContext, 'db' | 'school'>, quiz: QuizRow) =>
  keyedView(quiz, await listQuestions(db, school.id, quiz.id))

const setQuiz = declareFor('lecturer_of', 'curriculum', {
  id: 'setQuiz',
  route: 'PUT /lessons/:lesson_id/quiz',
  summary: 'Replace a quiz',
  description:
    'Creates or replaces the quiz of a lesson with its questions in order. A question with an id is kept, changed or moved; one without an id is created; one that is missing is removed and can be restored by naming it again. Choices and settings work the same way. Attempts keep the questions they began with.',
  ifMatch: 'honoured',
  params: QuizRef,
  body: NewQuiz,
  returns: Quiz,
  fails: [notAQuiz],
  example: {
    params: quizExample,
    body: {
      passing_percentage: 60,
      max_attempts: 3,
      questions: [
        {
          kind: 'single',
          prompt: 'What makes the dough rise?',
          choices: [
            { text: 'Yeast', is_correct: true },
            { text: 'Salt', is_correct: false },
          ],
          explanation: 'Salt slows it down.',
        },
        { kind: 'number', prompt: 'How many grams of salt for 1 kg of flour?', value: '20', tolerance: '2' },
      ],
    },
  },
  async handle(context) {
    const { db, school, params, body, now, requireMatch, changed, record } = context
    const lesson = await lockQuizLesson(context, params.lesson_id)
    const before = await findQuizOfLesson(db, school.id, lesson.id)
    const questions = before === undefined ? [] : await listQuestions(db, school.id, before.id)
    if (before !== undefined) await requireMatch(before.revision, () => keyedView(before, questions))
    const stored = questions.map(storedQuestion)
    const requested = requestedQuestions(body.questions)
    const errors = [...errorsOfSettings(body), ...errorsOfQuestions(stored, requested)]
    refuseInvalid(errors, 'The quiz has values that are not allowed.')
    const plan = planQuestions(stored, requested, () => newUuid(now.getTime()))
    const values = quizValues(body, before)
    const fields = listFields(before, values, plan)
    if (before !== undefined && fields.length === 0) return keyedView(before, questions)
    const quiz =
      before === undefined
        ? await createQuiz(context, lesson, { values, plan })
        : await changeQuiz(context, { id: before.id, values, plan })
    changed({ ids: [toId('quz', quiz.id), toId('les', params.lesson_id)], fields, revision: quiz.revision })
    record(quizChanged(quiz))
    return storedView(context, quiz)
  },
})

const updateQuiz = declareFor('lecturer_of', 'curriculum', {
  id: 'updateQuiz',
  route: 'PATCH /lessons/:lesson_id/quiz',
  summary: 'Update quiz settings',
  description:
    'Changes the settings of a quiz and leaves its questions as they are. An attempt in progress keeps its time limit and pass mark.',
  ifMatch: 'honoured',
  params: QuizRef,
  body: QuizChanges,
  returns: Quiz,
  fails: [notAQuiz],
  example: { params: quizExample, body: { show_answers: 'after_passing', time_limit_seconds: 900 } },
  async handle(context) {
    const { db, school, params, body, requireMatch, changed, record } = context
    const before = await lockOwnQuiz(context, params.lesson_id)
    await requireMatch(before.revision, () => storedView(context, before))
    const input = body as Partial<Static<typeof NewQuiz>>
    refuseInvalid(errorsOfSettings(input), 'The quiz has values that are not allowed.')
    const values = quizValues(input, before)
    const fields = changedFields<QuizValues>(before, values)
    if (fields.length === 0) return storedView(context, before)
    const quiz = await storeQuiz(db, school.id, before.id, values)
    changed({ ids: [toId('quz', quiz.id), toId('les', params.lesson_id)], fields, revision: quiz.revision })
    record(quizChanged(quiz))
    return storedView(context, quiz)
  },
})

/** The operations of whole quizzes, in the order of the documentation. */
export const quizOperations = [getQuiz, setQuiz, updateQuiz]
