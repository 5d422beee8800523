import { insertReview, storeReviewStatus } from '#src/areas/courses/index.ts'
import { enroll } from '#src/areas/students/index.ts'
import type { Database } from '#src/contract/db.ts'
import { getSchool } from '#src/db/schools.ts'
import { newUuid } from '#src/kit/ids.ts'
import { findCourseId, findMemberId } from './queries.ts'

const said = {
  rating: 5,
  title: 'Worth every early morning',
  body: 'My starter is called Bruno. I folded a week late, and the bread rose all the same.',
  status: 'pending',
} as const

/**
 * Has Dev learn in the course on sourdough and say what he thinks of it, and Ada learn in the free one. Nothing happens
 * where these people or courses are not, or he has said so.
 */
export const createNamedReviews = (database: Database, schoolId: string): Promise<boolean> =>
  database.write(schoolId, async (db, now) => {
    const dev = await findMemberId(db, schoolId, 'dev@crumb.example')
    const sourdough = await findCourseId(db, schoolId, 'sourdough-from-scratch')
    if (dev === undefined || sourdough === undefined) return false
    const id = newUuid(now.getTime())
    if ((await insertReview(db, schoolId, { id, courseId: sourdough, memberId: dev }, said)) === 0) return false
    await storeReviewStatus(db, schoolId, id, undefined)
    const where = { db, school: await getSchool(db, schoolId), now }
    await enroll(where, { memberId: dev, courseId: sourdough, source: 'gift' })
    const ada = await findMemberId(db, schoolId, 'ada@crumb.example')
    const firstLoaf = await findCourseId(db, schoolId, 'first-loaf')
    if (ada !== undefined && firstLoaf !== undefined)
      await enroll(where, { memberId: ada, courseId: firstLoaf, source: 'free' })
    return true
  })
