import { implement } from '#src/contract/hook.ts'
import { memberErasure, memberMerge, personalData } from '#src/contract/personal-data.ts'
import { instant } from '#src/kit/instant.ts'
import { eraseDeleter, listDeletedBy, moveDeleter } from './queries.ts'
import { binId } from './rules.ts'

/** What this area does when hooks are called. */
export const implementations = [
  implement(memberErasure, async ({ memberId }, { db, school }) => {
    await eraseDeleter(db, school.id, memberId)
  }),
  implement(memberMerge, async ({ fromId, intoId }, { db, school }) => {
    await moveDeleter(db, school.id, fromId, intoId)
  }),
  implement(personalData, async ({ memberId }, { db, school }) => [
    {
      name: 'bin',
      rows: (await listDeletedBy(db, school.id, memberId)).map(row => ({
        id: binId(row),
        name: row.name,
        deleted_at: instant(row.deleted_at),
      })),
    },
  ]),
]
