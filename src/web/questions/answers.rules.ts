import type { AnswerInput } from '#src/areas/form-submissions/index.ts'
import type { Field } from '#src/areas/forms/index.ts'
import type { FieldError } from '#src/contract/problem.ts'
import type { Pairs } from '#src/kit/form.ts'

/** The name of the input of a field. */
export const inputOf = (fieldId: string): string => `answer.${fieldId}`

/** The name of the file that was sent for a field before. */
export const fileNameOf = (fieldId: string): string => `name.${fieldId}`

/** What was typed for a field, or chosen. */
export const typedIn = (form: Pairs, fieldId: string): string[] =>
  form.filter(([name]) => name === inputOf(fieldId)).map(([, value]) => value)

// What is no number stays a text, which the operation refuses.
const numberIn = (text: string): number | string => {
  const plain = text.trim().replace(',', '.')
  return plain !== '' && Number.isFinite(Number(plain)) ? Number(plain) : text
}

const answerOf = ({ type }: Field, typed: readonly string[]): AnswerInput['value'] | undefined => {
  if (type === 'choices') return typed.length === 0 ? undefined : [...typed]
  const text = typed.find(value => value.trim() !== '')
  if (text === undefined) return undefined
  if (type === 'consent') return text === 'yes'
  return type === 'number' || type === 'scale' ? numberIn(text) : text
}

/** The answers of a form of the page; `files` are the ids of files that came with it, by field. */
export const answersIn = (form: Pairs, fields: readonly Field[], files: ReadonlyMap<string, string>): AnswerInput[] =>
  fields.flatMap(field => {
    const value = files.get(field.id) ?? answerOf(field, typedIn(form, field.id))
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
