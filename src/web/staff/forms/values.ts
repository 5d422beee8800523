import { refuseInvalid } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { readWhole } from '#src/kit/typed-numbers.ts'

/** A text of a form, with line breaks as Markdown has them. */
export const textIn = (form: Pairs, name: string): string => formField(form, name).replaceAll('\r\n', '\n')

/** A line of a form without spaces at its ends. */
export const lineIn = (form: Pairs, name: string): string => formField(form, name).trim()

/** The same; null where it is empty. */
export const lineOrNull = (form: Pairs, name: string): string | null => lineIn(form, name) || null

/** A whole number, or null where the field is empty. Refuses anything else as an error of the field. */
export const numberOrNull = (form: Pairs, name: string): number | null => {
  const text = lineIn(form, name)
  if (text === '') return null
  const number = readWhole(text)
  if (number === undefined) refuseInvalid([{ pointer: `/${name}`, code: 'integer', message: 'is no number' }])
  return number ?? null
}

/** Whether a box is checked. */
export const isChecked = (form: Pairs, name: string): boolean => formField(form, name) === 'yes'

/** The values of a field that is sent several times. */
export const valuesIn = (form: Pairs, name: string): string[] =>
  form.filter(([key]) => key === name).map(([, value]) => value)
