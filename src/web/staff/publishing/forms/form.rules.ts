import type { Static } from 'typebox'
import { type Form, fieldPatterns, fieldTypes } from '#src/areas/publishing/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Language } from '#src/contract/language.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { localAt } from '#src/kit/local-time.ts'
import { toSlug } from '#src/kit/text.ts'
import { readDecimal } from '#src/kit/typed-numbers.ts'
import { texts } from '#src/texts/index.ts'
import { box, count, fieldsFor, line, optionalLine, optionalTime, required, text, whole } from '#src/web/page/index.ts'

/** A form as these pages read it. */
export type FormShown = Encoded<Static<typeof Form>>

/** A field as it was typed: every value is a text. */
export type TypedField = {
  readonly id: string
  readonly type: string
  readonly label: string
  readonly help: string
  readonly required: string
  readonly options: string
  readonly min: string
  readonly max: string
  readonly pattern: string
  readonly show_field: string
  readonly show_is: string
}

const NAMES = [
  ...(['id', 'type', 'label', 'help', 'required', 'options', 'min', 'max', 'pattern'] as const),
  ...(['show_field', 'show_is'] as const),
] as const

const MOST = 100

/** The name of the input of a part of a field, by the place of the field. */
export const formatPart = (index: number, name: keyof TypedField): string => `field.${index}.${name}`

/** A field without anything. */
const emptyField = (id: string): TypedField => ({
  id,
  type: 'text',
  label: '',
  help: '',
  required: '',
  options: '',
  min: '',
  max: '',
  pattern: '',
  show_field: '',
  show_is: '',
})

const fieldAt = (form: Pairs, index: number): TypedField => {
  const entries = NAMES.map(name => [name, formField(form, formatPart(index, name))] as const)
  return { ...emptyField(''), ...Object.fromEntries(entries) }
}

/** The fields that a form of the page has, in their order. */
export const typedFields = (form: Pairs): TypedField[] => {
  const fields: TypedField[] = []
  for (let index = 0; index < MOST && form.some(([name]) => name === formatPart(index, 'id')); index++)
    fields.push(fieldAt(form, index))
  return fields
}

/** The fields of a stored form, as they are typed. */
export const storedFields = ({ fields }: Pick<FormShown, 'fields'>): TypedField[] =>
  fields.map(field => ({
    id: field.id,
    type: field.type,
    label: field.label,
    help: field.help ?? '',
    required: field.required === true ? 'yes' : '',
    options: (field.options ?? []).map(({ id, label }) => `${label} | ${id}`).join('\n'),
    min: field.min == null ? '' : String(field.min),
    max: field.max == null ? '' : String(field.max),
    pattern: field.pattern ?? '',
    show_field: field.show_if?.field_id ?? '',
    show_is: field.show_if?.is ?? '',
  }))

/** The fields after a button that moves, adds or removes one; `again` leaves them. Undefined for any other button. */
export const rearranged = (fields: readonly TypedField[], act: string, newId: string): TypedField[] | undefined => {
  if (act === 'add') return fields.length < MOST ? [...fields, emptyField(newId)] : [...fields]
  if (act === 'again') return [...fields]
  const [, verb = '', digits = ''] = /^(up|down|remove)-(\d{1,2})$/.exec(act) ?? []
  const from = Number(digits)
  const field = fields[from]
  if (verb === '' || field === undefined) return undefined
  const others = fields.toSpliced(from, 1)
  return verb === 'remove' ? others : others.toSpliced(Math.max(0, from + (verb === 'up' ? -1 : 1)), 0, field)
}

const buildOptionId = (label: string, index: number): string => {
  const id = toSlug(label).replaceAll('-', '_').slice(0, 40)
  return id === '' ? `option_${index + 1}` : id
}

const optionsIn = (text: string) =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
    .map((line, index) => {
      const [label = '', id = ''] = line.split('|').map(part => part.trim())
      return { id: id === '' ? buildOptionId(label, index) : id, label }
    })

// What is no number is refused by the operation.
const numberIn = (text: string, language: Language): number | string | null => {
  if (text.trim() === '') return null
  const number = readDecimal(text, language)
  return number === undefined ? text : Number(number)
}

const known = (words: readonly string[], word: string): string => (words.includes(word) ? word : (words[0] ?? ''))

const readField = (field: TypedField, language: Language) => ({
  id: field.id,
  type: known(fieldTypes, field.type),
  label: field.label.trim(),
  help: field.help.trim(),
  required: field.required === 'yes',
  options: field.type === 'choice' || field.type === 'choices' ? optionsIn(field.options) : [],
  min: numberIn(field.min, language),
  max: numberIn(field.max, language),
  pattern: field.pattern === '' ? null : known(fieldPatterns, field.pattern),
  show_if: field.show_field === '' ? null : { field_id: field.show_field, is: field.show_is.trim() },
})

/** The fields that a form of the page has, as an operation takes them. */
export const fieldsIn = (form: Pairs, language: Language) => typedFields(form).map(field => readField(field, language))

/** A time of a form as its input has it, in the zone of the school. */
export const toLocal = (instant: string | null, zone: string): string =>
  instant === null ? '' : localAt(new Date(instant), zone).slice(0, 16)

type Settings = FormShown & { readonly max_submissions: number | null; readonly notify_me: boolean }

/** The settings of a form; times are in the zone of the school. */
export const formFields = fieldsFor<Settings>()(texts.staff.schoolForms.formFields, {
  title: required(line({ most: 200 })),
  intro: text({ most: 10_000 }),
  slug: required(line({ most: 80 })),
  submit_label: line({ most: 60 }),
  done_text: text({ most: 5000 }),
  redirect_path: optionalLine({ most: 500 }),
  retention_days: required(count()),
  opens_at: optionalTime(),
  closes_at: optionalTime(),
  max_submissions: whole(),
  needs_sign_in: box(),
  one_per_member: box(),
  notify_me: box(),
})

/** Who changes a form: their id, for the mails about answers, their language, and the zone in which they type times. */
type Editor = {
  readonly zone: string
  readonly me: string
  readonly notify: readonly string[]
  readonly language: Language
}

/** The body of a change, as the form says. */
export const changesIn = (form: Pairs, { zone, me, notify, language }: Editor) => {
  const { notify_me, ...settings } = formFields.body(form, { language, timeZone: zone })
  const others = notify.filter(id => id !== me)
  return { ...settings, notify: notify_me ? [...others, me] : others, fields: fieldsIn(form, language) }
}
