import { type FieldError, problem } from '#src/contract/problem.ts'
import { fromId } from '#src/kit/ids.ts'
import { isHundredths } from '../grading/rules.ts'
import { faultsOfQuestion, isSameQuestion, type QuestionValues, questionValues } from '../questions/rules.ts'
import type { QuestionInputValues } from '../questions/schema.ts'
import type { QuizInput } from './schema.ts'

/** The lesson is of another kind. */
export const notAQuiz = problem(
  409,
  'not_a_quiz',
  'The lesson is not a quiz',
  'Only a lesson whose type is quiz has questions. Make a lesson of that kind and give the quiz to it.',
)

/** A quiz has enough questions. */
export const tooManyQuestions = problem(
  409,
  'too_many_questions',
  'The quiz has too many questions',
  'A quiz has at most two hundred questions. Take one away, or divide the quiz between two lessons.',
)

/** What a quiz is beside its questions. */
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

/** A quiz as it is to be stored after what was said of it; what is left out stays. */
export const quizValues = (said: Partial<QuizInput>, before: QuizValues = NEW): QuizValues => {
  const kept = <Name extends keyof QuizValues>(name: Name) => (said[name] === undefined ? before[name] : said[name])
  return {
    passing_percentage: kept('passing_percentage') as number | null,
    max_attempts: kept('max_attempts') as number | null,
    shuffle_questions: kept('shuffle_questions') as boolean,
    shuffle_choices: kept('shuffle_choices') as boolean,
    time_limit_seconds: kept('time_limit_seconds') as number | null,
    show_answers: kept('show_answers') as QuizValues['show_answers'],
  }
}

/** What is wrong with the settings of a quiz beyond their shape; empty when they can be stored. */
export const faultsOfSettings = ({ passing_percentage: passing }: Partial<QuizInput>): FieldError[] =>
  passing === null || passing === undefined || isHundredths(passing)
    ? []
    : [{ pointer: '/passing_percentage', code: 'too_precise', message: 'has at most two decimals' }]

/** A question as it is stored, archived or not. */
export type StoredQuestion = QuestionValues & {
  readonly id: string
  readonly version: number
  readonly isArchived: boolean
}

/** A question as somebody wants it, with the id of its row; one without is new. */
export type RequestedQuestion = { readonly id?: string | undefined; readonly said: QuestionInputValues }

/** The questions of a body, with the ids of their rows. */
export const requestedQuestions = (questions: QuizInput['questions']): RequestedQuestion[] =>
  questions.map(({ id, ...said }) => ({ id: id === undefined ? undefined : (fromId('qst', id) ?? ''), said }))

/** What is wrong with the questions of a quiz; empty when they can be stored. */
export const faultsOfQuestions = (
  stored: readonly StoredQuestion[],
  wanted: readonly RequestedQuestion[],
): FieldError[] => {
  const known = new Map(stored.map(question => [question.id, question]))
  const met = new Set<string>()
  return wanted.flatMap(({ id, said }, index) => {
    const at = `/questions/${index}`
    const before = known.get(id ?? '')
    if (id === undefined) return faultsOfQuestion(at, said, undefined)
    if (before === undefined) return [{ pointer: `${at}/id`, code: 'unknown', message: 'is no question of this quiz' }]
    if (met.has(id)) return [{ pointer: `${at}/id`, code: 'twice', message: 'stands in the quiz twice' }]
    met.add(id)
    return faultsOfQuestion(at, said, before)
  })
}

/** What is to be stored of the questions of a quiz, and how little of it changes. */
export type QuestionPlan = {
  readonly questions: readonly { readonly id: string; readonly position: number; readonly version: number }[]
  readonly versions: readonly (QuestionValues & { readonly id: string; readonly version: number })[]
  readonly archived: readonly string[]
  /** Those kept that changed in what they say, in their place, or that came back. */
  readonly touched: readonly string[]
  readonly isSame: boolean
}

/** Compares the questions that are stored, in their order, with those wanted; `newId` names what is made. */
export const planQuestions = (
  stored: readonly StoredQuestion[],
  wanted: readonly RequestedQuestion[],
  newId: () => string,
): QuestionPlan => {
  const live = stored.filter(({ isArchived }) => !isArchived)
  const placeOf = new Map(live.map(({ id }, place) => [id, place]))
  const known = new Map(stored.map(question => [question.id, question]))
  const all = wanted.map(({ id, said }, position) => {
    const before = known.get(id ?? '')
    const values = questionValues(said, before)
    const isSaidAnew = before === undefined || !isSameQuestion(before, values)
    const version = (before?.version ?? 0) + (isSaidAnew ? 1 : 0)
    const isTouched = before !== undefined && (isSaidAnew || placeOf.get(before.id) !== position)
    return { id: before?.id ?? newId(), position, version, values, isSaidAnew, isTouched }
  })
  const kept = new Set(all.map(({ id }) => id))
  const archived = live.filter(({ id }) => !kept.has(id)).map(({ id }) => id)
  return {
    questions: all.map(({ id, position, version }) => ({ id, position, version })),
    versions: all.filter(one => one.isSaidAnew).map(({ id, version, values }) => ({ ...values, id, version })),
    archived,
    touched: all.filter(one => one.isTouched).map(({ id }) => id),
    isSame: archived.length === 0 && all.every(one => !one.isTouched && !one.isSaidAnew),
  }
}
