import type { Language } from '#src/contract/language.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { formatInput } from '#src/kit/format.ts'
import { readDecimal } from '#src/kit/typed-numbers.ts'
import { lineIn, numberOrNull, textIn, valuesIn } from '../../forms/values.ts'
import type { QuestionView } from './quiz-place.ts'

/** How a question is answered. */
export type QuestionKind = QuestionView['kind']

const ROWS = 4
const MORE = 4
const MAX_ROWS = 50

/** How many lines for choices a form has: those that are written, and some more. */
export const rowsOf = (form: Pairs): number => {
  const rows = Number(formField(form, 'rows')) || ROWS
  const written = Math.max(0, ...indexes(form).map(index => index + 1))
  return Math.min(MAX_ROWS, Math.max(rows, written) + (formField(form, 'act') === 'more' ? MORE : 0))
}

const indexes = (form: Pairs): number[] =>
  form.flatMap(([name, value]) => {
    const [, index] = /^choice_(\d{1,2})$/.exec(name) ?? []
    return index === undefined || value.trim() === '' ? [] : [Number(index)]
  })

const choicesIn = (form: Pairs) => {
  const correct = new Set(valuesIn(form, 'correct'))
  return indexes(form).map(index => {
    const id = formField(form, `choice_id_${index}`)
    const text = textIn(form, `choice_${index}`).trim()
    return { ...(id === '' ? {} : { id }), text, is_correct: correct.has(String(index)) }
  })
}

// What is not a number is left for the operation to refuse.
const decimalIn = (form: Pairs, name: string, language: Language): string =>
  readDecimal(lineIn(form, name), language) ?? lineIn(form, name)

const answerIn = (form: Pairs, kind: QuestionKind, language: Language): Record<string, unknown> => {
  if (kind === 'single' || kind === 'multiple') return { choices: choicesIn(form) }
  if (kind === 'number')
    return {
      value: decimalIn(form, 'value', language) || null,
      tolerance: decimalIn(form, 'tolerance', language) || '0',
    }
  const answers = textIn(form, 'accepted_answers').split('\n')
  return {
    grading: formField(form, 'grading'),
    accepted_answers: answers.map(answer => answer.trim()).filter(answer => answer !== ''),
  }
}

/** What the form of a question says, as the operations take it. */
export const questionIn = (form: Pairs, kind: QuestionKind, language: Language): Record<string, unknown> => ({
  prompt: textIn(form, 'prompt'),
  points: numberOrNull(form, 'points') ?? 1,
  explanation: textIn(form, 'explanation'),
  ...answerIn(form, kind, language),
})

/** A question as its form shows it. */
export const formOfQuestion = (question: QuestionView, language: Language): Pairs => [
  ['prompt', question.prompt],
  ['points', String(question.points)],
  ['explanation', question.explanation],
  ['grading', question.grading],
  ['accepted_answers', question.accepted_answers.join('\n')],
  ['value', formatInput(question.value, language)],
  ['tolerance', formatInput(question.tolerance, language)],
  ['rows', String(question.choices.length + 1)],
  ...question.choices.flatMap(({ id, text, is_correct }, index): [string, string][] => [
    [`choice_${index}`, text],
    [`choice_id_${index}`, id],
    ...(is_correct ? [['correct', String(index)] as [string, string]] : []),
  ]),
]

/** A new question as its form shows it. */
export const blankQuestion: Pairs = [
  ['points', '1'],
  ['grading', 'automatic'],
  ['tolerance', '0'],
]
