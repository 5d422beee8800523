import { area } from '#src/contract/area.ts'
import { pathTaken } from './addresses/rules.ts'
import { implementations } from './implementations.ts'
import { sweepPages } from './page/bin.operations.ts'
import { pageDeletions, pageOperations } from './page/operations.ts'
import { placementOperations } from './placement/operations.ts'
import { previewOperations } from './previews/operations.ts'
import { publicationOperations } from './publication/operations.ts'
import { pageStatus } from './publication/queries.ts'
import { versionOperations } from './versions/operations.ts'

export { findHomePage, findPublishedById, findPublishedPage, type PublishedPage } from './addresses/queries.ts'
export { isReserved } from './addresses/rules.ts'
export type { BlockType } from './blocks/schema.ts'
export { pageDeletion, staticAddress } from './hooks.ts'
export { getPage, lockPage } from './page/access.ts'
export { binPage } from './page/bin.writes.ts'
export { countPages, countPublicPages, listPublicPaths, type PageRow } from './page/queries.ts'
export { PageRef, SitePage, SitePageList } from './page/schema.ts'
export { pageView } from './page/views.ts'
export { addPage, type NewPage, preparedBlocks } from './page/writes.ts'
export { PagePreview, previewedPage } from './previews/operations.ts'
export { publishAddedPage } from './publication/writes.ts'
export { PageVersion, PageVersionList } from './versions/operations.ts'

/** The pages of a school's site: what they say, where they are, and when they are published. */
export const pages = area({
  name: 'pages',
  operations: [
    ...pageOperations,
    ...publicationOperations,
    ...placementOperations,
    ...versionOperations,
    ...previewOperations,
    ...pageDeletions,
  ],
  hooks: implementations,
  jobs: pageStatus.jobs,
  sweeps: [sweepPages],
  constraints: { pages_path: pathTaken, page_paths_pkey: pathTaken },
})
