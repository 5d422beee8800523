import type { FieldError } from '#src/contract/problem.ts'
import type { Column } from '#src/kit/tabular/index.ts'
import {
  type ColumnMapping,
  type CustomFieldShape,
  findCustomField,
  formats,
  type ImportKind,
  importFields,
  typeOfField,
} from './fields.rules.ts'

const toError = (pointer: string, code: string, message: string): FieldError => ({ pointer, code, message })

// Several columns may have tags, and any number is ignored.
const SEVERAL = ['tags', 'ignore']

/** What is wrong with a mapping as such; the pointers lead into its list. */
export const errorsOfMapping = (
  kind: ImportKind,
  mapping: readonly ColumnMapping[],
  columns: readonly Column[],
  customFields: readonly CustomFieldShape[],
): FieldError[] => {
  const [seenColumns, seenFields] = [new Set<number>(), new Set<string>()]
  const known = new Set<string>(importFields[kind])
  const errors = mapping.flatMap(({ column, field, format }, at): FieldError[] => {
    const [isRepeated, isTaken] = [seenColumns.has(column), seenFields.has(field) && !SEVERAL.includes(field)]
    seenColumns.add(column)
    seenFields.add(field)
    const pointer = `/mapping/${at}`
    if (columns.every(({ index }) => index !== column))
      return [toError(`${pointer}/column`, 'unknown', 'is not a column of the file')]
    if (isRepeated) return [toError(`${pointer}/column`, 'repeated', 'has a field already')]
    if (!known.has(field) && findCustomField(field, customFields) === undefined)
      return [toError(`${pointer}/field`, 'unknown', 'is not a field of this kind of import')]
    if (isTaken) return [toError(`${pointer}/field`, 'repeated', 'is the field of another column already')]
    const fitting = formats[typeOfField(field, customFields)] ?? []
    return format === undefined || fitting.includes(format)
      ? []
      : [toError(`${pointer}/format`, 'unknown', `is not a format of this field; formats are ${fitting.join(', ')}`)]
  })
  if (seenFields.has('email')) return errors
  return [...errors, toError('/mapping', 'email_missing', 'has no column with e-mail addresses')]
}
