import { fill, type Language } from '#src/contract/language.ts'
import { formField } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import {
  areaControl,
  boxControl,
  type Choice,
  type ControlState,
  type FileInput,
  inputs,
  lineControl,
  renderFileInput,
  selectControl,
} from '#src/web/page/index.ts'
import { blockEditor } from '../../texts/index.ts'
import { type BlockField, blockForms, type OptionList } from './block-fields.ts'
import { buildPairs, type EditedBlock } from './blocks.rules.ts'
import type { FieldErrors } from './errors.ts'
import { editorText as text } from './text.ts'

/** An image of a block: its name, and where it is shown. */
type BlockFile = { readonly name: string; readonly url: string }

/** What fields can be chosen from, and the files that blocks have. */
export type Options = {
  readonly language: Language
  readonly lists: Readonly<Record<OptionList, readonly Choice[]>>
  /** The addresses of the site that links can lead to. */
  readonly addresses: readonly Choice[]
  readonly files: ReadonlyMap<string, BlockFile>
}

/** The id of the list of addresses that the fields of links offer. */
export const ADDRESSES = 'addresses'

/** The types of images that browsers offer for blocks. */
const IMAGES = 'image/png,image/jpeg,image/webp,image/gif,image/avif'

type Field = { readonly name: string; readonly label: string }

const renderError = ({ errors }: ControlState, name: string): Html => {
  const error = errors.get(name)
  return error === undefined ? html`` : html`\n<p class="field-error" id="${name}-error">${error}</p>`
}

// An upload that is not stored yet has no address; its name goes with the form.
const chosenImage = (state: ControlState, { name }: Field, { files, language }: Options): Html => {
  const id = formField(state.typed, name)
  if (id === '') return html``
  const file = files.get(id)
  const shown = file?.name ?? formField(state.typed, `${name}_name`)
  const thumbnail =
    file !== undefined &&
    html`<img class="thumbnail" src="${file.url}${file.url.includes('?') ? '&' : '?'}width=320" alt="">\n`
  return html`${thumbnail}<p class="quiet"><bdi>${shown === '' ? fill(text.missingFile, language) : shown}</bdi></p>
<input type="hidden" name="${name}" value="${id}" data-part>
${file === undefined && html`<input type="hidden" name="${name}_name" value="${shown}" data-part>\n`}`
}

const imageField = (state: ControlState, field: Field, isNullable: boolean, options: Options): Html => {
  const { name, label } = field
  const input: FileInput = {
    id: `${name}.file`,
    name: `${name}.file`,
    label,
    purpose: 'page',
    accept: IMAGES,
    errorId: `${name}-error`,
  }
  const chosen = chosenImage(state, field, options)
  const isChosen = formField(state.typed, name) !== ''
  return html`<div class="field">${chosen}${renderFileInput({ ...input, error: state.errors.get(name) }, options.language)}</div>
${isNullable && isChosen && boxControl(state, { name: `${name}_without`, label: fill(text.withoutImage, options.language) })}`
}

// What is chosen comes first, in its order; of what is gone the id is shown, so that saving does not drop it.
const listChoices = (choices: readonly Choice[], chosen: readonly string[], language: Language): Choice[] => [
  ...chosen.map(
    id => choices.find(({ value }) => value === id) ?? { value: id, label: fill(text.gone, language, { id }) },
  ),
  ...choices.filter(({ value }) => !chosen.includes(value)),
]

const manyField = (state: ControlState, { name, label }: Field, choices: readonly Choice[], language: Language): Html =>
  html`<fieldset><legend>${label}</legend>
${choices.length === 0 && html`<p class="quiet">${fill(text.noChoices, language)}</p>`}
${choices.map(({ value, label: one }) => boxControl(state, { name, id: `${name}.${value}`, label: one }, value))}${renderError(state, name)}</fieldset>
`

const fieldHtml = (prefix: string, one: BlockField, state: ControlState, options: Options): Html => {
  const { language, lists } = options
  const name = `${prefix}.${one.name}`
  const field = { name, label: fill(one.label, language) }
  const chosen = state.typed.flatMap(([key, value]) => (key === name && value !== '' ? [value] : []))
  const listed = one.from === undefined ? [] : listChoices(lists[one.from], chosen, language)
  switch (one.kind) {
    case 'line':
      return lineControl(state, field)
    case 'link':
      return lineControl(state, {
        ...field,
        attributes: html`type="text" list="${ADDRESSES}" maxlength="500" autocomplete="off"`,
        hint: fill(text.linkHint, language),
      })
    case 'number':
      return lineControl(state, { ...field, attributes: inputs.number })
    case 'text':
      return areaControl(state, { ...field, rows: 6 })
    case 'markdown':
      return areaControl(state, { ...field, rows: 6, attributes: html`class="code"${blockEditor(name)}` })
    case 'code':
      return areaControl(state, { ...field, rows: 10, attributes: html`class="code" spellcheck="false"` })
    case 'image':
      return imageField(state, field, one.isNullable === true, options)
    case 'many':
      return manyField(state, field, listed, language)
    case 'one':
      return selectControl(state, field, [{ value: '', label: '–' }, ...listed])
    default:
      return selectControl(
        state,
        field,
        Object.entries(one.choices ?? {}).map(([value, phrase]) => ({ value, label: fill(phrase, language) })),
      )
  }
}

// One empty item after those that are there, so that more can be added without a script.
const itemsHtml = (prefix: string, { type, items }: EditedBlock, state: ControlState, options: Options): Html => {
  const { items: list } = blockForms[type]
  if (list === undefined) return html``
  const count = Math.max(items.length + (items.length < list.most ? 1 : 0), list.least)
  return html`${Array.from(
    { length: count },
    (_, index) => html`<fieldset><legend>${fill(list.name, options.language)} ${index + 1}</legend>
${list.fields.map(one => fieldHtml(`${prefix}.${index}`, one, state, options))}</fieldset>
`,
  )}${renderError(state, `${prefix}.${list.key}`)}`
}

const button = (act: string, label: string, about: string): Html =>
  html`<button type="submit" name="act" value="${act}" aria-label="${label}: ${about}">${label}</button>\n`

/** A block in the editor. */
type BlockShown = {
  readonly block: EditedBlock
  readonly index: number
  readonly count: number
  readonly options: Options
  readonly errors: FieldErrors
  /** Whether the last button was about it, so that the browser shows it. */
  readonly isCurrent: boolean
}

/** The heading of a block. */
export const blockName = ({ type }: EditedBlock, index: number, language: Language): string =>
  fill(text.blockIn, language, { n: index + 1, kind: fill(blockForms[type].name, language) })

/** The fields of one block, with buttons that move and remove it. */
export const blockHtml = ({ block, index, count, options, errors, isCurrent }: BlockShown): Html => {
  const { language } = options
  const about = blockName(block, index, language)
  const prefix = `b.${index}`
  const state: ControlState = { typed: buildPairs(block, index), errors }
  return html`<section class="card editor-block" id="block-${index}" aria-label="${about}">
<h3${isCurrent && html` tabindex="-1" autofocus`}>${about}</h3>
<input type="hidden" name="${prefix}.type" value="${block.type}" data-part>
${blockForms[block.type].fields.map(one => fieldHtml(prefix, one, state, options))}${itemsHtml(prefix, block, state, options)}${renderError(state, prefix)}
<p class="buttons row">${index > 0 && button(`up.${index}`, fill(text.up, language), about)}${index < count - 1 && button(`down.${index}`, fill(text.down, language), about)}${button(`remove.${index}`, fill(text.remove, language), about)}</p>
</section>
`
}
