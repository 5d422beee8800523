import type { Language } from '#src/contract/language.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { readDecimal } from '#src/kit/typed-numbers.ts'

/** A question of an attempt, as far as its answer is concerned. */
type Asked = {
  readonly id: string
  readonly kind: 'single' | 'multiple' | 'text' | 'number'
  readonly choices: readonly { readonly id: string }[]
}

/** An answer as the API takes it. */
type AnswerInput = {
  readonly question_id: string
  readonly choice_ids?: readonly string[]
  readonly text?: string
  readonly number?: string
}

/** What a form says in answer to a question: the answer, or why it cannot be stored. */
type FormAnswer = { readonly answer: AnswerInput } | { readonly id: string; readonly error: 'number' | 'length' }

const MAX_TEXT = 10_000
const NUMBER = /^-?(?:0|[1-9][0-9]{0,14})(?:[.][0-9]{1,10})?$/

/** The name of the field of a question. */
export const nameField = (questionId: string): string => `answer_${questionId}`

/** Line breaks as they were typed: a form sends CRLF. */
export const typedText = (value: string): string => value.replaceAll('\r\n', '\n')

const answerIn = (form: Pairs, { id, kind, choices }: Asked, language: Language): FormAnswer => {
  const field = nameField(id)
  if (kind === 'single' || kind === 'multiple') {
    const chosen = new Set(form.filter(([name]) => name === field).map(([, value]) => value))
    return { answer: { question_id: id, choice_ids: choices.map(one => one.id).filter(one => chosen.has(one)) } }
  }
  const typed = typedText(formField(form, field))
  if (typed.trim() === '') return { answer: { question_id: id } }
  if (kind === 'text')
    return typed.length > MAX_TEXT ? { id, error: 'length' } : { answer: { question_id: id, text: typed } }
  const number = readDecimal(typed, language)
  return number !== undefined && NUMBER.test(number) ? { answer: { question_id: id, number } } : { id, error: 'number' }
}

/** The answers of a form to the questions of an attempt, and what is wrong with the others. */
export const answersIn = (
  form: Pairs,
  questions: readonly Asked[],
  language: Language,
): { readonly answers: readonly AnswerInput[]; readonly errors: ReadonlyMap<string, 'number' | 'length'> } => {
  const all = questions.map(question => answerIn(form, question, language))
  return {
    answers: all.flatMap(one => ('answer' in one ? [one.answer] : [])),
    errors: new Map(all.flatMap(one => ('error' in one ? [[one.id, one.error] as const] : []))),
  }
}

/** How many questions have no answer. */
export const countUnanswered = (answers: readonly AnswerInput[]): number =>
  answers.filter(
    ({ choice_ids: ids = [], text, number }) => ids.length === 0 && text === undefined && number === undefined,
  ).length
