import { memberErasure, memberMerge } from '#src/areas/members/index.ts'
import { filesPublic, usesOf } from '#src/areas/storage/index.ts'
import { implement } from '#src/contract/hook.ts'
import { blockOf } from '#src/contract/page-blocks.ts'
import { toId } from '#src/kit/ids.ts'
import { lecturerCards } from './lecturer/cards.lookups.ts'
import { eraseLecturer, listAvatars, moveProfile } from './lecturer/queries.ts'

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(blockOf, async ({ block, keyFor }, place) =>
    block.type === 'lecturers' ? lecturerCards({ ...place, keyFor }, block) : undefined,
  ),
  implement(memberErasure, ({ memberId }, { db, school }) => eraseLecturer(db, school.id, memberId)),
  implement(memberMerge, async ({ fromId, intoId }, { db, school }) => {
    await moveProfile(db, school.id, fromId, intoId)
  }),
  implement(usesOf, async ({ fileIds }, { db, school }) =>
    (await listAvatars(db, school.id, fileIds)).map(row => ({
      fileId: row.avatar_file_id,
      kind: 'lecturer',
      id: toId('lec', row.id),
    })),
  ),
  implement(filesPublic, async ({ fileIds }, { db, school }) =>
    (await listAvatars(db, school.id, fileIds)).filter(row => row.is_visible).map(row => row.avatar_file_id),
  ),
]
