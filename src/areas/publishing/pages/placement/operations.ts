import { exampleFrom } from '#src/contract/example.ts'
import { declareFor } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState, refuseInvalid } from '#src/contract/problems.ts'
import { toId } from '#src/kit/ids.ts'
import { lockSite } from '../addresses/queries.ts'
import { getPage, lockPage } from '../page/access.ts'
import { about } from '../page/operations.ts'
import { PageRef, SitePage } from '../page/schema.ts'
import { pageView } from '../page/views.ts'
import { listOrder, storeHome, storeOrder } from './queries.ts'
import { PageOrder, PagesOrdered } from './schema.ts'

const setHomePage = declareFor('staff', 'pages', {
  id: 'setHomePage',
  route: 'PUT /pages/:page_id/home',
  summary: 'Make a page the home page',
  description:
    'Shows a page at / as soon as it is published. It has no other address then: its path leads to /. A page for members cannot be the home page.',
  ifMatch: 'honoured',
  params: PageRef,
  returns: SitePage,
  fails: [invalidState],
  example: { params: about },
  async handle(context) {
    const { db, school, params, requireMatch, changed, record } = context
    await lockSite(db, school.id)
    const row = await lockPage(context, params.page_id)
    await requireMatch(row.revision, () => pageView(context, row))
    if (row.is_home) return pageView(context, row)
    if (row.visibility === 'members') throw new Refusal(invalidState, 'A page for members cannot be the home page.')
    await storeHome(db, school.id, row.id)
    const stored = await getPage(context, row.id)
    const page = toId('pag', row.id)
    changed({ ids: [page], fields: ['is_home'], revision: stored.revision })
    record({ type: 'page.updated', payload: { page_id: page, fields: ['is_home'] } })
    return pageView(context, stored)
  },
})

const clearHomePage = declareFor('staff', 'pages', {
  id: 'clearHomePage',
  route: 'DELETE /pages/:page_id/home',
  summary: 'Show the built-in home page',
  description: 'Shows the built-in home page at / again, and the page at its own path.',
  ifMatch: 'honoured',
  params: PageRef,
  returns: SitePage,
  example: { params: { page_id: 'slug:welcome' } },
  async handle(context) {
    const { db, school, params, requireMatch, changed, record } = context
    await lockSite(db, school.id)
    const row = await lockPage(context, params.page_id)
    await requireMatch(row.revision, () => pageView(context, row))
    if (!row.is_home) return pageView(context, row)
    await storeHome(db, school.id, undefined)
    const stored = await getPage(context, row.id)
    const page = toId('pag', row.id)
    changed({ ids: [page], fields: ['is_home'], revision: stored.revision })
    record({ type: 'page.updated', payload: { page_id: page, fields: ['is_home'] } })
    return pageView(context, stored)
  },
})

const reorderPages = declareFor('staff', 'pages', {
  id: 'reorderPages',
  route: 'PUT /pages/order',
  summary: 'Reorder pages',
  description:
    'Moves the named pages to the front in the given order. The others follow in the order they had. The navigation of the site has them in this order.',
  body: PageOrder,
  returns: PagesOrdered,
  example: { body: { page_ids: [exampleFrom('pag', 'listPages')] } },
  async handle({ db, school, body, changed, record }) {
    const first = body.page_ids
    await lockSite(db, school.id)
    const all = await listOrder(db, school.id)
    const errors = first.flatMap((id, index) =>
      all.includes(id) ? [] : [{ pointer: `/page_ids/${index}`, code: 'unknown', message: 'is not a page' }],
    )
    refuseInvalid(errors, 'The order contains an unknown page.')
    const ordered = [...first, ...all.filter(id => !first.includes(id))]
    const moved = await storeOrder(db, school.id, ordered)
    if (moved.length > 0) {
      changed({ ids: moved.map(id => toId('pag', id)), fields: ['position'] })
      record({ type: 'page.reordered', payload: { count: moved.length } })
    }
    return { page_ids: ordered }
  },
})

/** The operations that say where pages are, in the order of the documentation. */
export const placementOperations = [setHomePage, clearHomePage, reorderPages]
