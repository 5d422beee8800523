import type { Static } from 'typebox'
import { CustomFieldPage } from '#src/areas/people/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { cleanLine } from '#src/kit/text.ts'
import { texts } from '#src/texts/index.ts'
import { boxControl, type ControlState, inputs, lineControl, selectControl } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import type { Person } from './read.ts'

type Field = Encoded<Static<typeof CustomFieldPage>>['data'][number]

const LONGEST = 2000

/** The fields that the school added to its members. */
export const readCustomFields = async ({ call }: StaffContext): Promise<readonly Field[]> =>
  (await call({ operation: 'listCustomFields', query: [['limit', '100']], returns: CustomFieldPage })).data

const buildName = ({ key }: Field): string => `custom_${key}`

/** What is stored in these fields, as the pairs of a form. */
export const customPairs = (fields: readonly Field[], { custom_fields: values }: Person): Pairs =>
  fields.flatMap((field): Pairs => {
    const value = values[field.key]
    if (value === undefined || value === null || value === false) return []
    return [[buildName(field), value === true ? 'yes' : String(value)]]
  })

/** The controls of these fields. */
export const customRows = (fields: readonly Field[], state: ControlState, { t }: StaffContext): Html => {
  const row = (field: Field): Html => {
    const control = { name: buildName(field), label: field.label }
    if (field.type === 'boolean') return boxControl(state, control)
    if (field.type === 'choice') {
      const choices = field.options.map(value => ({ value, label: value }))
      return selectControl(state, control, [{ value: '', label: t(texts.words.none) }, ...choices])
    }
    const attributes = { number: inputs.number, date: inputs.day, text: html`type="text" maxlength="1000"` }
    return lineControl(state, { ...control, attributes: attributes[field.type] })
  }
  return html`${fields.map(row)}`
}

const readValue = (field: Field, typed: string): string | number | boolean | null => {
  if (field.type === 'boolean') return typed === 'yes'
  if (typed === '') return null
  // What is no number is refused by the operation as a value of another type.
  if (field.type === 'number')
    return Number.isFinite(Number(typed.replace(',', '.'))) ? Number(typed.replace(',', '.')) : typed
  return typed
}

/** What was typed into these fields, as a change of a member. */
export const customBody = (fields: readonly Field[], form: Pairs): Record<string, string | number | boolean | null> =>
  Object.fromEntries(
    fields.map(field => [field.key, readValue(field, cleanLine(formField(form, buildName(field)), LONGEST))]),
  )

/** What is stored in these fields, as facts. */
export const customFacts = (
  fields: readonly Field[],
  { custom_fields: values }: Person,
  { t }: StaffContext,
): (readonly [label: string, value: string | undefined])[] =>
  fields.map(({ key, label }) => {
    const value = values[key]
    if (value === undefined || value === null || value === false) return [label, undefined] as const
    return [label, value === true ? t(texts.page.form.yes) : String(value)] as const
  })
