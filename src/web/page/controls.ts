import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import type { Choice } from './inputs.ts'

/** An input that may be left empty; `id` is unique on the page and by default the name. */
type Field = {
  readonly name: string
  readonly id?: string
  readonly label: string
  readonly value: string
  readonly attributes?: Html
  readonly hint?: string
}

const described = (id: string, hint: string | undefined): Html =>
  hint === undefined ? html`` : html` aria-describedby="${id}-hint"`

const renderHint = (id: string, hint: string | undefined): Html =>
  hint === undefined ? html`` : html`\n<p class="quiet hint" id="${id}-hint">${hint}</p>`

/** A labelled input that may be left empty, by default of one line of text. */
export const field = ({ name, id = name, label, value, hint, attributes = html`type="text"` }: Field): Html =>
  html`<label for="${id}">${label}</label>
<input id="${id}" name="${name}" ${attributes} value="${value}"${described(id, hint)}>${renderHint(id, hint)}`

/** A labelled text of several lines that may be left empty. */
export const textArea = ({ name, id = name, label, value, hint, attributes = html`` }: Field): Html =>
  html`<label for="${id}">${label}</label>
<textarea id="${id}" name="${name}" rows="3" ${attributes}${described(id, hint)}>
${value}</textarea>${renderHint(id, hint)}`

/** The attributes of the types of inputs of these pages. */
export const inputs = {
  day: html`type="date" min="1900-01-01" max="2200-12-31"`,
  amount: html`type="text" inputmode="decimal" autocomplete="off" maxlength="16"`,
  number: html`type="text" inputmode="numeric" autocomplete="off" maxlength="12"`,
  search: html`type="search" maxlength="200"`,
} as const

/** A labelled box that sends `yes` when it is checked. */
export const checkbox = (
  name: string,
  label: string,
  { isChecked, hint, id = name, value = 'yes' }: { isChecked: boolean; hint?: string; id?: string; value?: string },
): Html =>
  html`<div class="scope"><input type="checkbox" id="${id}" name="${name}" value="${value}"${isChecked && html` checked`}><label for="${id}">${label}${hint !== undefined && html` <span class="quiet">${hint}</span>`}</label></div>`

/** A part of a page that is opened to be used; `isOpen` opens it at once. */
export const folded = (title: string, inside: Html, isOpen = false): Html =>
  html`<details class="card"${isOpen && html` open`}>
<summary>${title}</summary>
${inside}
</details>
`

/** What the fields of a form show: what is stored or was typed, and what is wrong with it. */
export type ControlState = { readonly typed: Pairs; readonly errors: ReadonlyMap<string, string> }

type Control = {
  readonly name: string
  readonly label: string | Html
  readonly hint?: string
  /** The attributes of an input. */
  readonly attributes?: Html
  readonly rows?: number
  /** Unique on the page; the name by default. */
  readonly id?: string
}

const describedBy = ({ name, id = name, hint }: Control, { errors }: ControlState): Html => {
  const ids = [...(errors.has(name) ? [`${id}-error`] : []), ...(hint === undefined ? [] : [`${id}-hint`])]
  const invalid = errors.has(name) ? html` aria-invalid="true"` : html``
  return ids.length === 0 ? html`` : html`${invalid} aria-describedby="${ids.join(' ')}"`
}

const renderBelow = ({ name, id = name, hint }: Control, { errors }: ControlState): Html => {
  const error = errors.get(name)
  return html`${hint !== undefined && html`\n<p class="quiet hint" id="${id}-hint">${hint}</p>`}${error !== undefined && html`\n<p class="field-error" id="${id}-error">${error}</p>`}`
}

/** A labelled input with its hint and its error. */
export const lineControl = (state: ControlState, field: Control): Html => {
  const { name, id = name, label, attributes = html`type="text"` } = field
  return html`<div class="field"><label for="${id}">${label}</label>
<input id="${id}" name="${name}" ${attributes} value="${formField(state.typed, name)}"${describedBy(field, state)}>${renderBelow(field, state)}</div>
`
}

/** A labelled text of several lines with its hint and its error. */
export const areaControl = (state: ControlState, field: Control): Html => {
  const { name, id = name, label, attributes = html``, rows = 4 } = field
  return html`<div class="field"><label for="${id}">${label}</label>
<textarea id="${id}" name="${name}" rows="${rows}" ${attributes}${describedBy(field, state)}>
${formField(state.typed, name)}</textarea>${renderBelow(field, state)}</div>
`
}

/** A labelled list of choices with its hint and its error. */
export const selectControl = (state: ControlState, field: Control, choices: readonly Choice[]): Html => {
  const { name, id = name, label } = field
  const chosen = formField(state.typed, name)
  return html`<div class="field"><label for="${id}">${label}</label>
<select id="${id}" name="${name}"${describedBy(field, state)}>
${choices.map(({ value, label: text }) => html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>\n`)}</select>${renderBelow(field, state)}</div>
`
}

/** A labelled box that sends `yes`, or its value, when it is checked, with its error. */
export const boxControl = (state: ControlState, field: Control, value = 'yes'): Html => {
  const { name, id = name, label, hint, attributes } = field
  const isChecked = state.typed.some(([key, one]) => key === name && one === value)
  const error = { name, id, label }
  return html`<div class="scope"><input type="checkbox" id="${id}" name="${name}" value="${value}"${isChecked && html` checked`}${attributes && html` ${attributes}`}${describedBy(error, state)}><label for="${id}">${label}${hint !== undefined && html` <span class="quiet">${hint}</span>`}</label></div>${renderBelow(error, state)}
`
}
