import type { Field } from '#src/areas/publishing/forms/index.ts'
import type { FieldError } from '#src/contract/problem.ts'
import type { AnswerInput, StoredAnswer } from './schema.ts'
import { checkValue } from './values.rules.ts'

const MAX_BYTES = 200_000

/** Answers that can be stored, or why they cannot. */
type CheckedAnswers = { readonly answers: readonly StoredAnswer[]; readonly errors: readonly FieldError[] }

const isMet = ({ show_if: condition }: Field, stored: ReadonlyMap<string, StoredAnswer>): boolean => {
  if (condition === null) return true
  const value = stored.get(condition.field_id)?.value
  return Array.isArray(value) ? value.includes(condition.is) : value !== undefined && String(value) === condition.is
}

const buildAnswer = ({ id, type, label }: Field, value: StoredAnswer['value']): StoredAnswer => ({
  field_id: id,
  type,
  value,
  ...(type === 'consent' ? { text: label } : {}),
})

// Each field has one answer, and each answer a field.
const errorsOfNames = (fields: readonly Field[], given: readonly AnswerInput[]): FieldError[] => {
  const known = new Set(fields.map(({ id }) => id))
  const seen = new Map<string, number>()
  return given.flatMap(({ field_id: id }, index) => {
    const first = seen.get(id)
    if (first === undefined) seen.set(id, index)
    if (known.has(id) && first === undefined) return []
    const [code, message] =
      first !== undefined
        ? ['duplicate', `has another answer at /answers/${first}`]
        : ['unknown', 'is not a field of this version']
    return [{ pointer: `/answers/${index}/field_id`, code, message }]
  })
}

/**
 * Checks answers by the fields of a version. An answer to a field that is not shown is dropped; the pointer of an error is
 * that of the answer, or `/answers/{field id}` where there is none.
 */
export const checkAnswers = (fields: readonly Field[], given: readonly AnswerInput[]): CheckedAnswers => {
  if (Buffer.byteLength(JSON.stringify(given)) > MAX_BYTES)
    return { answers: [], errors: [{ pointer: '/answers', code: 'too_long', message: 'are more than 200 KB' }] }
  const errors = errorsOfNames(fields, given)
  const stored = new Map<string, StoredAnswer>()
  for (const field of fields) {
    const index = given.findIndex(({ field_id: id }) => id === field.id)
    const answer = given[index]
    if (!isMet(field, stored)) continue
    const checked = answer === undefined ? 'empty' : checkValue(field, answer.value)
    if (checked === 'empty') {
      if (field.required) errors.push({ pointer: `/answers/${field.id}`, code: 'required', message: 'is missing' })
    } else if ('value' in checked) stored.set(field.id, buildAnswer(field, checked.value))
    else errors.push({ pointer: `/answers/${index}/value`, ...checked })
  }
  return { answers: [...stored.values()], errors: errors.slice(0, 20) }
}

/** The files that answers name, with the fields that they answer. */
export const listFiles = (answers: readonly StoredAnswer[]): { readonly fieldId: string; readonly fileId: string }[] =>
  answers.flatMap(({ type, field_id: fieldId, value }) =>
    type === 'file' && typeof value === 'string' ? [{ fieldId, fileId: value }] : [],
  )
