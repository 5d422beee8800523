import type { Reply } from '#src/contract/endpoint.ts'
import { fill, inEach, type Language, type Phrase } from '#src/contract/language.ts'
import type { Refusal } from '#src/contract/problem.ts'
import type { Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import {
  type Choice,
  checkbox,
  doneIn,
  type Framed,
  field,
  hidden,
  mainButton,
  renderConflict,
  renderForm,
  select,
  textArea,
} from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { languageChoices, listChoices } from './choices.ts'
import { differencesIn, type Field, type Values, wordsIn } from './fields.ts'
import { type Part, parts, type SchoolPage } from './parts.ts'
import { settingsText as text } from './text.ts'

type SettingsView = {
  readonly frame: StaffContext['frame']
  readonly language: Language
  readonly token: string
  readonly part: Part
  readonly revision: number
  readonly values: Values
  /** The pages that a field can name. */
  readonly pages: readonly SchoolPage[]
  readonly mayChange: boolean
  readonly done: string
  readonly refusal: Refusal | undefined
  /** What is stored, and what was typed and sent just now with its act. */
  readonly stored: Values
  readonly sent: { readonly act: string; readonly typed: Pairs } | undefined
}

/** The address of a page of the settings. */
export const buildPath = ({ word }: Pick<Part, 'word'>): string => `/staff/settings/${word}`

const chosen = (
  path: string,
  label: string,
  value: string,
  choices: readonly Choice[],
  hint: string | undefined,
): Html =>
  html`${select(path, label, value, choices)}${hint !== undefined && html`\n<p class="quiet hint">${hint}</p>`}`

const boxes = (name: string, choices: readonly Choice[], isChecked: boolean): Html =>
  html`<div class="boxes">${choices.map(({ value, label }) => checkbox(name, label, { id: `${name}-${value}`, value, isChecked }))}</div>`

// The chosen languages first, and the others where they are looked for.
const languageBoxes = ({ path: name, label, hint }: Field, value: string, { language }: SettingsView): Html => {
  const isChosen = (choice: Choice): boolean => wordsIn(value).includes(choice.value)
  const all = languageChoices(value, language)
  return html`<fieldset>
<legend>${fill(label, language)}</legend>
${hint !== undefined && html`<p class="quiet">${fill(hint, language)}</p>\n`}${boxes(name, all.filter(isChosen), true)}
<details class="add"><summary>${fill(text.moreLanguages, language)}</summary>
${boxes(
  name,
  all.filter(choice => !isChosen(choice)),
  false,
)}</details>
</fieldset>`
}

const renderInput = (one: Field, view: SettingsView): Html => {
  const { path: name, kind } = one
  const { language, values } = view
  const [label, value] = [fill(one.label, language), values[name] ?? '']
  const hint = one.hint && fill(one.hint, language)
  const about = { name, label, value, ...(hint === undefined ? {} : { hint }) }
  if (kind === 'check')
    return checkbox(name, label, { isChecked: value === 'yes', ...(hint === undefined ? {} : { hint }) })
  if (kind === 'languages') return languageBoxes(one, value, view)
  const choices = listChoices(one, value, view)
  if (choices !== undefined) return chosen(name, label, value, choices, hint)
  if (kind === 'lines') return textArea({ ...about, attributes: html`maxlength="${one.max}"` })
  if (kind === 'rates')
    return textArea({ ...about, attributes: html`maxlength="20000" spellcheck="false" class="code"` })
  if (kind === 'line') return field({ ...about, attributes: html`type="text" maxlength="${one.max}"` })
  return field({ ...about, attributes: html`type="text" maxlength="400"` })
}

const tabs = ({
  language,
  part,
}: SettingsView): Html => html`<nav class="tabs" aria-label="${fill(text.parts, language)}"><ul>
${parts.map(one => html`<li><a href="${buildPath(one)}"${one === part && html` aria-current="page"`}>${fill(one.title, language)}</a></li>\n`)}</ul></nav>`

// The field of an error: `/legal/address/city` is `address.city` of the seller, and `/locale` that of the school.
const findField = ({ part }: SettingsView, pointer: string): Field | undefined => {
  const path = pointer
    .slice(1)
    .split('/')
    .slice(part.word === 'school' ? 0 : 1)
    .join('.')
  return part.fields.find(
    one => path === one.path || path.startsWith(`${one.path}.`) || one.path.startsWith(`${path}.`),
  )
}

const chooseSentence = (view: SettingsView, { problem, extras }: Refusal): string => {
  const phrases: Readonly<Record<string, Phrase>> = text.refusals
  const [error] = extras.errors ?? []
  const wrong = error && findField(view, error.pointer)
  if (wrong !== undefined) return fill(text.refusals.field, view.language, { field: fill(wrong.label, view.language) })
  return fill(phrases[problem.code] ?? inEach(() => problem.title), view.language)
}

const buildNotice = (view: SettingsView): Pick<Framed, 'notice' | 'status'> => {
  const { refusal, done, language } = view
  if (refusal === undefined) return { notice: doneIn({ saved: text.saved }, done, language) }
  return { notice: { kind: 'refused', text: chooseSentence(view, refusal) }, status: refusal.problem.status }
}

const conflictPart = (view: SettingsView): Html | false => {
  const { part, sent, stored, refusal, language } = view
  const names = part.fields.map(({ path }) => path)
  return renderConflict(
    { language, t: (phrase, values) => fill(phrase, language, values) },
    sent && {
      ...sent,
      refusal,
      stored: Object.entries(stored),
      fields: { names, differences: ({ typed }) => differencesIn(part.fields, typed, { stored, language }) },
      within: 'settings',
    },
  )
}

/** A page of the settings: links to the others, and the form. */
export const settingsPage = (view: SettingsView): Reply => {
  const { language, part, mayChange, token, revision } = view
  const fields = html`${part.fields.map(one => html`${renderInput(one, view)}\n`)}`
  const inside = html`${hidden({ revision })}${fields}${mainButton(fill(text.save, language))}`
  const form = renderForm(buildPath(part), token, inside, { id: 'settings', draft: 'settings' })
  return view.frame({
    title: `${fill(text.name, language)}: ${fill(part.title, language)}`,
    tabs: tabs(view),
    ...buildNotice(view),
    body: html`<p>${fill(part.about, language)}</p>
${mayChange ? html`${conflictPart(view)}${form}` : html`<p class="note">${fill(text.ownersOnly, language)}</p>\n<fieldset disabled>${fields}</fieldset>`}`,
  })
}
