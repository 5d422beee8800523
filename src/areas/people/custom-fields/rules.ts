import { type FieldError, problem } from '#src/contract/problem.ts'
import { cleanLine } from '#src/kit/text.ts'

/** What values a custom field can take. */
export const fieldTypes = ['text', 'number', 'boolean', 'date', 'choice'] as const

/** How many custom fields a school can have. */
export const MAX_FIELDS = 100

/** The longest value of a choice, in characters. */
export const MAX_OPTION_LENGTH = 100

/** Another field has the key already. */
export const keyTaken = problem(
  409,
  'field_key_taken',
  'Another custom field has this key',
  'A key identifies one custom field of the school. Find it with GET /custom-fields and use it, or choose another key.',
)

/** Members still have a value that would go. */
export const optionInUse = problem(
  409,
  'option_in_use',
  'Members still have this value',
  'An option that members have cannot be removed. Give those members another value first, or keep the option.',
)

/** A school has as many fields as it can have. */
export const tooManyFields = problem(
  409,
  'too_many_fields',
  'The school has the maximum number of custom fields',
  'A school has at most 100 custom fields. Delete one that is no longer needed, or use tags and notes.',
)

/** Options as they are kept: one line each. */
export const cleanOptions = (options: readonly string[]): string[] =>
  options.map(option => cleanLine(option, MAX_OPTION_LENGTH))

const fieldError = (pointer: string, code: string, message: string): FieldError => ({ pointer, code, message })

/** What of a custom field can be wrong in spite of its schema. */
export type CheckedField = {
  readonly type: (typeof fieldTypes)[number]
  readonly label: string
  readonly options: readonly string[]
}

/** The errors of a field that fits its schema; label and options are cleaned already. */
export const errorsOfField = (field: CheckedField): FieldError[] => {
  const { type, label, options } = field
  return [
    ...(label === '' ? [fieldError('/label', 'text', 'has no visible characters')] : []),
    ...(options.includes('') ? [fieldError('/options', 'text', 'has a value without visible characters')] : []),
    ...(new Set(options).size < options.length ? [fieldError('/options', 'unique', 'names a value twice')] : []),
    ...(type === 'choice' && options.length === 0
      ? [fieldError('/options', 'required', 'are required for the type choice')]
      : []),
    ...(type !== 'choice' && options.length > 0
      ? [fieldError('/options', 'choice', 'are only for the type choice')]
      : []),
  ]
}

/** Whether ids are every one of these, each once. */
export const isWholeOrder = (ids: readonly (string | undefined)[], all: readonly string[]): boolean =>
  ids.length === all.length && new Set(ids).size === ids.length && all.every(id => ids.includes(id))
