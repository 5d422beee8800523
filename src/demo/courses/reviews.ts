import { insertReview, storeReviewStatus } from '#src/areas/courses/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import type { Database } from '#src/contract/db.ts'
import { newUuid } from '#src/kit/ids.ts'
import { findBySlug, findMemberId } from '../queries.ts'

type ReviewInput = { readonly rating: number; readonly title: string | null; readonly body: string }

const devs: ReviewInput = {
  rating: 5,
  title: 'Worth every early morning',
  body: 'My starter is called Bruno. I folded a week late, and the bread rose all the same.',
}

/** Who reviews which course. */
type Author = { readonly courseId: string; readonly memberId: string }

/** Publishes a review of a member; returns false when they have already reviewed the course. */
export const publishReview = async (
  { db, school, now }: Pick<TransactionContext, 'db' | 'now'> & { readonly school: { readonly id: string } },
  author: Author,
  review: ReviewInput,
): Promise<boolean> => {
  const id = newUuid(now.getTime())
  if ((await insertReview(db, school.id, { id, ...author }, { ...review, status: 'pending' })) === 0) return false
  await storeReviewStatus(db, school.id, id, undefined)
  return true
}

/**
 * Creates Dev's review of the sourdough course, in which he is enrolled. Does nothing if he or the course does not
 * exist, or he has already reviewed it.
 */
export const createDemoReviews = (database: Database, schoolId: string): Promise<boolean> =>
  database.transaction(schoolId, async (db, now) => {
    const memberId = await findMemberId(db, schoolId, 'dev@crumb.example')
    const courseId = await findBySlug(db, schoolId, 'courses', 'sourdough-from-scratch')
    if (memberId === undefined || courseId === undefined) return false
    return publishReview({ db, school: { id: schoolId }, now }, { courseId, memberId }, devs)
  })
