import { type FieldError, problem } from '#src/contract/problem.ts'
import { isHundredths } from '../grading/rules.ts'
import type { QuestionRow } from '../questions/queries.ts'
import { errorsOfQuestion, isSameQuestion, type QuestionValues, questionValues } from '../questions/rules.ts'
import type { QuestionInputValues } from '../questions/schema.ts'
import type { QuizInput } from './schema.ts'

/** The lesson has another type. */
export const notAQuiz = problem(
  409,
  'not_a_quiz',
  'The lesson is not a quiz',
  'Only a lesson of the type quiz has questions. Create a lesson of that type for the quiz.',
)

/** The quiz has the maximum number of questions. */
export const tooManyQuestions = problem(
  409,
  'too_many_questions',
  'The quiz has too many questions',
  'A quiz has at most 200 questions. Remove one, or split the quiz into two lessons.',
)

/** The settings of a quiz. */
export type QuizValues = {
  readonly passing_percentage: number | null
  readonly max_attempts: number | null
  readonly shuffle_questions: boolean
  readonly shuffle_choices: boolean
  readonly time_limit_seconds: number | null
  readonly show_answers: 'never' | 'after_attempt' | 'after_passing'
}

const NEW: QuizValues = {
  passing_percentage: null,
  max_attempts: null,
  shuffle_questions: false,
  shuffle_choices: false,
  time_limit_seconds: null,
  show_answers: 'after_attempt',
}

/** The settings to be stored for a request; a field that is left out stays. */
export const quizValues = (input: Partial<QuizInput>, before: QuizValues = NEW): QuizValues => {
  const existing = <Name extends keyof QuizValues>(name: Name) =>
    input[name] === undefined ? before[name] : input[name]
  return {
    passing_percentage: existing('passing_percentage') as number | null,
    max_attempts: existing('max_attempts') as number | null,
    shuffle_questions: existing('shuffle_questions') as boolean,
    shuffle_choices: existing('shuffle_choices') as boolean,
    time_limit_seconds: existing('time_limit_seconds') as number | null,
    show_answers: existing('show_answers') as QuizValues['show_answers'],
  }
}

/** The errors of settings that fit their schema; empty when they can be stored. */
export const errorsOfSettings = ({ passing_percentage: passing }: Partial<QuizInput>): FieldError[] =>
  passing === null || passing === undefined || isHundredths(passing)
    ? []
    : [{ pointer: '/passing_percentage', code: 'too_precise', message: 'has at most two decimals' }]

/** A stored question, archived or not. */
type StoredQuestion = QuestionValues & {
  readonly id: string
  readonly version: number
  readonly isArchived: boolean
}

/** A stored question as a plan compares it. */
export const storedQuestion = ({ archived_at: at, ...question }: QuestionRow): StoredQuestion => ({
  ...question,
  isArchived: at !== null,
})

/** A requested question with the id of its row; one without an id is new. */
export type RequestedQuestion = { readonly id?: string | undefined; readonly input: QuestionInputValues }

/** The questions of a request, with the ids of their rows. */
export const requestedQuestions = (questions: QuizInput['questions']): RequestedQuestion[] =>
  questions.map(({ id, ...input }) => ({ id, input }))

/** The errors of the questions of a quiz; empty when they can be stored. */
export const errorsOfQuestions = (
  stored: readonly StoredQuestion[],
  requested: readonly RequestedQuestion[],
): FieldError[] => {
  const storedById = new Map(stored.map(question => [question.id, question]))
  const seen = new Set<string>()
  return requested.flatMap(({ id, input }, index) => {
    const at = `/questions/${index}`
    const before = storedById.get(id ?? '')
    if (id === undefined) return errorsOfQuestion(at, input, undefined)
    if (before === undefined)
      return [{ pointer: `${at}/id`, code: 'unknown', message: 'is not a question of this quiz' }]
    if (seen.has(id)) return [{ pointer: `${at}/id`, code: 'twice', message: 'is in the quiz twice' }]
    seen.add(id)
    return errorsOfQuestion(at, input, before)
  })
}

/** What is to be stored of the questions of a quiz, and what of it changes. */
export type QuestionPlan = {
  readonly questions: readonly { readonly id: string; readonly position: number; readonly version: number }[]
  readonly versions: readonly (QuestionValues & { readonly id: string; readonly version: number })[]
  readonly archived: readonly string[]
  /** The questions that were changed, moved or restored. */
  readonly touched: readonly string[]
  readonly isSame: boolean
}

/** Compares stored questions, in their order, with requested ones; `newId` gives the ids of new rows. */
export const planQuestions = (
  stored: readonly StoredQuestion[],
  requested: readonly RequestedQuestion[],
  newId: () => string,
): QuestionPlan => {
  const live = stored.filter(({ isArchived }) => !isArchived)
  const placeOf = new Map(live.map(({ id }, place) => [id, place]))
  const storedById = new Map(stored.map(question => [question.id, question]))
  const all = requested.map(({ id, input }, position) => {
    const before = storedById.get(id ?? '')
    const values = questionValues(input, before)
    const hasNewVersion = before === undefined || !isSameQuestion(before, values)
    const version = (before?.version ?? 0) + (hasNewVersion ? 1 : 0)
    const isTouched = before !== undefined && (hasNewVersion || placeOf.get(before.id) !== position)
    return { id: before?.id ?? newId(), position, version, values, hasNewVersion, isTouched }
  })
  const existing = new Set(all.map(({ id }) => id))
  const archived = live.filter(({ id }) => !existing.has(id)).map(({ id }) => id)
  return {
    questions: all.map(({ id, position, version }) => ({ id, position, version })),
    versions: all.filter(one => one.hasNewVersion).map(({ id, version, values }) => ({ ...values, id, version })),
    archived,
    touched: all.filter(one => one.isTouched).map(({ id }) => id),
    isSame: archived.length === 0 && all.every(one => !one.isTouched && !one.hasNewVersion),
  }
}
