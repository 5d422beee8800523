import { usesOf } from '#src/areas/files/index.ts'
import { pageDeletion, staticAddress } from '#src/areas/publishing/pages/index.ts'
import { implement } from '#src/contract/hook.ts'
import { toId } from '#src/kit/ids.ts'
import { deleteOfPage, findStaticAddress, listArchives } from './deployments/queries.ts'
import { pagesOrigin } from './deployments/rules.ts'
import { scheduleObjects } from './upkeep/queries.ts'

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(usesOf, async ({ fileIds }, { db, school }) =>
    (await listArchives(db, school.id, fileIds)).map(row => ({
      fileId: row.file_id,
      kind: 'deployment',
      id: toId('dep', row.id),
    })),
  ),
  implement(pageDeletion, async ({ pageId }, { db, school }) => {
    if ((await deleteOfPage(db, school.id, pageId)) > 0) await scheduleObjects(db, school.id, 0)
  }),
  implement(staticAddress, async ({ pageId }, { db, school }) => {
    const found = await findStaticAddress(db, school.id, pageId)
    return found && `${pagesOrigin(school.baseUrl, found.host)}${found.path}/`
  }),
]
