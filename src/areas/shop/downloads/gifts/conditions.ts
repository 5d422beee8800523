import { type Access, accessIs, membersReached } from '#src/areas/learning/index.ts'
import type { Statement } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** The members to whom a product was or is given in some way, with an entry for each. */
export const reachedBy = (schoolId: string, productId: string): Statement =>
  membersReached(schoolId, { type: 'digital_product', id: productId })

/** The condition that the member `m` is among them, which collects them all. */
export const isReached = (schoolId: string, productId: string): Statement =>
  sql`m.id in (${reachedBy(schoolId, productId)})`

/** The same condition, which looks up one member. */
export const isReachedOne = (schoolId: string, productId: string): Statement =>
  sql`exists (select from (${reachedBy(schoolId, productId)}) as r where r.member_id = m.id)`

/** The condition that the access of the member `m` of a school to a product is in a state; with the clock. */
export const hasAccessIn = (schoolId: string, productId: string, state: Access['state']): Statement =>
  accessIs(state, schoolId, sql`m.id`, { type: 'digital_product', id: productId })
