import { binnable } from '#src/areas/school/index.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import { Refusal } from '#src/contract/problem.ts'
import type { Sweep } from '#src/contract/sweep.ts'
import { hasMore } from '#src/contract/sweep.ts'
import { getSchool } from '#src/db/schools.ts'
import { lockSite, putRedirects } from '../addresses/queries.ts'
import { pathTaken } from '../addresses/rules.ts'
import { pageDeletion } from '../hooks.ts'
import { pageStatus } from '../publication/queries.ts'
import { getPage } from './access.ts'
import { deletePageRow, getDeletedPath, listEndedPages, showPage } from './bin.queries.ts'
import { countPages } from './queries.ts'
import { MAX_PAGES, tooManyPages } from './rules.ts'
import { PageRef, SitePage, SitePageRestoration } from './schema.ts'
import { pageView } from './views.ts'
import { checkPaths } from './writes.ts'

const endPage = async (context: SchoolContext, id: string): Promise<void> => {
  await pageDeletion.call({ pageId: id }, context)
  await deletePageRow(context.db, context.school.id, id)
}

/** The operations on a page in the bin. */
export const pageBin = binnable('page', {
  id: 'Page',
  called: ['a page', 'page'],
  who: 'staff',
  scope: 'pages:write',
  path: '/pages/:page_id',
  params: PageRef,
  returns: SitePage,
  body: SitePageRestoration,
  fails: [pathTaken, tooManyPages],
  about:
    'It is published as it was; one whose planned publication is over by then is a draft. It is the home page again if there is no other one. If its path leads elsewhere by now, send another `path`.',
  example: { page_id: 'slug:about' },
  async restore(context, id, { body, paths }) {
    const { db, school, now } = context
    await lockSite(db, school.id)
    if ((await countPages(db, school.id)) >= MAX_PAGES)
      throw new Refusal(tooManyPages, `A school has at most ${MAX_PAGES} pages.`)
    const path = body.path ?? (await getDeletedPath(db, school.id, id))
    await checkPaths(context, { path, redirects: paths }, id)
    await showPage(db, school.id, id, path)
    await putRedirects(db, school.id, id, paths)
    await pageStatus.resume(db, school.id, id, now)
  },
  get: getPage,
  view: async (context, row) => pageView(context, row),
  end: endPage,
})

/** Deletes what was left of pages when they left the bin; a page goes last, so what was interrupted goes on. */
export const sweepPages: Sweep = async (db, schoolId, { most }) => {
  const ids = await listEndedPages(db, schoolId, most)
  if (ids.length === 0) return undefined
  const school = await getSchool(db, schoolId)
  for (const id of ids) await endPage({ db, school }, id)
  return hasMore(ids.length, most)
}
