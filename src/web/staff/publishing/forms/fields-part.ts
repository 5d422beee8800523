import { fieldPatterns, type fieldTypes } from '#src/areas/publishing/index.ts'
import { fill, type Language } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { type Phrase, texts } from '#src/texts/index.ts'
import { checkbox, field, folded, inputs, select, textArea } from '#src/web/page/index.ts'
import { formatPart, type TypedField } from './form.rules.ts'

const { common: text } = texts.staff.schoolForms

/** The fields that an editor shows, and the types that one can choose. */
type FieldsView = {
  readonly fields: readonly TypedField[]
  readonly language: Language
  readonly types: readonly (typeof fieldTypes)[number][]
}

const listChoices = <Words extends string>(
  { language }: FieldsView,
  words: readonly Words[],
  phrases: Readonly<Record<Words, Phrase>>,
) => words.map(value => ({ value, label: fill(phrases[value], language) }))

// The id of an input is its name, since both are unique on the page.
const part = (
  view: FieldsView,
  index: number,
  name: keyof TypedField,
  label: Phrase,
  more: { readonly attributes?: Html; readonly hint?: string } = {},
): Html =>
  html`<div class="field">${field({
    name: formatPart(index, name),
    label: fill(label, view.language),
    value: view.fields[index]?.[name] ?? '',
    ...more,
  })}</div>`

const details = (view: FieldsView, one: TypedField, index: number): Html => {
  const { language } = view
  const earlier = view.fields
    .slice(0, index)
    .filter(({ type }) => ['choice', 'choices', 'scale', 'consent'].includes(type))
    .map(({ id, label }) => ({ value: id, label: label === '' ? id : label }))
  const always = { value: '', label: fill(text.always, language) }
  const anything = { value: '', label: fill(text.anything, language) }
  return html`${part(view, index, 'help', text.help, { attributes: html`type="text" maxlength="500"` })}
<div class="field">${textArea({ name: formatPart(index, 'options'), label: fill(text.options, language), value: one.options, hint: fill(text.optionsHint, language) })}</div>
<div class="pair">${part(view, index, 'min', text.min, { attributes: inputs.number })}
${part(view, index, 'max', text.max, { attributes: inputs.number, hint: fill(text.boundsHint, language) })}</div>
<div class="field">${select(formatPart(index, 'pattern'), fill(text.pattern, language), one.pattern, [anything, ...listChoices(view, fieldPatterns, text.patterns)])}</div>
<div class="pair"><div class="field">${select(formatPart(index, 'show_field'), fill(text.showField, language), one.show_field, [always, ...earlier])}</div>
${part(view, index, 'show_is', text.showIs, { attributes: html`type="text" maxlength="40"`, hint: fill(text.showHint, language) })}</div>`
}

const act = (value: string, label: string, sign: string): Html =>
  html`<button class="small" type="submit" name="act" value="${value}" aria-label="${label}" formnovalidate>${sign}</button>`

const fieldCard = (view: FieldsView, one: TypedField, index: number): Html => {
  const { language } = view
  const title = fill(text.field, language, { number: index + 1 })
  const name = one.label === '' ? title : one.label
  const about = (phrase: Phrase): string => `${fill(phrase, language)}: ${name}`
  return html`<fieldset class="card">
<legend>${title}</legend>
<input type="hidden" name="${formatPart(index, 'id')}" value="${one.id}" data-part>
${part(view, index, 'label', texts.words.question, { attributes: html`type="text" maxlength="1000" required` })}
${select(formatPart(index, 'type'), fill(text.type, language), one.type, listChoices(view, view.types, text.types))}
${checkbox(formatPart(index, 'required'), fill(text.required, language), { isChecked: one.required === 'yes' })}
${folded(fill(text.more, language), details(view, one, index), one.type.startsWith('choice'))}
<div class="acts">${index > 0 && act(`up-${index}`, about(texts.words.moveUp), '↑')}${index < view.fields.length - 1 && act(`down-${index}`, about(texts.words.moveDown), '↓')}${act(`remove-${index}`, about(texts.words.removeFromList), '×')}</div>
</fieldset>
`
}

/** The fields of a form as one text, to be compared with another one. */
export const writeFields = (fields: readonly TypedField[], language: Language): string =>
  fields
    .map(({ label, type, help, options, min, max }) => {
      const kind = Object.entries(text.types).find(([name]) => name === type)?.[1]
      const lines = [label, kind === undefined ? type : fill(kind, language), help, options, min, max]
      return lines
        .map(line => line.replaceAll('\r\n', '\n').trim())
        .filter(line => line !== '')
        .join('\n')
    })
    .join('\n\n')

/** The fields of a form or of an event as inputs, each with the buttons that move and remove it. */
export const fieldCards = (view: FieldsView): readonly Html[] =>
  view.fields.map((one, index) => fieldCard(view, one, index))
