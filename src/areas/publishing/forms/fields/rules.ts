import type { FieldError } from '#src/contract/problem.ts'
import { cleanLine } from '#src/kit/text.ts'
import type { Field, FieldInput } from './schema.ts'

type FieldType = Field['type']

/** How many fields of files, and how many hidden ones, a form may have. */
const MOST_OF_TYPE = 10

/** The most megabytes of a file. */
export const MAX_FILE_MB = 25

/** The most characters of a text. */
export const MAX_TEXT = 10_000

const MAX_BYTES = 200_000

/** A field with all of its values; lines are cleaned. */
export const completedField = (input: FieldInput): Field => ({
  id: input.id,
  type: input.type,
  label: cleanLine(input.label, 1000),
  help: cleanLine(input.help ?? '', 500),
  required: input.required ?? false,
  options: (input.options ?? []).map(({ id, label }) => ({ id, label: cleanLine(label, 200) })),
  min: input.min ?? null,
  max: input.max ?? null,
  pattern: input.pattern ?? null,
  show_if: input.show_if ?? null,
})

const TEXTS: readonly FieldType[] = ['text', 'long_text']
const CHOICES: readonly FieldType[] = ['choice', 'choices']
const WITH_BOUNDS: readonly FieldType[] = [...TEXTS, 'number', 'choices', 'scale', 'file']
const CONDITIONS: readonly FieldType[] = [...CHOICES, 'scale', 'consent']

const listPatterns = (type: FieldType): readonly string[] => {
  if (type === 'file') return ['images', 'pdf', 'images_and_pdf']
  return TEXTS.includes(type) ? ['digits', 'letters', 'letters_and_digits'] : []
}

/** The ends of a scale. */
export const buildScale = ({
  min,
  max,
}: Pick<Field, 'min' | 'max'>): { readonly from: number; readonly to: number } => ({
  from: min ?? 1,
  to: max ?? 5,
})

/** Every value that a field can have on which a condition can depend. */
const listValues = (field: Field): string[] => {
  if (field.type === 'consent') return ['true']
  if (field.type !== 'scale') return field.options.map(({ id }) => id)
  const { from, to } = buildScale(field)
  return Array.from({ length: Math.max(0, Math.min(11, to - from + 1)) }, (_, index) => String(from + index))
}

type Found = { readonly name: string; readonly code: string; readonly message: string }

const isWhole = (value: number | null, least: number, most: number): boolean =>
  value === null || (Number.isInteger(value) && value >= least && value <= most)

const boundError = (name: string, message: string): Found => ({ name, code: 'bounds', message })

const errorsOfBounds = (field: Field): Found[] => {
  const { type, min, max, options } = field
  if (!WITH_BOUNDS.includes(type))
    return min === null && max === null ? [] : [boundError(min === null ? 'max' : 'min', `has no meaning for ${type}`)]
  if (type === 'file')
    return min === null && isWhole(max, 1, MAX_FILE_MB)
      ? []
      : [boundError('max', `is a whole number of megabytes, at most ${MAX_FILE_MB}; a file has no min`)]
  if (type === 'scale') {
    const { from, to } = buildScale(field)
    const fits = isWhole(from, 0, 1) && isWhole(to, 2, 10)
    return fits ? [] : [boundError('max', 'of a scale is from 2 to 10, and min is 0 or 1')]
  }
  if (type === 'number')
    return min === null || max === null || min <= max ? [] : [boundError('max', 'is less than min')]
  const most = type === 'choices' ? options.length : MAX_TEXT
  const fits = isWhole(min, 0, most) && isWhole(max, 1, most) && (min ?? 0) <= (max ?? most)
  return fits ? [] : [boundError('max', `and min are whole numbers up to ${most}, and max is not less than min`)]
}

const errorsOfOptions = ({ type, options }: Field): Found[] => {
  const isChoice = CHOICES.includes(type)
  if (isChoice && options.length === 0) return [{ name: 'options', code: 'required', message: 'is missing' }]
  if (!isChoice && options.length > 0)
    return [{ name: 'options', code: 'bounds', message: `has no meaning for ${type}` }]
  const isUnique = new Set(options.map(({ id }) => id)).size === options.length
  return isUnique ? [] : [{ name: 'options', code: 'duplicate', message: 'has an id twice' }]
}

const errorsOfPattern = ({ type, pattern }: Field): Found[] =>
  pattern === null || listPatterns(type).includes(pattern)
    ? []
    : [{ name: 'pattern', code: 'bounds', message: `has no meaning for ${type}` }]

// A condition depends on a field before it that is always shown, so whether a field is shown needs one look.
const errorsOfCondition = ({ show_if: condition }: Field, before: readonly Field[]): Found[] => {
  if (condition === null) return []
  const on = before.find(({ id }) => id === condition.field_id)
  if (on === undefined || !CONDITIONS.includes(on.type) || on.show_if !== null)
    return [
      {
        name: 'show_if/field_id',
        code: 'unknown',
        message: 'is not an earlier choice, scale or consent that has no condition itself',
      },
    ]
  return listValues(on).includes(condition.is)
    ? []
    : [{ name: 'show_if/is', code: 'unknown', message: 'is not a value of that field' }]
}

const errorsOfField = (fields: readonly Field[], field: Field, index: number): Found[] => {
  const before = fields.slice(0, index)
  const isTwice = before.some(({ id }) => id === field.id)
  return [
    ...(isTwice ? [{ name: 'id', code: 'duplicate', message: 'is the id of another field' }] : []),
    ...errorsOfOptions(field),
    ...errorsOfBounds(field),
    ...errorsOfPattern(field),
    ...errorsOfCondition(field, before),
  ]
}

const errorsOfCounts = (fields: readonly Field[]): FieldError[] =>
  (['file', 'hidden'] as const)
    .filter(type => fields.filter(field => field.type === type).length > MOST_OF_TYPE)
    .map(type => ({
      pointer: '/fields',
      code: 'maxItems',
      message: `has more than ${MOST_OF_TYPE} fields of the type ${type}`,
    }))

/** Why fields cannot be those of a form; empty when they can. */
export const errorsOfFields = (fields: readonly Field[]): FieldError[] => {
  if (Buffer.byteLength(JSON.stringify(fields)) > MAX_BYTES)
    return [{ pointer: '/fields', code: 'too_long', message: 'has more than 200 KB of JSON' }]
  const found = fields.flatMap((field, index) =>
    errorsOfField(fields, field, index).map(({ name, code, message }) => ({
      pointer: `/fields/${index}/${name}`,
      code,
      message,
    })),
  )
  return [...errorsOfCounts(fields), ...found].slice(0, 20)
}
