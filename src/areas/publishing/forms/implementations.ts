import { implement } from '#src/contract/hook.ts'
import { memberErasure, memberMerge } from '#src/contract/personal-data.ts'
import { replaceNotified } from './form/queries.ts'

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(memberErasure, async ({ memberId }, { db, school }) => {
    await replaceNotified(db, school.id, memberId)
  }),
  implement(memberMerge, async ({ fromId, intoId }, { db, school }) => {
    await replaceNotified(db, school.id, fromId, intoId)
  }),
]
