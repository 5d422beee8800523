import { filesPublic, usesOf } from '#src/areas/files/index.ts'
import { isPage, publishedVersionOf } from '#src/areas/school/index.ts'
import { implement } from '#src/contract/hook.ts'
import { toId } from '#src/kit/ids.ts'
import { listPageFiles } from './blocks/queries.ts'
import { findPageRow } from './page/queries.ts'

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(isPage, async ({ pageId }, { db, school }) => {
    return (await findPageRow(db, school.id, 'staff', pageId)) !== undefined
  }),
  implement(
    publishedVersionOf,
    async ({ pageId }, { db, school }) =>
      (await findPageRow(db, school.id, 'staff', pageId))?.published_version ?? null,
  ),
  implement(usesOf, async ({ fileIds }, { db, school }) =>
    (await listPageFiles(db, school.id, fileIds)).map(row => ({
      fileId: row.file_id,
      kind: 'page',
      id: toId('pag', row.page_id),
      name: row.name,
    })),
  ),
  implement(filesPublic, async ({ fileIds }, { db, school }) =>
    (await listPageFiles(db, school.id, fileIds)).filter(row => row.is_public).map(row => row.file_id),
  ),
]
