import type { Static } from 'typebox'
import { type CourseRow, canManageCourse, findCourseRow, hasLearned, viewerOf } from '#src/areas/courses/index.ts'
import { type Caller, isStaff, type SignedIn } from '#src/contract/caller.ts'
import type { Db } from '#src/contract/db.ts'
import type { PersonalData } from '#src/contract/personal-data.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound, refuseInvalid } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import { fromId, newUuid, toId } from '#src/kit/ids.ts'
import { cleanLine } from '#src/kit/text.ts'
import {
  insertReview,
  lockReview,
  type ReviewRow,
  type ReviewValues,
  reviewModeOf,
  reviewsStatement,
} from './queries.ts'
import { enrollmentRequired, ownCourseReview, reviewExists, statusOfNew } from './rules.ts'
import type { NewReview, Review, ReviewInput } from './schema.ts'

/** Who reads a review: those who run the course, its author, or anybody. */
export type ReviewReader = { readonly isRunning: boolean; readonly memberId: string | undefined }

const replyOf = (row: ReviewRow): Static<typeof Review>['reply'] => {
  const { reply_body: body, reply_member_id: id, replied_at: at } = row
  if (body === null || id === null || at === null) return null
  return { author: { id: toId('mem', id), name: row.reply_member_name ?? '' }, body, created_at: at.toISOString() }
}

/** A review as somebody reads it. */
export const reviewView = (row: ReviewRow, { isRunning, memberId }: ReviewReader): Static<typeof Review> => ({
  id: toId('rev', row.id),
  course_id: toId('crs', row.course_id),
  author: { id: toId('mem', row.member_id), name: row.member_name },
  rating: row.rating,
  title: row.title,
  body: row.body,
  status: row.status,
  ...(isRunning || row.member_id === memberId ? { hidden_reason: row.hidden_reason } : {}),
  reply: replyOf(row),
  published_at: row.published_at?.toISOString() ?? null,
  revision: row.revision,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

/** What a member wrote about courses, for the copy of their data. */
export const personalReviews = async (db: Db, school: School, memberId: string): Promise<PersonalData[]> => {
  const order = { key: 'created_at', isDescending: false } as const
  const rows = await db.all(reviewsStatement(school.id, { memberId, isEvery: true }, order))
  return [{ name: 'reviews', rows: rows.map(row => reviewView(row, { isRunning: false, memberId })) }]
}

type Looking = { readonly db: Db; readonly school: School; readonly caller: Caller }

/** The refusal of a review that is not there for its caller. */
export const noReview = (): Refusal => new Refusal(notFound, 'There is no such review.')

/** Its course as the caller may find it, unless the review is hidden from them. */
export const courseOfReview = async ({ db, school, caller }: Looking, row: ReviewRow): Promise<CourseRow> => {
  const course = await findCourseRow(db, school.id, viewerOf(caller), toId('crs', row.course_id))
  if (course === undefined || (row.status !== 'published' && !canManageCourse(caller, course))) throw noReview()
  return course
}

/** A review as its caller reads it. */
export const readerOf = (caller: Caller, course: Pick<CourseRow, 'is_lecturer'>): ReviewReader => ({
  isRunning: isStaff(caller) || canManageCourse(caller, course),
  memberId: caller.member?.id,
})

/** A caller's own review, held until the transaction ends; refuses when there is none. */
export const holdOwnReview = async (
  { db, school, caller }: Looking & { readonly caller: SignedIn },
  id: string,
): Promise<ReviewRow> => {
  const row = await lockReview(db, school.id, fromId('rev', id), caller.member.id)
  if (row === undefined) throw noReview()
  return row
}

/** A review as it is stored after what its author said; refuses one in which nothing can be seen. */
export const reviewValuesOf = (before: ReviewValues, said: Partial<ReviewInput>): ReviewValues => {
  const body = said.body ?? before.body
  if (cleanLine(body, 1) === '') refuseInvalid([{ pointer: '/body', code: 'empty', message: 'has nothing visible' }])
  return {
    rating: said.rating ?? before.rating,
    title: said.title === undefined ? before.title : (said.title && cleanLine(said.title, 120)) || null,
    body,
  }
}

// Who learned in a course knows of it, also when it is not public any more; to others it must be.
const checkReviewer = async (looking: Looking & { readonly caller: SignedIn }, courseId: string): Promise<void> => {
  const { db, school, caller } = looking
  const memberId = caller.member.id
  const all = { memberId, isStaff: true }
  const [course, seen, learned] = await Promise.all([
    findCourseRow(db, school.id, all, toId('crs', courseId)),
    findCourseRow(db, school.id, viewerOf(caller), toId('crs', courseId)),
    hasLearned.call({ memberId, courseId }, { school, db }),
  ])
  const isLearner = learned.includes(true)
  if (course === undefined || (seen === undefined && !isLearner))
    refuseInvalid([{ pointer: '/course_id', code: 'unknown', message: 'is not a course' }])
  if (course?.is_lecturer === true) throw new Refusal(ownCourseReview, 'You teach this course.')
  if (!isLearner) throw new Refusal(enrollmentRequired, 'You are not enrolled in this course and never were.')
}

/** Writes the review of a member who learned in the course; gives the row's id. */
export const addReview = async (
  looking: Looking & { readonly caller: SignedIn; readonly now: Date },
  said: Static<typeof NewReview>,
): Promise<string> => {
  const { db, school, caller, now } = looking
  const courseId = fromId('crs', said.course_id) ?? ''
  await checkReviewer(looking, courseId)
  const ids = { id: newUuid(now.getTime()), courseId, memberId: caller.member.id }
  const values = reviewValuesOf({ rating: said.rating, title: null, body: said.body }, said)
  const status = statusOfNew(await reviewModeOf(db, school.id))
  if ((await insertReview(db, school.id, ids, { ...values, status })) === 0)
    throw new Refusal(reviewExists, 'You have reviewed this course.')
  return ids.id
}
