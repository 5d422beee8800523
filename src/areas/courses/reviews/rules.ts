import { problem } from '#src/contract/problem.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import { toId } from '#src/kit/ids.ts'
import { cleanLine } from '#src/kit/text.ts'
import type { ReviewMode, ReviewRow, ReviewValues } from './queries.ts'
import type { ReviewInput } from './schema.ts'

/** The ids of the facts about a review: with the course, and the member who wrote it. */
export const buildIds = (row: Pick<ReviewRow, 'id' | 'course_id' | 'member_id'>) => ({
  review_id: toId('rev', row.id),
  course_id: toId('crs', row.course_id),
  member_id: toId('mem', row.member_id),
})

/** The person was never enrolled in the course. */
export const enrollmentRequired = problem(
  403,
  'enrollment_required',
  'Only learners of the course may do this',
  'The person is not enrolled in the course and never was. Former learners may review it too, after their access has ended.',
)

/** The person teaches the course. */
export const ownCourseReview = problem(
  409,
  'own_course_review',
  'Lecturers cannot review their own courses',
  'The person is a lecturer of this course. They can reply to its reviews instead.',
)

/** The person has already reviewed the course. */
export const reviewExists = problem(
  409,
  'review_exists',
  'The person has already reviewed this course',
  'A person can review a course once. Find the review under /account/reviews, and change or delete it there.',
)

type Status = ReviewRow['status']

/** The status of a new review. */
export const statusOfNew = (mode: ReviewMode): Status => (mode === 'direct' ? 'published' : 'pending')

/** The status of a review after a change by its author: a hidden review stays hidden until staff publish it. */
export const statusAfterEdit = (before: Status, mode: ReviewMode): Status =>
  before === 'published' ? statusOfNew(mode) : 'pending'

/** The values of a review after a change by its author; refuses a text without visible characters. */
export const mergeReviewValues = (before: ReviewValues, input: Partial<ReviewInput>): ReviewValues => {
  const body = input.body ?? before.body
  if (cleanLine(body, 1) === '')
    refuseInvalid([{ pointer: '/body', code: 'empty', message: 'must contain a visible character' }])
  return {
    rating: input.rating ?? before.rating,
    title: input.title === undefined ? before.title : (input.title && cleanLine(input.title, 120)) || null,
    body,
  }
}
