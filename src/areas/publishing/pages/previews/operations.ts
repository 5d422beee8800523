import Type, { type Static } from 'typebox'
import { anonymous } from '#src/contract/caller.ts'
import { encode } from '#src/contract/codec.ts'
import type { EndpointRequest } from '#src/contract/endpoint.ts'
import { declareFor } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState, notFound } from '#src/contract/problems.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import { Closed, Instant } from '#src/kit/shapes.ts'
import { pageCards } from '../blocks/lookups.ts'
import { readInstant } from '../blocks/queries.ts'
import { lockPage } from '../page/access.ts'
import { about } from '../page/operations.ts'
import { findPageRow } from '../page/queries.ts'
import { PageRef, SitePage } from '../page/schema.ts'
import { pageView } from '../page/views.ts'
import { computeExpiry, isPreviewToken, PREVIEWS, previewToken } from './rules.ts'

/** The address of a preview, and how long it is valid. */
export const PagePreview = Closed('PagePreview', {
  url: Type.String({ description: 'Shows the page to whoever has the address' }),
  expires_at: Instant,
})

const createPagePreview = declareFor('staff', 'pages', {
  id: 'createPagePreview',
  route: 'POST /pages/:page_id/previews',
  summary: 'Create a preview of a page',
  description:
    'Returns an address that shows the newest version of a page, published or not, to whoever has the address. It is valid for one hour, and search engines do not list it. The deployments of a static page have previews of their own.',
  params: PageRef,
  returns: PagePreview,
  status: 201,
  fails: [invalidState],
  example: { params: about },
  async handle(context) {
    const { school, now, params, keyFor, changed, record } = context
    const row = await lockPage(context, params.page_id)
    if (row.kind === 'static')
      throw new Refusal(invalidState, 'The page is static; each of its deployments has a preview_url.')
    const expires = computeExpiry(now)
    const id = toId('pag', row.id)
    const token = previewToken(keyFor(PREVIEWS), school.id, row.id, expires)
    changed({ ids: [id], fields: ['preview'] })
    record({ type: 'page.previewed', payload: { page_id: id } })
    return { url: `${school.siteOrigin}/pages/previews/${id}/${token}`, expires_at: new Date(expires * 1000) }
  },
})

/** The operations of previews. */
export const previewOperations = [createPagePreview]

type KeyFor = (purpose: string) => Buffer

const noPreview = (): Refusal => new Refusal(notFound, 'There is no such preview, or it has expired.')

/** The newest version of a page, with its cards, as a preview shows it; refuses a token that is not valid for it. */
export const previewedPage = async (
  { database, school }: EndpointRequest,
  keyFor: KeyFor,
  { id, token }: { readonly id: string; readonly token: string },
) => {
  const pageId = fromId('pag', id)
  if (pageId === undefined) throw noPreview()
  return database.statements(school.id, async db => {
    const now = await readInstant(db)
    if (!isPreviewToken(keyFor(PREVIEWS), { schoolId: school.id, pageId, token, now })) throw noPreview()
    const row = await findPageRow(db, school.id, 'staff', pageId)
    if (row === undefined) throw noPreview()
    const view: Static<typeof SitePage> = {
      ...(await pageView({ db, school, caller: anonymous, keyFor }, row)),
      cards: await pageCards({ db, school, keyFor }, row.blocks),
    }
    return encode(SitePage, view)
  })
}
