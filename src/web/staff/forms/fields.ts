import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import type { Choice } from '#src/web/page/index.ts'
import type { FieldErrors } from './errors.ts'

/** What the fields of a form show: what is stored or was typed, and what is wrong with it. */
export type FormState = { readonly typed: Pairs; readonly errors: FieldErrors }

type Field = {
  readonly name: string
  readonly label: string
  readonly hint?: string
  /** The attributes of an input. */
  readonly attributes?: Html
  readonly rows?: number
  /** Unique on the page; the name by default. */
  readonly id?: string
}

const describedBy = ({ name, id = name, hint }: Field, { errors }: FormState): Html => {
  const ids = [...(errors.has(name) ? [`${id}-error`] : []), ...(hint === undefined ? [] : [`${id}-hint`])]
  const invalid = errors.has(name) ? html` aria-invalid="true"` : html``
  return ids.length === 0 ? html`` : html`${invalid} aria-describedby="${ids.join(' ')}"`
}

const below = ({ name, id = name, hint }: Field, { errors }: FormState): Html => {
  const error = errors.get(name)
  return html`${hint !== undefined && html`\n<p class="quiet hint" id="${id}-hint">${hint}</p>`}${error !== undefined && html`\n<p class="field-error" id="${id}-error">${error}</p>`}`
}

/** A labelled input with its hint and its error. */
export const line = (state: FormState, field: Field): Html => {
  const { name, id = name, label, attributes = html`type="text"` } = field
  return html`<div class="field"><label for="${id}">${label}</label>
<input id="${id}" name="${name}" ${attributes} value="${formField(state.typed, name)}"${describedBy(field, state)}>${below(field, state)}</div>
`
}

/** A labelled text of several lines with its hint and its error. */
export const area = (state: FormState, field: Field): Html => {
  const { name, id = name, label, attributes = html``, rows = 4 } = field
  return html`<div class="field"><label for="${id}">${label}</label>
<textarea id="${id}" name="${name}" rows="${rows}" ${attributes}${describedBy(field, state)}>
${formField(state.typed, name)}</textarea>${below(field, state)}</div>
`
}

/** A labelled list of choices with its hint and its error. */
export const choose = (state: FormState, field: Field, choices: readonly Choice[]): Html => {
  const { name, id = name, label } = field
  const chosen = formField(state.typed, name)
  return html`<div class="field"><label for="${id}">${label}</label>
<select id="${id}" name="${name}"${describedBy(field, state)}>
${choices.map(({ value, label: text }) => html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>\n`)}</select>${below(field, state)}</div>
`
}

/** A labelled box that sends `yes`, or its value, when it is checked. */
export const box = (state: FormState, field: Field, value = 'yes'): Html => {
  const { name, id = name, label, hint } = field
  const isChecked = state.typed.some(([key, one]) => key === name && one === value)
  return html`<div class="scope"><input type="checkbox" id="${id}" name="${name}" value="${value}"${isChecked && html` checked`}><label for="${id}">${label}${hint !== undefined && html` <span class="quiet">${hint}</span>`}</label></div>
`
}
