import type { Static } from 'typebox'
import { fileViews } from '#src/areas/files/index.ts'
import { type Caller, isStaff } from '#src/contract/caller.ts'
import type { AsCaller, ReadContext } from '#src/contract/operation.ts'
import type { School } from '#src/contract/school.ts'
import { pageCards } from '../blocks/lookups.ts'
import type { BlockInput } from '../blocks/schema.ts'
import type { PageLine, PageRow } from './queries.ts'
import type { SitePage, SitePageLine } from './schema.ts'

type Showing = AsCaller<Caller> & Pick<ReadContext, 'keyFor'> & { expands?(relation: string): boolean }

// The address of a page on the site.
const urlOfPage = (
  { siteOrigin }: Pick<School, 'siteOrigin'>,
  page: Pick<PageLine, 'path' | 'is_home' | 'status'>,
): string => `${siteOrigin}${page.is_home && page.status === 'published' ? '/' : page.path}`

const forStaff = (row: PageLine) => ({
  published_version: row.published_version,
  has_changes: row.published_version !== null && row.published_version !== row.version,
  publish_at: row.publish_at,
})

/** A page of a list for a caller. */
export const pageLine = (school: School, caller: Caller, row: PageLine): Static<typeof SitePageLine> => ({
  id: row.id,
  kind: row.kind,
  title: row.title,
  path: row.path,
  visibility: row.visibility,
  nav_label: row.nav_label,
  seo: { title: row.seo_title, description: row.seo_description },
  url: urlOfPage(school, row),
  is_home: row.is_home,
  position: row.position,
  status: row.status,
  version: row.shown_version,
  ...(row.kind === 'static' ? { live_deployment_id: row.live_deployment_id } : {}),
  ...(isStaff(caller) ? forStaff(row) : {}),
  published_at: row.published_at,
  revision: row.revision,
  created_at: row.created_at,
  updated_at: row.updated_at,
})

// What is stored has the fields of the schema; only its arrays cannot be changed.
const sent = (blocks: PageRow['blocks']): BlockInput[] => blocks as unknown as BlockInput[]

/** A page for a caller, with what its blocks show when that is expanded. */
export const pageView = async (context: Showing, row: PageRow): Promise<Static<typeof SitePage>> => {
  const { school, caller } = context
  const files = await fileViews(context, row.files)
  return {
    ...pageLine(school, caller, row),
    blocks: sent(row.blocks),
    files: [...files.values()],
    ...(isStaff(caller) ? { redirects: [...row.redirects] } : {}),
    ...(context.expands?.('cards') ? { cards: await pageCards(context, row.blocks) } : {}),
  }
}
