import type { Static } from 'typebox'
import type { PageVersion } from '#src/areas/publishing/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { fill, type Language } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { type BlockField, blockForms } from './block-fields.ts'
import { blockName } from './block-html.ts'
import { buildEdited, type Values } from './blocks.rules.ts'
import { editorText as text } from './text.ts'

type Version = Encoded<Static<typeof PageVersion>>

const entry = (label: string, value: string): Html =>
  html`<dt>${label}</dt><dd>${value.split('\n').map((line, index) => html`${index > 0 && html`<br>`}${line}`)}</dd>\n`

// Of a file the name is shown; of other things that are named by an id, the id.
const renderEntries = (
  fields: readonly BlockField[],
  values: Values,
  files: Version['files'],
  language: Language,
): Html[] =>
  fields.flatMap(({ name, label, choices = {} }) => {
    const shown = (values[name] ?? [])
      .map(value => {
        const choice = choices[value]
        if (choice !== undefined) return fill(choice, language)
        return name === 'file_id'
          ? (files.find(file => file.file_id === value)?.name ?? fill(text.missingFile, language))
          : value
      })
      .join(', ')
    return shown === '' ? [] : [entry(fill(label, language), shown)]
  })

/** What a version says: the texts of its blocks as they were typed. */
export const versionContent = ({ blocks, seo, files }: Version, language: Language): Html => {
  const found = [
    ...(seo.title === null ? [] : [entry(fill(text.fields.seo_title, language), seo.title)]),
    ...(seo.description === null ? [] : [entry(fill(text.fields.seo_description, language), seo.description)]),
  ]
  return html`${found.length > 0 && html`<dl>\n${found}</dl>`}
${blocks.length === 0 && html`<p>${fill(text.noBlocks, language)}</p>`}
${blocks.map(buildEdited).map((block, index) => {
  const { fields, items: list } = blockForms[block.type]
  return html`<section class="card"><h2>${blockName(block, index, language)}</h2>
<dl>
${renderEntries(fields, block.values, files, language)}${block.items.map(item => renderEntries(list?.fields ?? [], item, files, language))}</dl></section>
`
})}`
}
