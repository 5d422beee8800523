import { area } from '#src/contract/area.ts'
import { accountReviewOperations } from './account.operations.ts'
import { implementations } from './implementations.ts'
import { reviewOperations } from './operations.ts'
import { reviewExists } from './rules.ts'

export { insertReview, storeReviewStatus } from './queries.ts'
export { ReviewPage } from './schema.ts'

/** Reviews of courses by learners, and the replies of the school. */
export const reviews = area({
  name: 'reviews',
  operations: [...reviewOperations, ...accountReviewOperations],
  hooks: implementations,
  constraints: { reviews_member: reviewExists },
})
