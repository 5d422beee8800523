import type { Static } from 'typebox'
import { operation, type WriteContext } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState, refuseInvalid } from '#src/contract/problems.ts'
import { dropJob, putJob } from '#src/db/jobs.ts'
import { toId } from '#src/kit/ids.ts'
import { isSameInstant } from '#src/kit/instant.ts'
import { getPage, lockPage } from '../page/access.ts'
import { about } from '../page/operations.ts'
import type { PageRow } from '../page/queries.ts'
import { PageRef, SitePage } from '../page/schema.ts'
import { pageView } from '../page/views.ts'
import { PUBLICATION_JOB } from './jobs.ts'
import { storeDraft, storePublished, storeScheduled } from './queries.ts'
import { PagePublication } from './schema.ts'

type Context = WriteContext & { readonly params: Static<typeof PageRef> }

type View = Static<typeof SitePage>

const staff = { scope: 'pages:write', who: 'staff', mode: 'write', ifMatch: 'honoured' } as const

const lockMatching = async (context: Context): Promise<PageRow> => {
  const row = await lockPage(context, context.params.page_id)
  await context.requireMatch(row.revision, () => pageView(context, row))
  return row
}

type Recorded = Parameters<Context['record']>[0]

// The page after its status was stored, with the audit entry and the fact.
const afterMove = async (
  context: Context,
  { id: rowId }: PageRow,
  { payload, ...fact }: Omit<Recorded, 'payload'> & { readonly payload?: (row: PageRow) => object },
): Promise<View> => {
  const { changed, record } = context
  const row = await getPage(context, rowId)
  const page = toId('pag', rowId)
  changed({ ids: [page], fields: ['status'], revision: row.revision })
  record({ ...fact, payload: { page, ...payload?.(row) } })
  return pageView(context, row)
}

const isUpToDate = ({ status, version, published_version: shown }: PageRow): boolean =>
  status === 'published' && version === shown

const publishNow = async (context: Context, row: PageRow): Promise<View> => {
  const { db, school } = context
  if (isUpToDate(row)) return pageView(context, row)
  await storePublished(db, school.id, row.id)
  await dropJob(db, school.id, PUBLICATION_JOB, row.id)
  return afterMove(context, row, {
    type: 'page.published',
    payload: ({ version }) => ({ version }),
    effects: {
      access: {
        en: 'Makes the page public on the site, as it is now',
        pt: 'Torna a página pública no sítio, tal como está',
      },
    },
  })
}

const schedule = async (context: Context, row: PageRow, at: Date): Promise<View> => {
  const { db, school, now } = context
  if (at <= now) refuseInvalid([{ pointer: '/at', code: 'past', message: 'is over already' }])
  if (row.status === 'published')
    throw new Refusal(invalidState, 'The page is published; only a draft is scheduled. Publish its changes now.')
  if (row.status === 'scheduled' && isSameInstant(row.publish_at, at)) return pageView(context, row)
  await storeScheduled(db, school.id, row.id, at)
  await putJob(db, school.id, { kind: PUBLICATION_JOB, id: row.id, dueAt: at })
  return afterMove(context, row, { type: 'page.scheduled', payload: () => ({ at }) })
}

const publishPage = operation({
  id: 'publishPage',
  route: 'PUT /pages/:page_id/publication',
  summary: 'Publish a page',
  description:
    'Publishes the newest version of a page now, or at the instant in `at`. A page that is published shows its changes once it is published again. A static page is published once a deployment of it is live.',
  ...staff,
  params: PageRef,
  body: PagePublication,
  returns: SitePage,
  fails: [invalidState],
  example: { params: about, body: {} },
  async handle(context) {
    const { body } = context
    const row = await lockMatching(context)
    if (row.kind === 'static' && row.live_deployment_id === null)
      throw new Refusal(invalidState, 'No deployment of the page is live yet; promote one first.')
    return body.at === undefined ? publishNow(context, row) : schedule(context, row, body.at)
  },
})

const unpublishPage = operation({
  id: 'unpublishPage',
  route: 'DELETE /pages/:page_id/publication',
  summary: 'Unpublish a page',
  description:
    'Makes a published or scheduled page a draft again. Nobody but staff finds it; if it is the home page, / shows the built-in one until it is published again.',
  ...staff,
  params: PageRef,
  returns: SitePage,
  example: { params: { page_id: 'slug:welcome' } },
  async handle(context) {
    const { db, school } = context
    const row = await lockMatching(context)
    if (row.status === 'draft') return pageView(context, row)
    await storeDraft(db, school.id, row.id)
    await dropJob(db, school.id, PUBLICATION_JOB, row.id)
    return afterMove(context, row, { type: row.status === 'scheduled' ? 'page.unscheduled' : 'page.unpublished' })
  },
})

/** The operations that change the status of a page, in the order of the documentation. */
export const publicationOperations = [publishPage, unpublishPage]
