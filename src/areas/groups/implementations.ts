import { memberErasure, memberMerge } from '#src/areas/members/index.ts'
import { implement } from '#src/contract/hook.ts'
import { copyGroups, endGroupsOf } from './erasure/queries.ts'

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(memberErasure, async ({ memberId }, { db, school }) => {
    await endGroupsOf(db, school.id, memberId)
  }),
  implement(memberMerge, ({ fromId, intoId }, { db, school }) => copyGroups(db, school.id, fromId, intoId)),
]
