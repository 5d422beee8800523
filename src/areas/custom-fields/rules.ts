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
  'A key names one custom field of the school. GET /custom-fields lists those there are; use the one that has it, or another key.',
)

/** Members still have a value that would go. */
export const optionInUse = problem(
  409,
  'option_in_use',
  'Members still have this value',
  'A value that members have cannot be taken from a choice. Give those members another value first, or keep it among the options.',
)

/** A school has as many fields as it can have. */
export const tooManyFields = problem(
  409,
  'too_many_fields',
  'The school has as many custom fields as it can have',
  'A school has at most 100 custom fields. Remove one that is no longer needed; what belongs to single members fits in tags and notes.',
)

/** Options as they are kept: one line each. */
export const cleanOptions = (options: readonly string[]): string[] =>
  options.map(option => cleanLine(option, MAX_OPTION_LENGTH))

const fieldError = (pointer: string, code: string, message: string): FieldError => ({ pointer, code, message })

/** What is wrong with a field that fits its schema; label and options are cleaned already. */
export const errorsOfField = (field: {
  readonly type: (typeof fieldTypes)[number]
  readonly label: string
  readonly options: readonly string[]
}): FieldError[] => {
  const { type, label, options } = field
  return [
    ...(label === '' ? [fieldError('/label', 'text', 'has nothing that can be seen')] : []),
    ...(options.includes('') ? [fieldError('/options', 'text', 'has a value in which nothing can be seen')] : []),
    ...(new Set(options).size < options.length ? [fieldError('/options', 'unique', 'names a value twice')] : []),
    ...(type === 'choice' && options.length === 0
      ? [fieldError('/options', 'required', 'of a choice has values')]
      : []),
    ...(type !== 'choice' && options.length > 0 ? [fieldError('/options', 'choice', 'is for a choice alone')] : []),
  ]
}

/** Whether ids are every one of these, each once. */
export const isWholeOrder = (ids: readonly (string | undefined)[], all: readonly string[]): boolean =>
  ids.length === all.length && new Set(ids).size === ids.length && all.every(id => ids.includes(id))
