import type { Static } from 'typebox'
import type { AsCaller } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { newUuid } from '#src/kit/ids.ts'
import { checkReviewer } from './access.ts'
import { insertReview, readReviewMode } from './queries.ts'
import { mergeReviewValues, reviewExists, statusOfNew } from './rules.ts'
import type { NewReview } from './schema.ts'

/** Stores the review of a member who may review the course; returns its UUID. */
export const addReview = async (
  context: AsCaller & { readonly now: Date },
  input: Static<typeof NewReview>,
): Promise<string> => {
  const { db, school, caller, now } = context
  const courseId = input.course_id
  await checkReviewer(context, courseId)
  const ids = { id: newUuid(now.getTime()), courseId, memberId: caller.member.id }
  const values = mergeReviewValues({ rating: input.rating, title: null, body: input.body }, input)
  const status = statusOfNew(await readReviewMode(db, school.id))
  if ((await insertReview(db, school.id, ids, { ...values, status })) === 0)
    throw new Refusal(reviewExists, 'You have already reviewed this course.')
  return ids.id
}
