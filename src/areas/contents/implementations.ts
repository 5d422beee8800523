import { memberMerge } from '#src/areas/members/index.ts'
import { filesPublic, usesOf } from '#src/areas/storage/index.ts'
import { implement } from '#src/contract/hook.ts'
import { previewedFiles, usesOfFiles } from './files.ts'
import { moveAuthor } from './queries.ts'

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(usesOf, ({ fileIds }, { db, school }) => usesOfFiles(db, school, fileIds)),
  implement(filesPublic, ({ fileIds }, { db, school }) => previewedFiles(db, school, fileIds)),
  implement(memberMerge, async ({ fromId, intoId }, { db, school }) => {
    await moveAuthor(db, school.id, fromId, intoId)
  }),
]
