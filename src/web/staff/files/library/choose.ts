import { LibraryPage } from '#src/areas/files/index.ts'
import { writePairs } from '#src/kit/form.ts'
import { formatBytes } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { CHOOSE_PATH, page, returnTo, writeUploaded } from '#src/web/page/index.ts'
import { lecturers, type StaffContext } from '../../audience.ts'
import { frameWithImages } from '../../pages/image-page.ts'
import { type FileShown, renderThumbnail } from './uses.ts'

const text = texts.staff.files

const KEPT = ['purpose', 'field', 'kind', 'return_to', 'q'] as const

const givenIn = ({ query }: StaffContext) =>
  KEPT.map((name): [string, string] => [name, query.get(name) ?? '']).filter(([, value]) => value !== '')

const backWith = ({ query }: StaffContext, chosen: string): string => {
  const address = returnTo(query.get('return_to') ?? '')
  return `${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams({ library_file: chosen })}`
}

const renderFile = (file: FileShown, context: StaffContext): Html => {
  const { t, query, language, day } = context
  const value = writeUploaded({ id: file.id, bytes: file.byte_size, name: file.name })
  const href = backWith(context, `${query.get('field') ?? 'file'} ${value}`)
  return html`<li class="file">${renderThumbnail(file)}<a href="${href}" data-file="${value}" aria-label="${t(text.useFile, { name: file.name })}"><bdi>${file.name}</bdi></a><span class="quiet">${formatBytes(file.byte_size, language)} · ${day(file.created_at)}</span></li>
`
}

const show = async (context: StaffContext) => {
  const { t, call, query } = context
  const given = givenIn(context)
  const cursor = query.get('cursor') ?? ''
  const asked = given.filter(([name]) => ['purpose', 'kind', 'q'].includes(name))
  const files = await call({
    operation: 'listFiles',
    query: [...asked, ...(cursor === '' ? [] : [['cursor', cursor] as const])],
    returns: LibraryPage,
  })
  // No page shows a picture that is kept as it was sent.
  const fitting = files.data.filter(file => query.get('kind') !== 'picture' || !file.keep_original)
  const others = given.filter(([name]) => name !== 'q')
  const next = files.next_cursor
  return frameWithImages(context, {
    title: t(text.choose),
    lead: t(text.chooseLead),
    body: html`<div id="library">
<form method="get" action="${CHOOSE_PATH}" class="search" role="search">${others.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<input type="search" name="q" maxlength="200" value="${query.get('q') ?? ''}" aria-label="${t(text.list.filters.q)}" placeholder="${t(text.list.filters.q)}">
<button type="submit" class="small">${t(texts.words.find)}</button></form>
${fitting.length === 0 ? html`<p>${t(text.list.none)}</p>` : html`<ul class="files">\n${fitting.map(file => renderFile(file, context))}</ul>`}
${next !== undefined && html`<p><a rel="next" href="${CHOOSE_PATH}?${writePairs([...given, ['cursor', next]])}">${t(texts.words.nextPage)}</a></p>`}
</div>
<p><a href="${backWith(context, '')}">${t(text.chooseNone)}</a></p>`,
  })
}

/** GET /staff/files/choose: a file of the library for a form, which is kept meanwhile. */
export const chooser = page(`GET ${CHOOSE_PATH}`, lecturers, show)
