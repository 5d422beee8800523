import { LibraryPage, MAX_ALT } from '#src/areas/files/index.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs, parsePairs, writePairs } from '#src/kit/form.ts'
import { formatBytes } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import {
  buildOutcome,
  type Column,
  createList,
  form,
  hidden,
  page,
  renderForm,
  revisionIn,
  shownAgain,
} from '#src/web/page/index.ts'
import { lecturers, type StaffContext } from '../../audience.ts'
import { pill } from '../../console/frame.ts'
import { frameWithImages } from '../../pages/image-page.ts'
import { showList } from '../../pages/list-page.ts'
import { type FileShown, renderThumbnail, renderUse } from './uses.ts'

const text = texts.staff.files

/** The address of the library. */
export const PATH = '/staff/files'

const list = createList({
  path: PATH,
  operation: 'listFiles',
  returns: LibraryPage,
  sort: '-created_at',
  filters: {
    q: 'search',
    kind: text.kinds,
    purpose: text.purposes,
    used: { true: text.used, false: text.unused },
  },
  texts: text.list,
})

// After a change the list is as it was.
const listAgain = ({ request }: StaffContext, done: string): string => {
  const given = parsePairs(request.query).filter(([name]) => name !== 'done')
  return `${PATH}?${writePairs([...given, ['done', done]])}`
}

const describeForm = (file: FileShown, context: StaffContext): Html => {
  const { t, request, token } = context
  const id = `alt-${file.id}`
  const inside = html`${hidden({ file: file.id, revision: file.revision })}<label for="${id}">${t(text.alt)}</label>
<input id="${id}" name="alt" type="text" maxlength="${MAX_ALT}" value="${file.alt}">
<button type="submit" class="small">${t(texts.words.save)}</button>`
  return renderForm(request.query === '' ? PATH : `${PATH}?${request.query}`, token, inside)
}

const renderAlt = (file: FileShown, context: StaffContext): Html | false => {
  if (file.image === null) return false
  const { t } = context
  return html`<details class="edit"><summary aria-label="${t(text.editAlt, { name: file.name })}">${file.alt === '' ? pill(t(text.noAlt), 'warn') : file.alt}</summary>
${describeForm(file, context)}</details>`
}

const SHOWN = 2

const renderUses = ({ id, used_by: uses }: FileShown, context: StaffContext): Html => {
  const { t } = context
  if (uses.length === 0) return pill(t(text.unused), 'hollow')
  const more = uses.length - SHOWN
  return html`<ul class="bare">${uses.slice(0, SHOWN).map(use => html`<li>${renderUse(use, context)}</li>`)}${more > 0 && html`<li><a href="${PATH}/${id}">${t(texts.words.andMore, { n: more })}</a></li>`}</ul>`
}

const buildColumns = (context: StaffContext): Column<FileShown>[] => {
  const { t, language, day } = context
  return [
    {
      name: texts.words.name,
      kind: 'main',
      sort: 'name',
      cell: file =>
        html`<span class="row nowrap">${renderThumbnail(file)}<span><a href="${PATH}/${file.id}"><bdi>${file.name}</bdi></a><small class="sub">${t(text.kinds[file.kind])} · ${t(text.purposes[file.purpose])}</small></span></span>`,
    },
    { name: text.alt, kind: 'low', cell: file => renderAlt(file, context) },
    { name: text.usedBy, cell: file => renderUses(file, context) },
    {
      name: text.uploaded,
      kind: 'date',
      sort: '-created_at',
      cell: ({ created_at, uploaded_by: by }) =>
        html`${day(created_at)}${by !== null && html`<small class="sub"><bdi>${by.name}</bdi></small>`}`,
    },
    {
      name: text.size,
      kind: 'num c-lead',
      sort: '-byte_size',
      cell: ({ byte_size: bytes }) => formatBytes(bytes, language),
    },
  ]
}

const show = async (context: StaffContext, refusal?: Refusal) => {
  const { t } = context
  const shown = await list.read(context)
  return frameWithImages(context, {
    title: t(texts.words.files),
    lead: t(text.lead),
    ...buildOutcome(context, refusal, { done: text.done, said: text.refusals }),
    ...showList(context, list, shown, { columns: buildColumns(context), rows: shown.page.data }),
  })
}

const describe = async (context: StaffContext, typed: Pairs) => {
  await context.call({
    operation: 'updateFile',
    params: { file_id: formField(typed, 'file') },
    body: { alt: formField(typed, 'alt') },
    revision: revisionIn(typed),
  })
  return listAgain(context, 'described')
}

/** GET and POST /staff/files: the library, in which what a picture shows is said in place. */
export const fileList = [
  page(`GET ${PATH}`, lecturers, context => show(context)),
  form(`POST ${PATH}`, lecturers, (context, typed) =>
    shownAgain(
      () => describe(context, typed),
      refusal => show(context, refusal),
    ),
  ),
]
