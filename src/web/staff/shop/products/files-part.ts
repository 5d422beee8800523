import { fill } from '#src/contract/language.ts'
import { formatBytes } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { formOf, hidden } from '#src/web/page/index.ts'
import { renderFileForm } from '../../files/uploads/index.ts'
import { folded } from '../../pages/fields.ts'
import { fileList } from '../../teaching/files.ts'
import { productText as text } from './product-text.ts'
import type { ProductView } from './product-view.ts'
import { productPath } from './shown.ts'

type File = ProductView['files'][number]

const item = (file: File, { context: { language }, product }: ProductView): Html => {
  const { id, name, version: n, byte_size: bytes } = file
  const facts = [formatBytes(bytes, language), ...(n === 1 ? [] : [fill(text.version, language, { n })])]
  return html`<li><a href="${productPath(product.id)}/files/${id}"><bdi>${name}</bdi></a><span class="quiet">${facts.join(' · ')}</span></li>
`
}

const adding = (view: ProductView): Html => {
  const { context, product, refused, files } = view
  const { t, language, token } = context
  const form = renderFileForm({
    action: productPath(product.id),
    token,
    language,
    fields: { act: 'add_file', revision: product.revision },
    id: 'file-add',
    label: t(text.file),
    button: t(text.upload),
  })
  return folded(t(text.upload), form, refused?.act === 'add_file' || files.length === 0)
}

const imageForm = (view: ProductView, field: 'image' | 'sample'): Html => {
  const { context, product } = view
  const { t, language, token } = context
  const action = productPath(product.id)
  const { revision } = product
  const [label, button, remove] =
    field === 'image'
      ? ([text.image, text.saveImage, text.removeImage] as const)
      : ([text.sample, text.saveSample, text.removeSample] as const)
  const file = product[field]
  const removal = html`${hidden({ act: `remove_${field}`, revision })}<button class="small" type="submit">${t(remove)}</button>`
  return html`<h3>${t(label)}</h3>
${file !== null && html`${fileList([file], language)}\n${formOf(action, token, removal)}`}
${renderFileForm({
  ...{ action, token, language },
  fields: { act: `set_${field}`, revision },
  id: `file-${field}`,
  label: t(text.file),
  button: t(button),
  ...(field === 'image' ? { accept: 'image/png,image/jpeg,image/webp' } : {}),
})}`
}

/** The files of a product, its picture and its sample. */
export const filesPart = (view: ProductView): Html => {
  const { files, context, refused } = view
  const { t } = context
  const images = html`${imageForm(view, 'image')}
${imageForm(view, 'sample')}`
  return html`<h2>${t(text.files)}</h2>
${files.length === 0 ? html`<p>${t(text.noFile)}</p>` : html`<ul class="list menu">\n${files.map(file => item(file, view))}</ul>`}
${adding(view)}
${folded(t(text.images), images, /_(?:image|sample)$/.test(refused?.act ?? ''))}`
}
