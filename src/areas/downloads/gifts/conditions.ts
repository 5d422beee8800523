import { type Access, accessIs, membersReached } from '#src/areas/access/index.ts'
import type { Statement } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** The members `m` of a school to whom a product was or is given in some way, and who are not deleted. */
export const isReached = (schoolId: string, productId: string): Statement =>
  sql`m.school_id = ${schoolId} and m.status <> 'deleted'
    and m.id in (${membersReached(schoolId, { type: 'digital_product', id: productId })})`

/** The condition that the access of the member `m` of a school to a product is in a state; with the clock. */
export const hasAccessIn = (schoolId: string, productId: string, state: Access['state']): Statement =>
  accessIs(state, schoolId, sql`m.id`, { type: 'digital_product', id: productId })
