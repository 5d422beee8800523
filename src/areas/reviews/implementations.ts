import { courseFigures } from '#src/areas/courses/index.ts'
import { memberErasure, memberMerge } from '#src/areas/members/index.ts'
import { implement } from '#src/contract/hook.ts'
import { personalData } from '#src/contract/personal-data.ts'
import { personalReviews } from './actions.ts'
import { forgetReviews, moveReviews, ratingsOf } from './queries.ts'

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(courseFigures, ({ courseIds }, { db, school }) => ratingsOf(db, school.id, courseIds)),
  implement(memberErasure, async ({ memberId }, { db, school }) => {
    await forgetReviews(db, school.id, memberId)
  }),
  implement(memberMerge, ({ fromId, intoId }, { db, school }) => moveReviews(db, school.id, fromId, intoId)),
  implement(personalData, ({ memberId }, { db, school }) => personalReviews(db, school, memberId)),
]
