import { problem } from '#src/contract/problem.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import { cleanLine } from '#src/kit/text.ts'
import type { ReviewMode, ReviewRow, ReviewValues } from './queries.ts'
import type { ReviewInput } from './schema.ts'

/** The person never learned in the course. */
export const enrollmentRequired = problem(
  403,
  'enrollment_required',
  'Only who learned in the course may do this',
  'The person is not enrolled in the course and never was. Who once learned there may review it, also when their access has ended.',
)

/** The person teaches the course. */
export const ownCourseReview = problem(
  409,
  'own_course_review',
  'Nobody reviews what they teach',
  'The person is a lecturer of this course. They may answer its reviews instead.',
)

/** The person has reviewed the course. */
export const reviewExists = problem(
  409,
  'review_exists',
  'There is a review of this course already',
  'A person reviews a course once. Find the review under /account/reviews, and change or delete it there.',
)

type Status = ReviewRow['status']

/** The status of a review that was just written. */
export const statusOfNew = (mode: ReviewMode): Status => (mode === 'direct' ? 'published' : 'pending')

/** The status of a review whose author changed it: what staff hid does not come back without them. */
export const statusAfterEdit = (before: Status, mode: ReviewMode): Status =>
  before === 'published' ? statusOfNew(mode) : 'pending'

/** A review as it is stored after a change by its author; refuses one in which nothing can be seen. */
export const reviewValuesOf = (before: ReviewValues, input: Partial<ReviewInput>): ReviewValues => {
  const body = input.body ?? before.body
  if (cleanLine(body, 1) === '') refuseInvalid([{ pointer: '/body', code: 'empty', message: 'has nothing visible' }])
  return {
    rating: input.rating ?? before.rating,
    title: input.title === undefined ? before.title : (input.title && cleanLine(input.title, 120)) || null,
    body,
  }
}
