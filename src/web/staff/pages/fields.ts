import { type Html, html } from '#src/kit/html.ts'

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

const hintOf = (id: string, hint: string | undefined): Html =>
  hint === undefined ? html`` : html`\n<p class="quiet hint" id="${id}-hint">${hint}</p>`

/** A labelled input that may be left empty, by default of one line of text. */
export const field = ({ name, id = name, label, value, hint, attributes = html`type="text"` }: Field): Html =>
  html`<label for="${id}">${label}</label>
<input id="${id}" name="${name}" ${attributes} value="${value}"${described(id, hint)}>${hintOf(id, hint)}`

/** A labelled text of several lines that may be left empty. */
export const textArea = ({ name, id = name, label, value, hint, attributes = html`` }: Field): Html =>
  html`<label for="${id}">${label}</label>
<textarea id="${id}" name="${name}" rows="3" ${attributes}${described(id, hint)}>
${value}</textarea>${hintOf(id, hint)}`

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
