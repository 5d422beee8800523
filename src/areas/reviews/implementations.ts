import { courseFigures } from '#src/areas/courses/index.ts'
import { memberErasure, memberMerge } from '#src/areas/members/index.ts'
import type { Db } from '#src/contract/db.ts'
import { implement } from '#src/contract/hook.ts'
import { type PersonalData, personalData } from '#src/contract/personal-data.ts'
import type { School } from '#src/contract/school.ts'
import { forgetReviews, moveReviews, ratingsOf, reviewsStatement } from './queries.ts'
import { reviewView } from './views.ts'

// Reviews of deleted courses belong to the copy of a member's data too.
const personalReviews = async (db: Db, school: School, memberId: string): Promise<PersonalData[]> => {
  const order = { key: 'created_at', isDescending: false } as const
  const rows = await db.all(reviewsStatement(school.id, { memberId, isEvery: true }, order))
  return [{ name: 'reviews', rows: rows.map(row => reviewView(row, { canManage: false, memberId })) }]
}

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(courseFigures, ({ courseIds }, { db, school }) => ratingsOf(db, school.id, courseIds)),
  implement(memberErasure, async ({ memberId }, { db, school }) => {
    await forgetReviews(db, school.id, memberId)
  }),
  implement(memberMerge, ({ fromId, intoId }, { db, school }) => moveReviews(db, school.id, fromId, intoId)),
  implement(personalData, ({ memberId }, { db, school }) => personalReviews(db, school, memberId)),
]
