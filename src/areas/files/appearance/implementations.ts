import { filesPublic, usesOf } from '#src/areas/files/storage/index.ts'
import { implement } from '#src/contract/hook.ts'
import { toId } from '#src/kit/ids.ts'
import { getDraft } from './settings/queries.ts'
import { listFileIds } from './settings/rules.ts'
import { findPublished } from './versions/queries.ts'

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  // Superseded versions do not keep their files: restoring one leaves out what was deleted.
  implement(usesOf, async ({ fileIds }, { db, school }) => {
    const [draft, version] = [await getDraft(db, school.id), await findPublished(db, school.id)]
    const used = new Set([
      ...listFileIds(draft.settings),
      ...(version === undefined ? [] : listFileIds(version.settings)),
    ])
    return fileIds
      .filter(fileId => used.has(fileId))
      .map(fileId => ({ fileId, kind: 'appearance', id: toId('scl', school.id) }))
  }),
  implement(filesPublic, async ({ fileIds }, { db, school }) => {
    const version = await findPublished(db, school.id)
    const shown = version === undefined ? [] : listFileIds(version.settings)
    return fileIds.filter(fileId => shown.includes(fileId))
  }),
]
