import { fill } from '#src/contract/language.ts'
import { formField } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { type Field, one, orNull, readLine, type Shown, type When } from './field.ts'
import type { Choice } from './inputs.ts'

const namedChoices = (values: readonly string[], { name, texts, language }: Shown): Choice[] =>
  values.map(value => {
    const label = texts.choices?.[value]
    if (label === undefined) throw new Error(`the choice ${value} of ${name} has no text`)
    return { value, label: fill(label, language) }
  })

const renderSelect = (options: readonly Choice[], { id, name, typed, about }: Shown): Html => {
  const chosen = formField(typed, name)
  return html`<select id="${id}" name="${name}"${about}>
${options.map(({ value, label }) => html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>\n`)}</select>`
}

/** One of several choices. */
export const choice = <Value extends string>(choices: readonly Value[], when: When = {}): Field<Value> => ({
  ...when,
  // What is no choice is left for the operation to refuse.
  read: (form, name) => formField(form, name) as Value,
  write: (value, name) => one(name, value),
  control: shown => renderSelect(namedChoices(choices, shown), shown),
})

/** One of the choices that the page knows; the empty one is null, and is added where they have none. */
export const selectOneOrNone = (when: When = {}): Field<string | null> => ({
  ...when,
  read: (form, name) => orNull(readLine(form, name)),
  write: (value, name) => one(name, value),
  control(shown) {
    const { texts, language, choices = [] } = shown
    const none = { value: '', label: texts.none === undefined ? '' : fill(texts.none, language) }
    return renderSelect(choices.some(({ value }) => value === '') ? choices : [none, ...choices], shown)
  },
})

/** Any of several choices, as boxes; those that the page knows where none are named, which is left out where it knows none and nothing is said of that. */
export const selectMany = <Value extends string>(choices: readonly Value[] = [], when: When = {}): Field<Value[]> => ({
  ...when,
  kind: 'group',
  read: (form, name) => form.filter(([key]) => key === name).map(([, value]) => value as Value),
  write: (values, name) => values.map(value => [name, value] as const),
  control(shown) {
    const { id, name, typed, texts, language, choices: known } = shown
    if (known?.length === 0) return html`<p class="quiet">${texts.none && fill(texts.none, language)}</p>`
    const isChosen = (value: string): boolean => typed.some(([key, one]) => key === name && one === value)
    return html`${(known ?? namedChoices(choices, shown)).map(
      ({ value, label }) =>
        html`<div class="scope"><input type="checkbox" id="${id}-${value}" name="${name}" value="${value}"${isChosen(value) && html` checked`}><label for="${id}-${value}">${label}</label></div>\n`,
    )}`
  },
})

/** One of several things that have names of their own. */
export const selectOne = (options: readonly Choice[], when: When = {}): Field<string> => ({
  ...when,
  read: readLine,
  write: (value, name) => one(name, value),
  control: shown => renderSelect(options, shown),
})

/** A box that is checked or not. */
export const box = (when: When = {}): Field<boolean> => ({
  ...when,
  kind: 'box',
  read: (form, name) => formField(form, name) === 'yes',
  write: (value, name) => one(name, value ? 'yes' : ''),
  control: ({ id, name, typed, about }) =>
    html`<input type="checkbox" id="${id}" name="${name}" value="yes"${formField(typed, name) === 'yes' && html` checked`}${about}>`,
})
