import { ProductFileVersionPage } from '#src/areas/shop/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused, notFound } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { formatBytes } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import {
  checkbox,
  doneIn,
  type FormFile,
  fileForm,
  folded,
  hidden,
  noticeFor,
  page,
  readDone,
  shownAgain,
} from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { fileRefusals, renderFileForm } from '../../files/uploads/index.ts'
import { type FileEntry, listFiles, setFiles, uploadFor } from './files.ts'
import { buildPath, productRefusals, readParams, readProduct } from './shown.ts'

const { file: text } = texts.staff.products

const findPlace = (files: Awaited<ReturnType<typeof listFiles>>, { params }: StaffContext): number => {
  const index = files.findIndex(({ id }) => id === params.file)
  if (index < 0) throw new Refusal(notFound, 'The product has no such file.')
  return index
}

const show = async (context: StaffContext, refused?: { act: string; refusal: Refusal }): Promise<Reply> => {
  const { t, call, language, request, token, form, time } = context
  const params = { ...readParams(context), file_id: context.params.file ?? '' }
  const [product, files, versions] = await Promise.all([
    readProduct(context),
    listFiles(context),
    call({ operation: 'listProductFileVersions', params, returns: ProductFileVersionPage }),
  ])
  const index = findPlace(files, context)
  const { revision } = product
  const button = (act: 'up' | 'down' | 'remove'): Html =>
    form(html`${hidden({ act, revision })}<button type="submit">${t(text[act])}</button>`)
  const replacing = renderFileForm({
    action: request.path,
    token,
    language,
    fields: { act: 'replace', revision },
    purpose: 'product',
    keepOriginal: true,
    id: 'file',
    label: t(text.file),
    button: t(texts.words.uploadNewVersion),
    more: checkbox('notify', t(text.notify), { isChecked: false }),
  })
  const rows = versions.data.map(({ name, version: n, byte_size: bytes, created_at: at }) => {
    const facts = [name, formatBytes(bytes, language), time(at)]
    return html`<li>${t(text.version, { n })}<br><span class="quiet"><bdi>${facts.join(' · ')}</bdi></span></li>\n`
  })
  return context.frame({
    title: files[index]?.name ?? '',
    parents: [{ path: buildPath(context), name: product.name }],
    ...(refused === undefined
      ? { notice: doneIn(text.done, readDone(request), language) }
      : noticeFor(refused.refusal, language, { said: { ...productRefusals, ...fileRefusals } })),
    body: html`<h2>${t(texts.words.versions)}</h2>
<ul class="list">
${rows}</ul>
${folded(t(texts.words.uploadNewVersion), html`<p class="quiet">${t(text.replaceAbout)}</p>\n${replacing}`, refused?.act === 'replace')}
${index > 0 && button('up')}
${index < files.length - 1 && button('down')}
${folded(t(text.remove), html`<p class="quiet">${t(text.removeAbout)}</p>\n${button('remove')}`)}`,
  })
}

const planFiles = async (context: StaffContext, act: string, file: FormFile | undefined): Promise<FileEntry[]> => {
  const files = await listFiles(context)
  const index = findPlace(files, context)
  const ids = files.map(({ id }) => ({ id }))
  const moveTo = (to: number): FileEntry[] => {
    const place = Math.min(ids.length - 1, Math.max(0, to))
    return ids.toSpliced(index, 1).toSpliced(place, 0, ...ids.slice(index, index + 1))
  }
  switch (act) {
    case 'replace': {
      const uploaded = await uploadFor(context, file, true)
      return ids.map(one => (one.id === context.params.file ? { file_id: uploaded, replaces: one.id } : one))
    }
    case 'up':
      return moveTo(index - 1)
    case 'down':
      return moveTo(index + 1)
    case 'remove':
      return ids.toSpliced(index, 1)
    default:
      throw new Refusal(formRefused, 'The form has no valid action.')
  }
}

const change = async (context: StaffContext, typed: Pairs, file: FormFile | undefined): Promise<string> => {
  const act = formField(typed, 'act')
  await setFiles(context, typed, await planFiles(context, act, file), formField(typed, 'notify') === 'yes')
  if (act === 'replace') return `${context.request.path}?done=replace`
  return `${buildPath(context)}?done=${act === 'remove' ? 'removed' : 'moved'}`
}

/** GET and POST /staff/products/:id/files/:file: the versions of a file, its next one, its place and its removal. */
export const productFile = [
  page('GET /staff/products/:id/files/:file', staff, context => show(context)),
  fileForm('POST /staff/products/:id/files/:file', staff, (context, { form: typed, files: [file] }) =>
    shownAgain(
      () => change(context, typed, file),
      refusal => show(context, { act: formField(typed, 'act'), refusal }),
    ),
  ),
]
