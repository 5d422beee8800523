import { SitePage } from '#src/areas/publishing/index.ts'
import { readOffering } from '#src/areas/school/index.ts'
import { contentMain } from '#src/web/site/index.ts'
import { framed } from './frame.ts'
import { type Answer, read } from './visit.ts'

/** GET /account/pages/:page: a page of the site for people who are signed in; it is never stored. */
export const showContent: Answer = async (visit, parts) => {
  const params = { page_id: visit.request.params.page ?? '' }
  const content = await read(visit, parts, { operation: 'getPage', params, expand: ['cards'], returns: SitePage })
  const { canSell } = await readOffering(visit.request)
  return framed(visit, { title: content.title, main: contentMain(content, { ...visit, canSell }) })
}
