import { type Access, accessIs, membersReached } from '#src/areas/access/index.ts'
import type { Statement } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** The condition that the access of the member `m` of a school to a product is in a state; with the clock. */
export const hasAccessIn = (schoolId: string, productId: string, state: Access['state']): Statement => {
  const item = { type: 'digital_product', id: productId } as const
  return sql`m.school_id = ${schoolId} and m.status <> 'deleted' and m.id in (${membersReached(schoolId, item)})
    and ${accessIs(state, schoolId, sql`m.id`, item)}`
}
