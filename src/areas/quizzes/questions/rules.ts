import type { FieldError } from '#src/contract/problem.ts'
import { fromId, newUuid } from '#src/kit/ids.ts'
import { cleanLine, fold } from '#src/kit/text.ts'
import type { QuestionInputValues } from './schema.ts'

/** How a question is answered. */
export type QuestionKind = 'single' | 'multiple' | 'text' | 'number'

/** A choice as it is stored. */
export type StoredChoice = { readonly id: string; readonly text: string }

/** What is asked, without anything that tells what is right. */
export type AskedQuestion = {
  readonly kind: QuestionKind
  readonly grading: 'automatic' | 'manual'
  readonly prompt: string
  readonly points: number
  readonly choices: readonly StoredChoice[]
}

/** What is right, and why. */
export type AnswerKey = {
  /** The ids of the right choices, in the order of the choices. */
  readonly correct: readonly string[]
  readonly accepted_answers: readonly string[]
  readonly value: string | null
  readonly tolerance: string | null
  readonly explanation: string
}

/** All that a version of a question says. */
export type QuestionValues = AskedQuestion & AnswerKey

/** How text is compared: without case, marks, and spaces at its ends or doubled. */
export const foldAnswer = (text: string): string => fold(text).replace(/\s+/g, ' ').trim()

const fault = (pointer: string, code: string, message: string): FieldError => ({ pointer, code, message })

const isChosen = (kind: QuestionKind): boolean => kind === 'single' || kind === 'multiple'

const choicesOf = (said: NonNullable<QuestionInputValues['choices']>): StoredChoice[] =>
  // Random throughout, so that the order of ids does not tell which choice was thought of first.
  said.map(({ id, text }) => ({ id: (id && fromId('cho', id)) ?? newUuid(0), text }))

const chosenValues = (said: QuestionInputValues, before: QuestionValues | undefined) => {
  if (said.choices === undefined) return { choices: before?.choices ?? [], correct: before?.correct ?? [] }
  const choices = choicesOf(said.choices)
  const correct = choices.filter((_, index) => said.choices?.[index]?.is_correct).map(({ id }) => id)
  return { choices, correct }
}

const numberOf = (said: string | null | undefined, before: string | null | undefined, unset: string | null) =>
  said === undefined ? (before ?? unset) : said

/** A question as it is to be stored after what was said of it. */
export const questionValues = (said: QuestionInputValues, before: QuestionValues | undefined): QuestionValues => {
  const kind = before?.kind ?? said.kind ?? 'single'
  return {
    kind,
    prompt: said.prompt ?? before?.prompt ?? '',
    points: said.points ?? before?.points ?? 1,
    grading: said.grading ?? before?.grading ?? 'automatic',
    ...chosenValues(said, before),
    accepted_answers: said.accepted_answers ?? before?.accepted_answers ?? [],
    value: numberOf(said.value, before?.value, null),
    tolerance: numberOf(said.tolerance, before?.tolerance, kind === 'number' ? '0' : null),
    explanation: said.explanation ?? before?.explanation ?? '',
  }
}

/** Whether two versions of a question say the same. */
export const isSameQuestion = (one: QuestionValues, other: QuestionValues): boolean => {
  const plain = ({ kind, grading, prompt, points, choices, ...key }: QuestionValues) => [
    ...[kind, grading, prompt, points],
    choices.map(({ id, text }) => [id, text]),
    ...[key.correct, key.accepted_answers, key.value, key.tolerance, key.explanation],
  ]
  return JSON.stringify(plain(one)) === JSON.stringify(plain(other))
}

const faultsOfChoiceIds = (said: QuestionInputValues, before: QuestionValues | undefined): FieldError[] => {
  const known = new Set(before?.choices.map(({ id }) => id))
  const met = new Set<string>()
  return (said.choices ?? []).flatMap(({ id }, index) => {
    if (id === undefined) return []
    const uuid = fromId('cho', id) ?? ''
    const isTwice = met.has(uuid)
    met.add(uuid)
    if (!known.has(uuid)) return [fault(`/choices/${index}/id`, 'unknown', 'is no choice of this question')]
    return isTwice ? [fault(`/choices/${index}/id`, 'twice', 'stands among the choices twice')] : []
  })
}

const faultsOfChoices = ({ kind, choices, correct }: QuestionValues): FieldError[] => {
  if (!isChosen(kind))
    return choices.length > 0 ? [fault('/choices', 'unwanted', `do not go with the kind ${kind}`)] : []
  const empty = choices.flatMap(({ text }, index) =>
    cleanLine(text, 1000) === '' ? [fault(`/choices/${index}/text`, 'empty', 'has nothing visible')] : [],
  )
  if (choices.length < 2) return [fault('/choices', 'too_few', 'are at least two')]
  if (kind === 'single' && correct.length !== 1) return [fault('/choices', 'not_one_correct', 'have one that is right')]
  return correct.length === 0 ? [fault('/choices', 'none_correct', 'have at least one that is right')] : empty
}

const faultsOfWords = ({ kind, grading, accepted_answers: accepted }: QuestionValues): FieldError[] => {
  if (kind !== 'text' && grading === 'manual') return [fault('/grading', 'unwanted', 'is manual of text alone')]
  if (kind !== 'text' || grading === 'manual')
    return accepted.length > 0 ? [fault('/accepted_answers', 'unwanted', 'are of text that is graded by itself')] : []
  if (accepted.length === 0)
    return [fault('/accepted_answers', 'missing', 'are needed, unless the question is graded manual')]
  return accepted.flatMap((text, index) =>
    foldAnswer(text) === '' ? [fault(`/accepted_answers/${index}`, 'empty', 'has nothing visible')] : [],
  )
}

const faultsOfNumber = ({ kind, value, tolerance }: QuestionValues): FieldError[] => {
  if (kind !== 'number')
    return [
      ...(value === null ? [] : [fault('/value', 'unwanted', 'is of the kind number alone')]),
      ...(tolerance === null ? [] : [fault('/tolerance', 'unwanted', 'is of the kind number alone')]),
    ]
  return [
    ...(value === null ? [fault('/value', 'missing', 'is the right answer')] : []),
    ...(tolerance === null ? [fault('/tolerance', 'missing', 'is 0 or more')] : []),
    ...(tolerance?.startsWith('-') ? [fault('/tolerance', 'negative', 'is 0 or more')] : []),
  ]
}

/** What is wrong with a question that fits its schema, `at` a place of the body; empty when it can be stored. */
export const faultsOfQuestion = (
  at: string,
  said: QuestionInputValues,
  before: QuestionValues | undefined,
): FieldError[] => {
  const values = questionValues(said, before)
  const isNew = before === undefined
  const isOther = !isNew && said.kind !== undefined && said.kind !== before.kind
  const faults = [
    ...(isNew && said.kind === undefined ? [fault('/kind', 'missing', 'says how it is answered')] : []),
    ...(isOther ? [fault('/kind', 'fixed', 'does not change; make another question')] : []),
    ...(cleanLine(values.prompt, 10_000) === '' ? [fault('/prompt', 'empty', 'has nothing visible')] : []),
    ...faultsOfChoiceIds(said, before),
    ...faultsOfChoices(values),
    ...faultsOfWords(values),
    ...faultsOfNumber(values),
  ]
  return faults.map(one => ({ ...one, pointer: `${at}${one.pointer}` }))
}
