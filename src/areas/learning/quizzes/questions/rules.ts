import type { FieldError } from '#src/contract/problem.ts'
import { newUuid } from '#src/kit/ids.ts'
import { cleanLine, fold } from '#src/kit/text.ts'
import type { QuestionInputValues } from './schema.ts'

/** How a question is answered. */
type QuestionKind = 'single' | 'multiple' | 'text' | 'number'

/** A choice as it is stored. */
type StoredChoice = { readonly id: string; readonly text: string }

/** A question without its correct answers. */
export type QuestionContent = {
  readonly kind: QuestionKind
  readonly grading: 'automatic' | 'manual'
  readonly prompt: string
  readonly points: number
  readonly choices: readonly StoredChoice[]
}

/** The correct answers of a question, and their explanation. */
export type AnswerKey = {
  /** The ids of the correct choices, in the order of the choices. */
  readonly correct: readonly string[]
  readonly accepted_answers: readonly string[]
  readonly value: string | null
  readonly tolerance: string | null
  readonly explanation: string
}

/** A version of a question. */
export type QuestionValues = QuestionContent & AnswerKey

/** Text as it is compared: without case, accents, and spaces at its ends or doubled. */
export const foldAnswer = (text: string): string => fold(text).replace(/\s+/g, ' ').trim()

const errorAt = (pointer: string, code: string, message: string): FieldError => ({ pointer, code, message })

const isChosen = (kind: QuestionKind): boolean => kind === 'single' || kind === 'multiple'

const buildChoices = (choices: NonNullable<QuestionInputValues['choices']>): StoredChoice[] =>
  // Random throughout, so that the order of the ids does not reveal the order in which the choices were written.
  choices.map(({ id, text }) => ({ id: id ?? newUuid(0), text }))

const chosenValues = (input: QuestionInputValues, before: QuestionValues | undefined) => {
  if (input.choices === undefined) return { choices: before?.choices ?? [], correct: before?.correct ?? [] }
  const choices = buildChoices(input.choices)
  const correct = choices.filter((_, index) => input.choices?.[index]?.is_correct).map(({ id }) => id)
  return { choices, correct }
}

const chooseNumber = (value: string | null | undefined, before: string | null | undefined, unset: string | null) =>
  value === undefined ? (before ?? unset) : value

/** The question to be stored for a request. */
export const questionValues = (input: QuestionInputValues, before: QuestionValues | undefined): QuestionValues => {
  const kind = before?.kind ?? input.kind ?? 'single'
  return {
    kind,
    prompt: input.prompt ?? before?.prompt ?? '',
    points: input.points ?? before?.points ?? 1,
    grading: input.grading ?? before?.grading ?? 'automatic',
    ...chosenValues(input, before),
    accepted_answers: input.accepted_answers ?? before?.accepted_answers ?? [],
    value: chooseNumber(input.value, before?.value, null),
    tolerance: chooseNumber(input.tolerance, before?.tolerance, kind === 'number' ? '0' : null),
    explanation: input.explanation ?? before?.explanation ?? '',
  }
}

/** Whether two versions of a question are the same. */
export const isSameQuestion = (one: QuestionValues, other: QuestionValues): boolean => {
  const plain = (question: QuestionValues) => [
    question.kind,
    question.grading,
    question.prompt,
    question.points,
    question.choices.map(({ id, text }) => [id, text]),
    question.correct,
    question.accepted_answers,
    question.value,
    question.tolerance,
    question.explanation,
  ]
  return JSON.stringify(plain(one)) === JSON.stringify(plain(other))
}

const errorsOfChoiceIds = (input: QuestionInputValues, before: QuestionValues | undefined): FieldError[] => {
  const existing = new Set(before?.choices.map(({ id }) => id))
  const seen = new Set<string>()
  return (input.choices ?? []).flatMap(({ id }, index) => {
    if (id === undefined) return []
    const isTwice = seen.has(id)
    seen.add(id)
    if (!existing.has(id)) return [errorAt(`/choices/${index}/id`, 'unknown', 'is not a choice of this question')]
    return isTwice ? [errorAt(`/choices/${index}/id`, 'twice', 'is among the choices twice')] : []
  })
}

const errorsOfChoices = ({ kind, choices, correct }: QuestionValues): FieldError[] => {
  if (!isChosen(kind))
    return choices.length > 0 ? [errorAt('/choices', 'unwanted', `do not go with the kind ${kind}`)] : []
  const empty = choices.flatMap(({ text }, index) =>
    cleanLine(text, 1000) === ''
      ? [errorAt(`/choices/${index}/text`, 'empty', 'must contain a visible character')]
      : [],
  )
  if (choices.length < 2) return [errorAt('/choices', 'too_few', 'must be at least two')]
  if (kind === 'single' && correct.length !== 1)
    return [errorAt('/choices', 'not_one_correct', 'must have exactly one that is correct')]
  return correct.length === 0 ? [errorAt('/choices', 'none_correct', 'must have at least one that is correct')] : empty
}

const errorsOfWords = ({ kind, grading, accepted_answers: accepted }: QuestionValues): FieldError[] => {
  if (kind !== 'text' && grading === 'manual')
    return [errorAt('/grading', 'unwanted', 'can be manual only for the kind text')]
  if (kind !== 'text' || grading === 'manual')
    return accepted.length > 0
      ? [errorAt('/accepted_answers', 'unwanted', 'are only for the kind text with automatic grading')]
      : []
  if (accepted.length === 0) return [errorAt('/accepted_answers', 'missing', 'are needed, unless grading is manual')]
  return accepted.flatMap((text, index) =>
    foldAnswer(text) === '' ? [errorAt(`/accepted_answers/${index}`, 'empty', 'must contain a visible character')] : [],
  )
}

const errorsOfNumber = ({ kind, value, tolerance }: QuestionValues): FieldError[] => {
  if (kind !== 'number')
    return [
      ...(value === null ? [] : [errorAt('/value', 'unwanted', 'is only for the kind number')]),
      ...(tolerance === null ? [] : [errorAt('/tolerance', 'unwanted', 'is only for the kind number')]),
    ]
  return [
    ...(value === null ? [errorAt('/value', 'missing', 'is required for the kind number')] : []),
    ...(tolerance === null ? [errorAt('/tolerance', 'missing', 'must be 0 or more')] : []),
    ...(tolerance?.startsWith('-') ? [errorAt('/tolerance', 'negative', 'must be 0 or more')] : []),
  ]
}

/** The errors of a question that fits its schema; `at` is the pointer to it. */
export const errorsOfQuestion = (
  at: string,
  input: QuestionInputValues,
  before: QuestionValues | undefined,
): FieldError[] => {
  const values = questionValues(input, before)
  const isNew = before === undefined
  const isOther = !isNew && input.kind !== undefined && input.kind !== before.kind
  const errors = [
    ...(isNew && input.kind === undefined ? [errorAt('/kind', 'missing', 'is required for a new question')] : []),
    ...(isOther ? [errorAt('/kind', 'fixed', 'cannot be changed; create another question')] : []),
    ...(cleanLine(values.prompt, 10_000) === ''
      ? [errorAt('/prompt', 'empty', 'must contain a visible character')]
      : []),
    ...errorsOfChoiceIds(input, before),
    ...errorsOfChoices(values),
    ...errorsOfWords(values),
    ...errorsOfNumber(values),
  ]
  return errors.map(one => ({ ...one, pointer: `${at}${one.pointer}` }))
}
