import type { Static } from 'typebox'
import { type Form, fieldPatterns, fieldTypes } from '#src/areas/publishing/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Language } from '#src/contract/language.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { instantOf, isLocalTime, localAt } from '#src/kit/local-time.ts'
import { slugOf } from '#src/kit/text.ts'
import { readDecimal, readWhole } from '#src/kit/typed-numbers.ts'

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
export const partOf = (index: number, name: keyof TypedField): string => `field.${index}.${name}`

/** A field without anything. */
const emptyField = (id: string): TypedField => ({
  ...{ id, type: 'text', label: '', help: '', required: '', options: '', min: '', max: '', pattern: '' },
  ...{ show_field: '', show_is: '' },
})

const fieldAt = (form: Pairs, index: number): TypedField => {
  const entries = NAMES.map(name => [name, formField(form, partOf(index, name))] as const)
  return { ...emptyField(''), ...Object.fromEntries(entries) }
}

/** The fields that a form of the page has, in their order. */
export const typedFields = (form: Pairs): TypedField[] => {
  const fields: TypedField[] = []
  for (let index = 0; index < MOST && form.some(([name]) => name === partOf(index, 'id')); index++)
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

/** The fields after a button that moves, adds or removes one; undefined for any other button. */
export const rearranged = (fields: readonly TypedField[], act: string, newId: string): TypedField[] | undefined => {
  if (act === 'add') return fields.length < MOST ? [...fields, emptyField(newId)] : [...fields]
  const [, verb = '', digits = ''] = /^(up|down|remove)-(\d{1,2})$/.exec(act) ?? []
  const from = Number(digits)
  const field = fields[from]
  if (verb === '' || field === undefined) return undefined
  const others = fields.toSpliced(from, 1)
  return verb === 'remove' ? others : others.toSpliced(Math.max(0, from + (verb === 'up' ? -1 : 1)), 0, field)
}

const optionIdOf = (label: string, index: number): string => {
  const id = slugOf(label).replaceAll('-', '_').slice(0, 40)
  return id === '' ? `option_${index + 1}` : id
}

const optionsIn = (text: string) =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
    .map((line, index) => {
      const [label = '', id = ''] = line.split('|').map(part => part.trim())
      return { id: id === '' ? optionIdOf(label, index) : id, label }
    })

// What is no number is refused by the operation.
const numberIn = (text: string, language: Language): number | string | null => {
  if (text.trim() === '') return null
  const number = readDecimal(text, language)
  return number === undefined ? text : Number(number)
}

const known = (words: readonly string[], word: string): string => (words.includes(word) ? word : (words[0] ?? ''))

const fieldOf = (field: TypedField, language: Language) => ({
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
export const fieldsIn = (form: Pairs, language: Language) => typedFields(form).map(field => fieldOf(field, language))

const timeIn = (local: string, zone: string): string | null => {
  if (local === '') return null
  return isLocalTime(local) ? instantOf({ local, time_zone: zone }).toISOString() : local
}

/** A time of a form as its input has it, in the zone of the school. */
export const localOf = (instant: string | null, zone: string): string =>
  instant === null ? '' : localAt(new Date(instant), zone).slice(0, 16)

const textIn = (form: Pairs, name: string): string => formField(form, name).replaceAll('\r\n', '\n').trim()

// What is no number is refused by the operation.
const wholeField = (form: Pairs, name: string): number | string | null => {
  const text = formField(form, name).trim()
  return text === '' ? null : (readWhole(text) ?? text)
}

/** The body of a change, as the form says; times are those of the zone of the school. */
export const changesIn = (
  form: Pairs,
  {
    zone,
    me,
    notify,
    language,
  }: {
    readonly zone: string
    readonly me: string
    readonly notify: readonly string[]
    readonly language: Language
  },
) => {
  const others = notify.filter(id => id !== me)
  const path = textIn(form, 'redirect_path')
  return {
    title: textIn(form, 'title'),
    slug: textIn(form, 'slug'),
    intro: textIn(form, 'intro'),
    submit_label: textIn(form, 'submit_label'),
    done_text: textIn(form, 'done_text'),
    redirect_path: path === '' ? null : path,
    retention_days: wholeField(form, 'retention_days'),
    opens_at: timeIn(textIn(form, 'opens_at'), zone),
    closes_at: timeIn(textIn(form, 'closes_at'), zone),
    max_submissions: wholeField(form, 'max_submissions'),
    needs_sign_in: formField(form, 'needs_sign_in') === 'yes',
    one_per_member: formField(form, 'one_per_member') === 'yes',
    notify: formField(form, 'notify_me') === 'yes' ? [...others, me] : others,
    fields: fieldsIn(form, language),
  }
}
