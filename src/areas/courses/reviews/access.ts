import type { Static } from 'typebox'
import {
  buildViewer,
  type CourseRow,
  canManageCourse,
  checkManagesCourse,
  findCourseRow,
  hasLearned,
} from '#src/areas/courses/courses/index.ts'
import type { Caller } from '#src/contract/caller.ts'
import { guardPassed } from '#src/contract/guard.ts'
import type { AsCaller, WriteContext } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound, refuseInvalid } from '#src/contract/problems.ts'
import { lockReview, type ReviewRow } from './queries.ts'
import { enrollmentRequired, ownCourseReview } from './rules.ts'
import type { ReviewRef } from './schema.ts'
import { buildReader, reviewView } from './views.ts'

/** The refusal of a review that does not exist or that the caller may not see. */
export const noReview = (): Refusal => new Refusal(notFound, 'There is no such review.')

/** The course of a review as the caller sees it; refuses with 404 when the caller may not see the review. */
export const courseOfReview = async ({ db, school, caller }: AsCaller<Caller>, row: ReviewRow): Promise<CourseRow> => {
  const course = await findCourseRow(db, school.id, buildViewer(caller), row.course_id)
  if (course === undefined || (row.status !== 'published' && !canManageCourse(caller, course))) throw noReview()
  return course
}

/** A caller's own review, locked until the transaction ends; refuses when there is none. */
export const lockOwnReview = async ({ db, school, caller }: AsCaller, id: string): Promise<ReviewRow> => {
  const row = await lockReview(db, school.id, id, caller.member.id)
  if (row === undefined) throw noReview()
  return row
}

/** Refuses callers who may not review a course; learners may, even if the course is no longer public. */
export const checkReviewer = async ({ db, school, caller }: AsCaller, courseId: string): Promise<void> => {
  const memberId = caller.member.id
  const all = { memberId, isStaff: true }
  const [course, seen, learned] = await Promise.all([
    findCourseRow(db, school.id, all, courseId),
    findCourseRow(db, school.id, buildViewer(caller), courseId),
    hasLearned.call({ memberId, courseId }, { school, db }),
  ])
  const isLearner = learned.includes(true)
  if (course === undefined || (seen === undefined && !isLearner))
    refuseInvalid([{ pointer: '/course_id', code: 'unknown', message: 'is not a course' }])
  if (course?.is_lecturer === true) throw new Refusal(ownCourseReview, 'You teach this course.')
  if (!isLearner) throw new Refusal(enrollmentRequired, 'You are not enrolled in this course and never were.')
}

/** The review in a path, locked, for those who manage its course; checks If-Match. */
export const lockManagedReview = async (
  context: AsCaller & Pick<WriteContext, 'requireMatch'> & { readonly params: Static<typeof ReviewRef> },
): Promise<ReviewRow> => {
  const { db, school, caller, params, requireMatch } = context
  const row = await lockReview(db, school.id, params.review_id)
  if (row === undefined) throw noReview()
  const course = await courseOfReview(context, row)
  checkManagesCourse(caller, course)
  guardPassed(db)
  await requireMatch(row.revision, () => reviewView(row, buildReader(caller, course)))
  return row
}
