import { formField, type Pairs } from '#src/kit/form.ts'

/** A text of a form, with line breaks as Markdown has them. */
export const textIn = (form: Pairs, name: string): string => formField(form, name).replaceAll('\r\n', '\n')

/** A line of a form without spaces at its ends. */
export const lineIn = (form: Pairs, name: string): string => formField(form, name).trim()

/** The same; null where it is empty. */
export const lineOrNull = (form: Pairs, name: string): string | null => lineIn(form, name) || null

/** The values of a field that is sent several times. */
export const valuesIn = (form: Pairs, name: string): string[] =>
  form.filter(([key]) => key === name).map(([, value]) => value)
