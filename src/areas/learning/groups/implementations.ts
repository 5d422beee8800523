import { bundleNames } from '#src/areas/learning/access/index.ts'
import { implement } from '#src/contract/hook.ts'
import { memberErasure, memberMerge } from '#src/contract/personal-data.ts'
import { copyGroups, endMemberGroups } from './erasure/queries.ts'
import { listGroupNames } from './group/queries.ts'

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(bundleNames, async ({ type, ids }, { db, school }) =>
    type === 'group' ? listGroupNames(db, school.id, ids) : new Map<string, string>(),
  ),
  implement(memberErasure, async ({ memberId }, { db, school }) => {
    await endMemberGroups(db, school.id, memberId)
  }),
  implement(memberMerge, ({ fromId, intoId }, { db, school }) => copyGroups(db, school.id, fromId, intoId)),
]
