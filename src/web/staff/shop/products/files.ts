import { ProductFilePage } from '#src/areas/shop/index.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { formatBytes } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { type Again, type Column, type FormFile, folded, hidden, renderName, revisionIn } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { renderFileForm, storeFile } from '../../files/uploads/index.ts'
import { renderPart } from '../../pages/list-page.ts'
import { fileList } from '../../teaching/files.ts'
import { buildPath, type ProductShown, readParams } from './shown.ts'

const { product: text } = texts.staff.products
const { heads } = texts.staff.lists

/** A file of a product as the operation takes it: one that stays, or an upload, which may be the next version of one. */
export type FileEntry = { readonly id: string } | { readonly file_id: string; readonly replaces?: string }

/** The files of the product of a page. */
export const listFiles = async (context: StaffContext) => {
  const call = { operation: 'listProductFiles', params: readParams(context), query: [['limit', '100']] as const }
  return (await context.call({ ...call, returns: ProductFilePage })).data
}

/** Stores the files of a product, if it is as the form showed it. */
export const setFiles = async (
  context: StaffContext,
  form: Pairs,
  files: readonly FileEntry[],
  notify = false,
): Promise<void> => {
  const body = { files, notify }
  await context.call({ operation: 'setProductFiles', params: readParams(context), body, revision: revisionIn(form) })
}

/** Uploads the file of a form for a product, as it is where the product sells it; returns its id. */
export const uploadFor = (context: StaffContext, file: FormFile | undefined, isSold: boolean): Promise<string> =>
  storeFile(context.parts, context.person, file, 'product', isSold)

type FileWork = (context: StaffContext, form: Pairs, file: FormFile | undefined) => Promise<void>

const setShown =
  (field: 'image_file_id' | 'sample_file_id', removes = false): FileWork =>
  async (context, form, file) => {
    const body = { [field]: removes ? null : await uploadFor(context, file, false) }
    const params = readParams(context)
    await context.call({ operation: 'updateDigitalProduct', params, body, revision: revisionIn(form) })
  }

const works: Readonly<Record<string, FileWork>> = {
  async add_file(context, form, file) {
    const current = await listFiles(context)
    const uploaded = await uploadFor(context, file, true)
    await setFiles(context, form, [...current.map(({ id }) => ({ id })), { file_id: uploaded }])
  },
  set_image: setShown('image_file_id'),
  remove_image: setShown('image_file_id', true),
  set_sample: setShown('sample_file_id'),
  remove_sample: setShown('sample_file_id', true),
}

/** What a form of the page of a product does with files; undefined for a form about something else. */
export const fileWorkFor = (form: Pairs): FileWork | undefined => {
  const act = formField(form, 'act')
  return Object.hasOwn(works, act) ? works[act] : undefined
}

const renderShown = (product: ProductShown, field: 'image' | 'sample', context: StaffContext): Html => {
  const { t, language, token, form, request } = context
  const { revision, [field]: file } = product
  const [label, button, remove] =
    field === 'image'
      ? ([texts.words.picture, texts.words.uploadPicture, texts.words.removeOfferPicture] as const)
      : ([text.sample, text.saveSample, text.removeSample] as const)
  const removal = html`${hidden({ act: `remove_${field}`, revision })}<button class="small" type="submit">${t(remove)}</button>`
  return html`<h3>${t(label)}</h3>
${file !== null && html`${fileList([file], language)}\n${form(removal)}`}
${renderFileForm({
  action: request.path,
  token,
  language,
  fields: { act: `set_${field}`, revision },
  purpose: 'product',
  id: `file-${field}`,
  label: t(texts.words.file),
  button: t(button),
  ...(field === 'image' ? { accept: 'image/png,image/jpeg,image/webp' } : {}),
})}`
}

/** The files of a product, its picture and its sample. */
export const renderFiles = (
  product: ProductShown,
  files: Awaited<ReturnType<typeof listFiles>>,
  context: StaffContext,
  refused: Again | undefined,
): Html => {
  const { t, language, token, request } = context
  const columns: Column<(typeof files)[number]>[] = [
    {
      name: texts.words.file,
      kind: 'main',
      cell: ({ id, name, version: n }) =>
        renderName(`${buildPath(context)}/files/${id}`, name, n > 1 && t(text.version, { n })),
    },
    { name: heads.size, kind: 'num c-lead', cell: ({ byte_size: bytes }) => formatBytes(bytes, language) },
  ]
  const adding = renderFileForm({
    action: request.path,
    token,
    language,
    fields: { act: 'add_file', revision: product.revision },
    purpose: 'product',
    keepOriginal: true,
    id: 'file-add',
    label: t(texts.words.file),
    button: t(text.upload),
  })
  const images = html`${renderShown(product, 'image', context)}
${renderShown(product, 'sample', context)}`
  return html`${renderPart(context, { id: 'files', title: t(texts.words.files), columns, rows: files, none: t(text.noFile) })}
${folded(t(text.upload), adding, refused?.act === 'add_file' || files.length === 0)}
${folded(t(text.images), images, /_(?:image|sample)$/.test(refused?.act ?? ''))}`
}
