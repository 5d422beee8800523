import { insertReview, storeReviewStatus } from '#src/areas/courses/index.ts'
import type { Database } from '#src/contract/db.ts'
import { newUuid } from '#src/kit/ids.ts'
import { findBySlug, findMemberId } from '../queries.ts'

const input = {
  rating: 5,
  title: 'Worth every early morning',
  body: 'My starter is called Bruno. I folded a week late, and the bread rose all the same.',
  status: 'pending',
} as const

/**
 * Creates Dev's review of the sourdough course, in which he is enrolled. Does nothing if he or the course does not
 * exist, or he has already reviewed it.
 */
export const createDemoReviews = (database: Database, schoolId: string): Promise<boolean> =>
  database.transaction(schoolId, async (db, now) => {
    const dev = await findMemberId(db, schoolId, 'dev@crumb.example')
    const sourdough = await findBySlug(db, schoolId, 'courses', 'sourdough-from-scratch')
    if (dev === undefined || sourdough === undefined) return false
    const id = newUuid(now.getTime())
    if ((await insertReview(db, schoolId, { id, courseId: sourdough, memberId: dev }, input)) === 0) return false
    await storeReviewStatus(db, schoolId, id, undefined)
    return true
  })
