import Type, { type Static } from 'typebox'
import type { Db } from '#src/contract/db.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { declareFor } from '#src/contract/operation.ts'
import { PageQuery } from '#src/contract/pagination.ts'
import type { School } from '#src/contract/school.ts'
import { readList } from '#src/db/list.ts'
import { toId } from '#src/kit/ids.ts'
import { changedFields } from '#src/kit/patch.ts'
import { OneOf } from '#src/kit/shapes.ts'
import { lockOwnReview, noReview } from './access.ts'
import {
  deleteReview,
  findReview,
  type ReviewRow,
  type ReviewValues,
  readReviewMode,
  reviewList,
  storeReview,
} from './queries.ts'
import {
  buildIds,
  enrollmentRequired,
  mergeReviewValues,
  ownCourseReview,
  reviewExists,
  statusAfterEdit,
} from './rules.ts'
import { NewReview, Review, ReviewChanges, ReviewPage, ReviewRef, reviewStatuses } from './schema.ts'
import { reviewView } from './views.ts'
import { addReview } from './writes.ts'

const ACTIONS = ['getAccountReview', 'updateAccountReview', 'deleteAccountReview']

// Authors see why their review is hidden.
const renderView = (row: ReviewRow): Static<typeof Review> =>
  reviewView(row, { canManage: false, memberId: row.member_id })

const own = { review_id: exampleFrom('rev', 'listAccountReviews') }

const OwnReviewsQuery = Type.Object({
  ...PageQuery,
  status: Type.Optional(OneOf(reviewStatuses, 'Only this status')),
})

const listAccountReviews = declareFor('self', 'account', {
  id: 'listAccountReviews',
  route: 'GET /account/reviews',
  summary: 'List your reviews',
  description: 'Lists the course reviews that you wrote, newest first.',
  query: OwnReviewsQuery,
  returns: ReviewPage,
  handle(context) {
    const { school, caller, query } = context
    const list = reviewList(school.id, { memberId: caller.member.id, status: query.status })
    return readList(context, list, rows => rows.map(renderView))
  },
})

const getAccountReview = declareFor('self', 'account', {
  id: 'getAccountReview',
  route: 'GET /account/reviews/:review_id',
  summary: 'Get your review',
  description: 'Returns one of your reviews with its status and, if the school hid it, the reason.',
  params: ReviewRef,
  returns: Review,
  example: { params: own },
  async handle({ db, school, caller, params, allowedActions }) {
    const row = await findReview(db, school.id, params.review_id, caller.member.id)
    if (row === undefined) throw noReview()
    return { ...renderView(row), allowed_actions: allowedActions(ACTIONS) }
  },
})

const stored = async (db: Db, school: School, id: string): Promise<Static<typeof Review>> => {
  const row = await findReview(db, school.id, id)
  if (row === undefined) throw new Error('a review that was written is there')
  return renderView(row)
}

const createAccountReview = declareFor('self', 'account', {
  id: 'createAccountReview',
  route: 'POST /account/reviews',
  summary: 'Review a course',
  description:
    'Writes a review of a course that you are or were enrolled in, once for each course. Where the school approves reviews, it is pending until then, visible to you and to those who manage the course.',
  body: NewReview,
  returns: Review,
  status: 201,
  fails: [enrollmentRequired, ownCourseReview, reviewExists],
  example: {
    body: {
      course_id: exampleFrom('crs', 'listCourses', { having: { slug: 'first-loaf' } }),
      rating: 5,
      title: 'It rose',
      body: 'My first loaf that I did not have to hide.',
    },
  },
  async handle(context) {
    const { db, school, caller, body, changed, record } = context
    const id = await addReview(context, body)
    const view = await stored(db, school, id)
    changed({
      ids: [toId('rev', view.id), toId('crs', view.course_id)],
      fields: Object.keys(body),
      revision: view.revision,
    })
    record({ type: 'review.created', payload: buildIds({ ...view, member_id: caller.member.id }) })
    return view
  },
})

const updateAccountReview = declareFor('self', 'account', {
  id: 'updateAccountReview',
  route: 'PATCH /account/reviews/:review_id',
  summary: 'Update your review',
  description:
    'Changes one of your reviews. Where the school approves reviews, or if the school hid this one, it waits for approval again.',
  ifMatch: 'honoured',
  params: ReviewRef,
  body: ReviewChanges,
  returns: Review,
  example: { params: own, body: { rating: 4 } },
  async handle(context) {
    const { db, school, params, body, requireMatch, changed, record } = context
    const row = await lockOwnReview(context, params.review_id)
    await requireMatch(row.revision, () => renderView(row))
    const values = mergeReviewValues(row, body)
    const fields = changedFields<ReviewValues>(row, values)
    if (fields.length === 0) return renderView(row)
    const status = statusAfterEdit(row.status, await readReviewMode(db, school.id))
    const view = renderView(await storeReview(db, school.id, row.id, { ...values, status }))
    changed({
      ids: [toId('rev', view.id)],
      fields: status === row.status ? fields : [...fields, 'status'],
      revision: view.revision,
    })
    record({ type: 'review.updated', payload: { ...buildIds(row), fields } })
    return view
  },
})

const deleteAccountReview = declareFor('self', 'account', {
  id: 'deleteAccountReview',
  route: 'DELETE /account/reviews/:review_id',
  summary: 'Delete your review',
  description: 'Deletes one of your reviews together with the reply of the school.',
  ifMatch: 'honoured',
  params: ReviewRef,
  returns: undefined,
  example: { params: own },
  async handle(context) {
    const { db, school, params, requireMatch, changed, record } = context
    const row = await lockOwnReview(context, params.review_id)
    await requireMatch(row.revision, () => renderView(row))
    await deleteReview(db, school.id, row.id)
    const ids = buildIds(row)
    changed({ ids: [ids.review_id, ids.course_id], fields: [] })
    record({ type: 'review.deleted', payload: ids })
  },
})

/** The operations on the caller's own reviews, in the order of the documentation. */
export const accountReviewOperations = [
  listAccountReviews,
  getAccountReview,
  createAccountReview,
  updateAccountReview,
  deleteAccountReview,
]
