import { fill, type Language } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { type Choice, select } from '#src/web/account/index.ts'
import { checkbox, field, inputs, textArea } from '../pages/fields.ts'
import { type BlockField, blockForms, type OptionList } from './block-fields.ts'
import type { EditedBlock, Values } from './blocks.rules.ts'
import { editorText as text } from './text.ts'

/** What fields can be chosen from, and the names of the files that blocks have. */
export type Options = {
  readonly language: Language
  readonly lists: Readonly<Record<OptionList, readonly Choice[]>>
  readonly files: ReadonlyMap<string, string>
}

const imageField = (name: string, label: string, fileId: string, { files }: Options): Html => html`<label for="${name}.file">${label}</label>
${fileId !== '' && html`<p class="quiet"><bdi>${files.get(fileId) ?? fileId}</bdi></p>\n<input type="hidden" name="${name}" value="${fileId}">\n`}<input id="${name}.file" name="${name}.file" type="file" accept="image/png,image/jpeg,image/webp,image/gif">`

const manyField = (name: string, label: string, chosen: readonly string[], choices: readonly Choice[]): Html =>
  html`<fieldset><legend>${label}</legend>
${choices.map(({ value, label: one }) => checkbox(name, one, { id: `${name}.${value}`, value, isChecked: chosen.includes(value) }))}</fieldset>`

const fieldHtml = (prefix: string, one: BlockField, values: Values, options: Options): Html => {
  const { language, lists } = options
  const name = `${prefix}.${one.name}`
  const label = fill(one.label, language)
  const all = values[one.name] ?? []
  const [value = ''] = all
  const choices = one.from === undefined ? [] : lists[one.from]
  switch (one.kind) {
    case 'line':
      return field({ name, label, value })
    case 'number':
      return field({ name, label, value, attributes: inputs.number })
    case 'text':
      return textArea({ name, label, value, attributes: html`class="tall"` })
    case 'code':
      return textArea({ name, label, value, attributes: html`class="code" spellcheck="false"` })
    case 'image':
      return imageField(name, label, value, options)
    case 'many':
      return manyField(name, label, all, choices)
    case 'one':
      return select(name, label, value, [{ value: '', label: '–' }, ...choices])
    default:
      return select(
        name,
        label,
        value,
        Object.entries(one.choices ?? {}).map(([key, phrase]) => ({ value: key, label: fill(phrase, language) })),
      )
  }
}

// One empty item after those that are there, so that more can be added without a script.
const itemsHtml = (prefix: string, { type, items }: EditedBlock, options: Options): Html => {
  const { items: list } = blockForms[type]
  if (list === undefined) return html``
  const rows = [...items, ...(items.length < list.most ? [{}] : [])]
  return html`${rows.map(
    (values, index) => html`<fieldset><legend>${index + 1}</legend>
${list.fields.map(one => html`${fieldHtml(`${prefix}.${index}`, one, values, options)}\n`)}</fieldset>
`,
  )}`
}

const button = (act: string, label: string, about: string): Html =>
  html`<button type="submit" name="act" value="${act}" aria-label="${label}: ${about}">${label}</button>`

/** The fields of one block, with buttons that move and remove it. */
export const blockHtml = (block: EditedBlock, index: number, count: number, options: Options): Html => {
  const { language } = options
  const { name, fields } = blockForms[block.type]
  const about = fill(text.blockIn, language, { n: index + 1, kind: fill(name, language) })
  const prefix = `b.${index}`
  return html`<section class="card" id="block-${index}" aria-label="${about}">
<h3>${about}</h3>
<input type="hidden" name="${prefix}.type" value="${block.type}">
${fields.map(one => html`${fieldHtml(prefix, one, block.values, options)}\n`)}${itemsHtml(prefix, block, options)}
<p class="buttons">${index > 0 && button(`up.${index}`, fill(text.up, language), about)}
${index < count - 1 && button(`down.${index}`, fill(text.down, language), about)}
${button(`remove.${index}`, fill(text.remove, language), about)}</p>
</section>
`
}
