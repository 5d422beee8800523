import { hasBought } from '#src/areas/coupons/index.ts'
import { implement } from '#src/contract/hook.ts'
import { hasBoughtBefore } from './order/queries.ts'

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(hasBought, ({ memberId }, { db, school }) => hasBoughtBefore(db, school.id, memberId)),
]
