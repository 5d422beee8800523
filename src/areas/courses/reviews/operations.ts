import type { Static } from 'typebox'
import { CourseRef, canManageCourse, getCourse } from '#src/areas/courses/courses/index.ts'
import type { Caller } from '#src/contract/caller.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { type AsCaller, type Cells, declareFor, type ReadContext } from '#src/contract/operation.ts'
import type { Listing } from '#src/contract/pagination.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidParameter } from '#src/contract/problems.ts'
import { listStatement, readList } from '#src/db/list.ts'
import { toId } from '#src/kit/ids.ts'
import { cleanLine } from '#src/kit/text.ts'
import { courseOfReview, lockManagedReview, noReview } from './access.ts'
import { findReview, type ReviewFilter, type ReviewRow, reviewList, storeReply, storeReviewStatus } from './queries.ts'
import { buildIds } from './rules.ts'
import {
  AllReviewsQuery,
  HidingQuery,
  type ListReviewsParams,
  NewReply,
  Review,
  ReviewPage,
  ReviewRef,
  ReviewsQuery,
} from './schema.ts'
import { buildReader, type ReviewReader, reviewView } from './views.ts'

const sourdough = { course_id: 'slug:sourdough-from-scratch' }

const one = { review_id: exampleFrom('rev', 'listCourseReviews') }

// The newest first by default.
const CELLS: Cells<ReviewRow> = {
  id: row => row.id,
  course_id: row => row.course_id,
  author_id: row => toId('mem', row.member_id),
  author_name: row => row.member_name,
  rating: row => row.rating,
  title: row => row.title,
  body: row => row.body,
  status: row => row.status,
  hidden_reason: row => row.hidden_reason,
  reply: row => row.reply_body,
  published_at: row => row.published_at,
  created_at: row => row.created_at,
  updated_at: row => row.updated_at,
}

type ReviewListing = Listing & AsCaller<Caller> & { readonly query: ListReviewsParams }

const readPage = (context: ReviewListing, filter: ReviewFilter, reader: ReviewReader) =>
  readList(context, reviewList(context.school.id, filter), rows => rows.map(row => reviewView(row, reader)))

const listCourseReviews = declareFor('anyone', 'courses', {
  id: 'listCourseReviews',
  route: 'GET /courses/:course_id/reviews',
  summary: "List a course's reviews",
  description:
    'Lists the published reviews of a course, newest first. Those who manage the course also see pending and hidden ones.',
  params: CourseRef,
  query: ReviewsQuery,
  returns: ReviewPage,
  example: { params: sourdough },
  async handle(context) {
    const { caller, params, query } = context
    const course = await getCourse(context, params.course_id)
    const canManage = canManageCourse(caller, course)
    if (!canManage && (query.status ?? 'published') !== 'published') return { data: [], has_more: false }
    const status = canManage ? query.status : 'published'
    return readPage(context, { courseId: course.id, status, rating: query.rating }, buildReader(caller, course))
  },
})

const readFilter = ({ course_id: id, status, rating }: Static<typeof AllReviewsQuery>): ReviewFilter => ({
  status,
  rating,
  courseId: id,
})

const listReviews = declareFor('staff', 'courses', {
  id: 'listReviews',
  route: 'GET /reviews',
  summary: 'List reviews',
  description:
    'Lists the reviews of all courses for moderation. `status=pending` lists those that are not approved yet.',
  query: AllReviewsQuery,
  returns: ReviewPage,
  csv: {
    cells: CELLS,
    statement: ({ school, query }) => listStatement(reviewList(school.id, readFilter(query)), query.sort),
  },
  handle(context) {
    const { caller, query } = context
    return readPage(context, readFilter(query), { canManage: true, memberId: caller.member.id })
  },
})

const ACTIONS = ['getReview', 'replyToReview', 'deleteReviewReply']

// Only staff decide what is public, so that lecturers do not choose the reviews of their own courses.
const STAFF_ACTIONS = ['publishReview', 'hideReview']

const listActions = (
  { caller, allowedActions }: Pick<ReadContext<Caller>, 'caller' | 'allowedActions'>,
  { canManage }: ReviewReader,
) =>
  caller.member === undefined
    ? {}
    : { allowed_actions: allowedActions(canManage ? [...ACTIONS, ...STAFF_ACTIONS] : ['getReview']) }

const getReview = declareFor('anyone', 'courses', {
  id: 'getReview',
  route: 'GET /reviews/:review_id',
  summary: 'Get a review',
  description:
    'Returns one review. Everybody reads published reviews; pending and hidden ones are visible to their author and to those who manage the course.',
  params: ReviewRef,
  returns: Review,
  example: { params: one },
  async handle(context) {
    const { db, school, caller, params } = context
    const row = await findReview(db, school.id, params.review_id)
    if (row === undefined) throw noReview()
    const reader = buildReader(caller, await courseOfReview(context, row))
    return { ...reviewView(row, reader), ...listActions(context, reader) }
  },
})

// Only members who manage the course can change these reviews.
const managedView = ({ caller }: AsCaller, row: ReviewRow): Static<typeof Review> =>
  reviewView(row, { canManage: true, memberId: caller.member.id })

const publishReview = declareFor('staff', 'courses', {
  id: 'publishReview',
  route: 'PUT /reviews/:review_id/publication',
  summary: 'Publish a review',
  description:
    'Approves a pending review or shows a hidden one again. With If-Match, only the version that was read is approved.',
  ifMatch: 'honoured',
  params: ReviewRef,
  returns: Review,
  example: { params: one },
  async handle(context) {
    const { db, school, changed, record } = context
    const row = await lockManagedReview(context)
    if (row.status === 'published') return managedView(context, row)
    const view = managedView(context, await storeReviewStatus(db, school.id, row.id, undefined))
    changed({ ids: [toId('rev', view.id)], fields: ['status'], revision: view.revision })
    record({ type: 'review.published', payload: buildIds(row) })
    return view
  },
})

const hideReview = declareFor('staff', 'courses', {
  id: 'hideReview',
  route: 'DELETE /reviews/:review_id/publication',
  summary: 'Hide a review',
  description:
    'Hides a review, with a reason that its author can read. A hidden review does not count towards the rating. Lecturers cannot hide reviews of their own courses.',
  ifMatch: 'honoured',
  params: ReviewRef,
  query: HidingQuery,
  returns: Review,
  example: { params: one, query: { reason: 'Names another student' } },
  async handle(context) {
    const { db, school, query, changed, record } = context
    const row = await lockManagedReview(context)
    const reason = cleanLine(query.reason, 300)
    if (reason === '') throw new Refusal(invalidParameter, 'The reason has no visible character.')
    if (row.status === 'hidden' && row.hidden_reason === reason) return managedView(context, row)
    const view = managedView(context, await storeReviewStatus(db, school.id, row.id, reason))
    changed({ ids: [toId('rev', view.id)], fields: ['status', 'hidden_reason'], revision: view.revision })
    record({ type: 'review.hidden', payload: buildIds(row) })
    return view
  },
})

const replyToReview = declareFor('lecturer_of', 'courses', {
  id: 'replyToReview',
  route: 'PUT /reviews/:review_id/reply',
  summary: 'Reply to a review',
  description:
    'Publishes a reply below a review, or replaces the reply. Staff and the lecturers of the course may reply.',
  ifMatch: 'honoured',
  params: ReviewRef,
  body: NewReply,
  returns: Review,
  example: { params: one, body: { body: 'Thank you! The rye course comes in spring.' } },
  async handle(context) {
    const { db, school, caller, body, changed, record } = context
    const row = await lockManagedReview(context)
    if (row.reply_body === body.body) return managedView(context, row)
    const view = managedView(
      context,
      await storeReply(db, school.id, row.id, { memberId: caller.member.id, body: body.body }),
    )
    changed({ ids: [toId('rev', view.id)], fields: ['reply'], revision: view.revision })
    record({ type: 'review.replied', payload: buildIds(row) })
    return view
  },
})

const deleteReviewReply = declareFor('lecturer_of', 'courses', {
  id: 'deleteReviewReply',
  route: 'DELETE /reviews/:review_id/reply',
  summary: 'Delete a review reply',
  description: 'Deletes the reply to a review.',
  ifMatch: 'honoured',
  params: ReviewRef,
  returns: Review,
  example: { params: one },
  async handle(context) {
    const { db, school, changed, record } = context
    const row = await lockManagedReview(context)
    if (row.reply_body === null) return managedView(context, row)
    const view = managedView(context, await storeReply(db, school.id, row.id, undefined))
    changed({ ids: [toId('rev', view.id)], fields: ['reply'], revision: view.revision })
    record({ type: 'review.reply_deleted', payload: buildIds(row) })
    return view
  },
})

/** The operations of reviews, in the order of the documentation. */
export const reviewOperations = [
  listCourseReviews,
  listReviews,
  getReview,
  publishReview,
  hideReview,
  replyToReview,
  deleteReviewReply,
]
