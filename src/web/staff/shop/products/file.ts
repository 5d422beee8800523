import type { Static } from 'typebox'
import { ProductFileVersionPage } from '#src/areas/shop/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { fill } from '#src/contract/language.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused, notFound } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { formatBytes } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import {
  doneIn,
  doneOf,
  type FormFile,
  type FormWithFiles,
  fileForm,
  formOf,
  framed,
  hidden,
  page,
  redirect,
  refusalFor,
  timeOf,
} from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { fileRefusals, renderFileForm } from '../../files/uploads/index.ts'
import { checkbox, folded } from '../../pages/fields.ts'
import { refusedIn } from '../../pages/refused.ts'
import type { StaffSection } from '../../section.ts'
import { fileText as text } from './file-text.ts'
import { type FileEntry, listFiles, setFiles, uploadFor } from './files.ts'
import { getProduct, type ProductShown, paramsOf, productPath } from './shown.ts'
import { productRefusals, productsText } from './text.ts'

type FileView = {
  readonly context: StaffContext
  readonly product: ProductShown
  readonly id: string
  readonly name: string
  readonly ids: readonly string[]
  readonly versions: Encoded<Static<typeof ProductFileVersionPage>>['data']
  readonly refused: { readonly act: string; readonly refusal: Refusal } | undefined
}

const idOf = ({ request }: StaffContext): string => request.params.file ?? ''

const versionItem = (one: FileView['versions'][number], { context: { language, viewer } }: FileView): Html => {
  const facts = [one.name, formatBytes(one.byte_size, language), timeOf(new Date(one.created_at), language, viewer)]
  return html`<li>${fill(text.version, language, { n: one.version })}<br><span class="quiet"><bdi>${facts.join(' · ')}</bdi></span></li>
`
}

const replacing = ({ context, product, refused }: FileView): Html => {
  const { t, language, request, token } = context
  const form = renderFileForm({
    action: request.path,
    token,
    language,
    fields: { act: 'replace', revision: product.revision },
    id: 'file',
    label: t(text.file),
    button: t(text.replace),
    more: checkbox('notify', t(text.notify), { isChecked: false }),
  })
  const about = html`<p class="quiet">${t(text.replaceAbout)}</p>`
  return folded(t(text.replace), html`${about}\n${form}`, refused?.act === 'replace')
}

const act = (name: 'up' | 'down' | 'remove', { context, product }: FileView): Html => {
  const { t, request, token } = context
  const inside = html`${hidden({ act: name, revision: product.revision })}<button type="submit">${t(text[name])}</button>`
  return formOf(request.path, token, inside)
}

const pageOf = async (context: StaffContext, refused?: FileView['refused']): Promise<Reply> => {
  const id = idOf(context)
  const params = { ...paramsOf(context), file_id: id }
  const [product, files, versions] = await Promise.all([
    getProduct(context),
    listFiles(context),
    context.call({ operation: 'listProductFileVersions', params, returns: ProductFileVersionPage }),
  ])
  const file = files.find(one => one.id === id)
  if (file === undefined) throw new Refusal(notFound, 'The product has no such file.')
  const ids = files.map(one => one.id)
  return filePage({ context, product, id, name: file.name, ids, versions: versions.data, refused })
}

const filePage = (view: FileView): Reply => {
  const { context, product, refused, ids, id } = view
  const { t, language, request } = context
  const notice =
    refused === undefined
      ? { notice: doneIn(text.done, doneOf(request), language) }
      : refusedIn(refused.refusal, language, { ...productRefusals, ...fileRefusals })
  return framed({
    school: request.school,
    language,
    title: view.name,
    ...notice,
    body: html`<p class="quiet"><bdi>${product.name}</bdi></p>
<h2>${t(text.versions)}</h2>
<ul class="list">
${view.versions.map(one => versionItem(one, view))}</ul>
${replacing(view)}
${ids.indexOf(id) > 0 && act('up', view)}
${ids.indexOf(id) < ids.length - 1 && act('down', view)}
${folded(t(text.remove), html`<p class="quiet">${t(text.removeAbout)}</p>\n${act('remove', view)}`)}
<p class="quiet"><a href="${productPath(product.id)}">${t(productsText.backToOne)}</a></p>`,
  })
}

const moved = (ids: readonly string[], id: string, by: -1 | 1): FileEntry[] => {
  const from = ids.indexOf(id)
  const to = Math.min(ids.length - 1, Math.max(0, from + by))
  return ids
    .toSpliced(from, 1)
    .toSpliced(to, 0, id)
    .map(one => ({ id: one }))
}

const plannedFiles = async (context: StaffContext, form: Pairs, file: FormFile | undefined): Promise<FileEntry[]> => {
  const ids = (await listFiles(context)).map(({ id }) => id)
  const id = idOf(context)
  if (!ids.includes(id)) throw new Refusal(notFound, 'The product has no such file.')
  switch (formField(form, 'act')) {
    case 'replace': {
      const uploaded = await uploadFor(context, file, true)
      return ids.map(one => (one === id ? { file_id: uploaded, replaces: id } : { id: one }))
    }
    case 'up':
      return moved(ids, id, -1)
    case 'down':
      return moved(ids, id, 1)
    case 'remove':
      return ids.filter(one => one !== id).map(one => ({ id: one }))
    default:
      throw new Refusal(formRefused, 'The form has no valid action.')
  }
}

const change = async (context: StaffContext, form: Pairs, file: FormFile | undefined): Promise<void> =>
  setFiles(context, form, await plannedFiles(context, form, file), formField(form, 'notify') === 'yes')

const submit = async (context: StaffContext, { form, files: [file] }: FormWithFiles): Promise<Reply> => {
  const name = formField(form, 'act')
  const refusal = await refusalFor(change(context, form, file))
  if (refusal !== undefined) return pageOf(context, { act: name, refusal })
  const path = productPath(paramsOf(context).product_id)
  return redirect(
    name === 'replace'
      ? `${context.request.path}?done=replace`
      : `${path}?done=${name === 'remove' ? 'removed' : 'moved'}`,
  )
}

/** GET and POST /staff/products/:id/files/:file: the versions of a file, its next one, its place and its removal. */
export const productFile: StaffSection = {
  // The page of a product leads to each of them.
  entries: [],
  pages: [
    page('GET /staff/products/:id/files/:file', staff, context => pageOf(context)),
    fileForm('POST /staff/products/:id/files/:file', staff, submit),
  ],
}
