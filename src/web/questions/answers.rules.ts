import type { AnswerInput, Field } from '#src/areas/publishing/index.ts'
import { fill, type Language } from '#src/contract/language.ts'
import type { FieldError } from '#src/contract/problem.ts'
import type { Pairs } from '#src/kit/form.ts'
import { formatInput } from '#src/kit/format.ts'
import { hasTwoReadings, readDecimal } from '#src/kit/typed-numbers.ts'
import { questionsText as text } from './text.ts'

/** The name of the input of a field. */
export const nameInput = (fieldId: string): string => `answer.${fieldId}`

/** The name of the file that was sent for a field before. */
export const nameFileInput = (fieldId: string): string => `name.${fieldId}`

/** What was typed for a field, or chosen. */
export const typedIn = (form: Pairs, fieldId: string): string[] =>
  form.filter(([name]) => name === nameInput(fieldId)).map(([, value]) => value)

/** Says how a number is read that may mean two; undefined for what has one reading. */
export const describeReading = (typed: string, language: Language): string | undefined => {
  const number = readDecimal(typed, language)
  if (number === undefined || !hasTwoReadings(typed, language)) return undefined
  return fill(text.understood, language, { typed: typed.trim(), number: formatInput(number, language) })
}

/** The same for the numbers among the answers of a form. */
export const describeReadings = (form: Pairs, fields: readonly Field[], language: Language): string[] =>
  fields
    .filter(({ type }) => type === 'number')
    .flatMap(({ id }) => typedIn(form, id).flatMap(typed => describeReading(typed, language) ?? []))

// What is no number stays a text, which the operation refuses.
const numberIn = (text: string, language: Language): number | string => {
  const number = readDecimal(text, language)
  return number === undefined ? text : Number(number)
}

const parseAnswer = (
  { type }: Field,
  typed: readonly string[],
  language: Language,
): AnswerInput['value'] | undefined => {
  if (type === 'choices') return typed.length === 0 ? undefined : [...typed]
  const text = typed.find(value => value.trim() !== '')
  if (text === undefined) return undefined
  if (type === 'consent') return text === 'yes'
  return type === 'number' || type === 'scale' ? numberIn(text, language) : text
}

/** The answers of a form of the page; `files` are the ids of files that came with it, by field. */
export const answersIn = (
  form: Pairs,
  fields: readonly Field[],
  { language, files }: { readonly language: Language; readonly files?: ReadonlyMap<string, string> },
): AnswerInput[] =>
  fields.flatMap(field => {
    const value = files?.get(field.id) ?? parseAnswer(field, typedIn(form, field.id), language)
    return value === undefined ? [] : [{ field_id: field.id, value }]
  })

/** The codes of errors by the fields that they concern. */
export const errorsByField = (
  errors: readonly FieldError[],
  answers: readonly AnswerInput[],
): ReadonlyMap<string, string> =>
  new Map(
    errors.flatMap(({ pointer, code }) => {
      const [, list = '', which = ''] = pointer.split('/')
      if (list !== 'answers') return []
      const id = /^\d+$/.test(which) ? answers[Number(which)]?.field_id : which
      return id === undefined ? [] : [[id, code] as const]
    }),
  )
