import { buildScale, type Field, MAX_FILE_MB, MAX_TEXT } from '#src/areas/publishing/index.ts'
import { fill, type Language } from '#src/contract/language.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { nameFileInput, nameInput, typedIn } from './answers.rules.ts'
import { questionsText as text } from './text.ts'

/** What the fields of a form show: what was typed, and the codes of the errors by field. */
type FieldsView = {
  readonly fields: readonly Field[]
  readonly language: Language
  readonly typed: Pairs
  readonly errors: ReadonlyMap<string, string>
}

type One = { readonly field: Field; readonly view: FieldsView }

const formatId = ({ id }: Field): string => `field-${id}`

const renderLabel = ({ field, view }: One): Html =>
  html`<bdi>${field.label}</bdi>${field.required && html` <span class="quiet">${fill(text.required, view.language)}</span>`}`

const describeCondition = ({ field: { show_if: condition }, view }: One): string => {
  const on = view.fields.find(({ id }) => id === condition?.field_id)
  if (condition === null || on === undefined) return ''
  const option = on.options.find(({ id }) => id === condition.is)?.label
  const value = option ?? (on.type === 'consent' ? fill(text.agreed, view.language) : condition.is)
  return fill(text.onlyIf, view.language, { field: on.label, value })
}

const formatError = ({ field, view }: One): string => {
  const code = view.errors.get(field.id)
  if (code === undefined) return ''
  const phrases: Readonly<Record<string, (typeof text.errors)[keyof typeof text.errors]>> = text.errors
  return fill((Object.hasOwn(phrases, code) ? phrases[code] : undefined) ?? text.errors.other, view.language)
}

const formatLimit = ({ field, view }: One): string =>
  field.type === 'file' ? fill(text.atMost, view.language, { size: field.max ?? MAX_FILE_MB }) : ''

// The error first, since it is what the person has to do.
const hints = (one: One): Html => {
  const about = [describeCondition(one), one.field.help, formatLimit(one)].filter(words => words !== '').join(' ')
  const error = formatError(one)
  return html`${error !== '' && html`\n<p class="note" id="${formatId(one.field)}-error">${error}</p>`}${about !== '' && html`\n<p class="quiet hint" id="${formatId(one.field)}-hint" dir="auto">${about}</p>`}`
}

// A group has no state of its own, so only an input is marked as wrong.
const described = (one: One, isGroup = false): Html => {
  const about = [describeCondition(one), one.field.help, formatLimit(one)].some(words => words !== '')
  const hasError = formatError(one) !== ''
  const ids = [...(hasError ? [`${formatId(one.field)}-error`] : []), ...(about ? [`${formatId(one.field)}-hint`] : [])]
  return html`${ids.length > 0 && html` aria-describedby="${ids.join(' ')}"`}${hasError && !isGroup && html` aria-invalid="true"`}`
}

// A field that a condition may leave out is not required by the browser.
const needed = ({ required, show_if: condition }: Field): Html | false =>
  required && condition === null && html` required`

const KINDS: Readonly<Partial<Record<Field['type'], Html>>> = {
  text: html`type="text"`,
  email: html`type="email" autocomplete="email" maxlength="254"`,
  phone: html`type="tel" autocomplete="tel" maxlength="30"`,
  url: html`type="url" maxlength="2000"`,
  number: html`type="text" inputmode="decimal" autocomplete="off" maxlength="30"`,
  date: html`type="date"`,
}

const lineField = (one: One): Html => {
  const { field, view } = one
  const [value = ''] = typedIn(view.typed, field.id)
  return html`<label for="${formatId(field)}">${renderLabel(one)}</label>
<input id="${formatId(field)}" name="${nameInput(field.id)}" ${KINDS[field.type] ?? html`type="text"`} value="${value}"${needed(field)}${described(one)}>${hints(one)}`
}

const longField = (one: One): Html => {
  const { field, view } = one
  const [value = ''] = typedIn(view.typed, field.id)
  return html`<label for="${formatId(field)}">${renderLabel(one)}</label>
<textarea id="${formatId(field)}" name="${nameInput(field.id)}" rows="5" maxlength="${field.max ?? MAX_TEXT}"${needed(field)}${described(one)}>
${value}</textarea>${hints(one)}`
}

type Choice = { readonly id: string; readonly label: string }

const MANY = 7

const listField = (one: One): Html => {
  const { field, view } = one
  const [value = ''] = typedIn(view.typed, field.id)
  return html`<label for="${formatId(field)}">${renderLabel(one)}</label>
<select id="${formatId(field)}" name="${nameInput(field.id)}"${needed(field)}${described(one)}>
<option value="">${fill(text.choose, view.language)}</option>
${field.options.map(({ id, label }) => html`<option value="${id}"${id === value && html` selected`}>${label}</option>\n`)}</select>${hints(one)}`
}

const groupField = (one: One, choices: readonly Choice[], type: 'radio' | 'checkbox'): Html => {
  const { field, view } = one
  const chosen = new Set(typedIn(view.typed, field.id))
  return html`<fieldset${described(one, true)}>
<legend>${renderLabel(one)}</legend>
${choices.map(
  ({ id, label }) =>
    html`<div class="scope"><input type="${type}" id="${formatId(field)}-${id}" name="${nameInput(field.id)}" value="${id}"${chosen.has(id) && html` checked`}${type === 'radio' && needed(field)}><label for="${formatId(field)}-${id}"><bdi>${label}</bdi></label></div>\n`,
)}</fieldset>${hints(one)}`
}

const scaleField = (one: One): Html => {
  const { from, to } = buildScale(one.field)
  const steps = Array.from({ length: to - from + 1 }, (_, index) => String(from + index))
  return groupField(
    one,
    steps.map(step => ({ id: step, label: step })),
    'radio',
  )
}

const consentField = (one: One): Html => {
  const { field, view } = one
  const isChecked = typedIn(view.typed, field.id)[0] === 'yes'
  return html`<div class="scope"><input type="checkbox" id="${formatId(field)}" name="${nameInput(field.id)}" value="yes"${isChecked && html` checked`}${needed(field)}${described(one)}><label for="${formatId(field)}">${renderLabel(one)}</label></div>${hints(one)}`
}

// A file that was sent with a form that was refused is not sent again.
const fileField = (one: One): Html => {
  const { field, view } = one
  const sent = typedIn(view.typed, field.id).find(value => value !== '') ?? ''
  const name = formField(view.typed, nameFileInput(field.id))
  const kept =
    sent !== '' &&
    html`\n<p class="quiet">${fill(text.kept, view.language, { name })}</p><input type="hidden" name="${nameInput(field.id)}" value="${sent}"><input type="hidden" name="${nameFileInput(field.id)}" value="${name}">`
  return html`<label for="${formatId(field)}">${renderLabel(one)}</label>
<input id="${formatId(field)}" name="${nameInput(field.id)}" type="file"${sent === '' && needed(field)}${described(one)}>${kept}${hints(one)}`
}

const hiddenField = ({ field, view }: One): Html => {
  const [value = ''] = typedIn(view.typed, field.id)
  return html`<input type="hidden" name="${nameInput(field.id)}" value="${value}">`
}

const choiceField = (one: One): Html =>
  one.field.options.length >= MANY ? listField(one) : groupField(one, one.field.options, 'radio')

const fieldHtml: Readonly<Partial<Record<Field['type'], (one: One) => Html>>> = {
  long_text: longField,
  choice: choiceField,
  choices: one => groupField(one, one.field.options, 'checkbox'),
  scale: scaleField,
  consent: consentField,
  file: fileField,
  hidden: hiddenField,
}

/** The fields of a form with what was typed. */
export const fieldsHtml = (view: FieldsView): readonly Html[] =>
  view.fields.map(field => html`${(fieldHtml[field.type] ?? lineField)({ field, view })}\n`)

/** A field as the API returns it, with every value that it leaves out. */
export const completeField = (field: Pick<Field, 'id' | 'type' | 'label'> & Partial<Field>): Field => ({
  help: '',
  required: false,
  options: [],
  min: null,
  max: null,
  pattern: null,
  show_if: null,
  ...field,
})
