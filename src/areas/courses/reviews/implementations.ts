import { courseFigures } from '#src/areas/courses/courses/index.ts'
import { encode } from '#src/contract/codec.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import type { Db } from '#src/contract/db.ts'
import { implement } from '#src/contract/hook.ts'
import { type BlockCard, blockOf, type CardsBlock, plainCard } from '#src/contract/page-blocks.ts'
import { memberErasure, memberMerge, type PersonalData, personalData } from '#src/contract/personal-data.ts'
import type { School } from '#src/contract/school.ts'
import { listStatement } from '#src/db/list.ts'
import { toId } from '#src/kit/ids.ts'
import { instant } from '#src/kit/instant.ts'
import { eraseReviews, listReplies, listShownReviews, moveReviews, readRatings, reviewList } from './queries.ts'
import { Review } from './schema.ts'
import { reviewView } from './views.ts'

// Published reviews of courses that everybody finds in the list, the newest first.
const reviewCards = async (
  { db, school }: SchoolContext,
  { course_id: courseId, limit }: Extract<CardsBlock, { readonly type: 'reviews' }>,
): Promise<BlockCard[]> => {
  const rows = await listShownReviews(db, school.id, { courseId: courseId ?? undefined, rows: limit })
  return rows.map(row => ({
    ...plainCard({ id: toId('rev', row.id), path: `/courses/${row.slug}`, name: row.member_name, about: row.body }),
    rating: { average: row.rating, count: 1 },
  }))
}

// The export of a member's data includes reviews of deleted courses.
const personalReviews = async (db: Db, school: School, memberId: string): Promise<PersonalData[]> => {
  const list = reviewList(school.id, { memberId, isEvery: true })
  const rows = await db.all(listStatement(list, 'created_at'))
  const replies = (await listReplies(db, school.id, memberId)).map(({ id, reply_body: body, replied_at: at }) => ({
    review_id: toId('rev', id),
    body,
    replied_at: instant(at),
  }))
  return [
    { name: 'reviews', rows: rows.map(row => encode(Review, reviewView(row, { canManage: false, memberId }))) },
    { name: 'review_replies', rows: replies },
  ]
}

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(blockOf, async ({ block }, context) =>
    block.type === 'reviews' ? reviewCards(context, block) : undefined,
  ),
  implement(courseFigures, ({ courseIds }, { db, school }) => readRatings(db, school.id, courseIds)),
  implement(memberErasure, async ({ memberId }, { db, school }) => {
    await eraseReviews(db, school.id, memberId)
  }),
  implement(memberMerge, ({ fromId, intoId }, { db, school }) => moveReviews(db, school.id, fromId, intoId)),
  implement(personalData, ({ memberId }, { db, school }) => personalReviews(db, school, memberId)),
]
