import { implement } from '#src/contract/hook.ts'
import { memberErasure, memberMerge, personalData } from '#src/contract/personal-data.ts'
import { eraseAttempts, moveAttempts } from './closing/queries.ts'
import { personalAttempts } from './personal/lookups.ts'

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(memberErasure, ({ memberId }, { db, school }) => eraseAttempts(db, school.id, memberId)),
  implement(memberMerge, ({ fromId, intoId }, { db, school }) => moveAttempts(db, school.id, fromId, intoId)),
  implement(personalData, async ({ memberId }, { db, school }) => [await personalAttempts(db, school.id, memberId)]),
]
