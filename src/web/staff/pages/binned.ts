import { BinPage } from '#src/areas/school/index.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { hidden } from '#src/web/page/index.ts'
import type { StaffContext } from '../audience.ts'

const { notice: text } = texts.staff.bin

/** Where the bin is. */
export const BIN_PATH = '/staff/bin'

const PATHS: Readonly<Record<string, string>> = { crs: 'courses', dpr: 'products', pag: 'pages', pst: 'posts' }

/** The page of a thing by its id; undefined for a lesson, whose page is below that of its course. */
const findThingPath = (id: string): string | undefined => {
  const folder = PATHS[id.split('_')[0] ?? '']
  return folder && `/staff/${folder}/${id}`
}

/** What is in the bin with an id that a page was given; undefined when nothing is. */
export const findBinned = async ({ call }: StaffContext, id: string) =>
  /^(crs|dpr|les|pag|pst)_[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(id)
    ? (await call({ operation: 'listBin', query: [['id', id]], returns: BinPage })).data[0]
    : undefined

/** The address of a page that says that something is in the bin now. */
export const buildBinned = (path: string, id: string): string => `${path}?binned=${id}`

/** What is said above a list from which something was just deleted, with a button that undoes it, or where it was. */
export const renderBinned = async (context: StaffContext): Promise<Html | false> => {
  const { t, form, query, request } = context
  const restored = query.get('restored')
  if (restored !== null) {
    const path = findThingPath(restored)
    return html`<p class="done" role="status" id="done">${t(text.restored)}${path !== undefined && html` <a href="${path}">${t(text.open)}</a>`}</p>`
  }
  const item = await findBinned(context, query.get('binned') ?? '')
  if (item === undefined) return false
  const inside = html`${hidden({ id: item.id, back: request.path })}<button type="submit" class="small">${t(text.undo)}</button>`
  return html`<div class="done" role="status" id="done"><p>${t(text.binned, { name: item.name })}</p>${form(inside, BIN_PATH)}</div>`
}
