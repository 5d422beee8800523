import { type Html, html } from '#src/kit/html.ts'

/** One input with its label; `attributes` defines its type. */
type Field = {
  readonly name: string
  readonly label: string
  readonly attributes: Html
  readonly value?: string
  readonly hint?: string
}

/** A labelled required input. */
export const input = ({ name, label, attributes, value, hint }: Field): Html => {
  const filled = value === undefined ? '' : html` value="${value}"`
  const described = hint === undefined ? '' : html` aria-describedby="${name}-hint"`
  return html`<label for="${name}">${label}</label>
<input id="${name}" name="${name}" ${attributes}${filled}${described} required>
${hint !== undefined && html`<p class="quiet" id="${name}-hint">${hint}</p>`}`
}

/** One choice of a list. */
export type Choice = { readonly value: string; readonly label: string }

/** A labelled list of choices, one of them chosen. */
export const select = (name: string, label: string, chosen: string, choices: readonly Choice[]): Html =>
  html`<label for="${name}">${label}</label>
<select id="${name}" name="${name}">
${choices.map(({ value, label }) => html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>\n`)}</select>`

/** The button that sends a form. */
export const mainButton = (label: string): Html =>
  html`<div class="buttons"><button class="main" type="submit">${label}</button></div>`

/** A button for one of several items; `about` says for screen readers which item it belongs to. */
export const choiceButton = (name: string, value: string, label: string, about?: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}">
<button type="submit"${about !== undefined && html` aria-label="${label}: ${about}"`}>${label}</button>`

/** The attributes of each type of input. */
export const kinds = {
  name: html`type="text" autocomplete="name" maxlength="120"`,
  email: html`type="email" autocomplete="email" maxlength="254"`,
  currentPassword: html`type="password" autocomplete="current-password" maxlength="256"`,
  newPassword: html`type="password" autocomplete="new-password" minlength="10" maxlength="256"`,
  code: html`type="text" inputmode="numeric" autocomplete="one-time-code" pattern="[^A-Za-z]{6,20}" maxlength="20"`,
} as const
