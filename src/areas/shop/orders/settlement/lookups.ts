import type { SchoolContext } from '#src/contract/context.ts'
import { lockMember } from '#src/identity/index.ts'
import type { OrderRow } from '../order/list.conditions.ts'
import { findOrder, lockOrder } from '../order/queries.ts'

/**
 * An order by its id, locked with its member until the transaction ends; the member first, as everywhere where access is
 * given. Undefined when there is no such order.
 */
export const lockPaidOrder = async ({ db, school }: SchoolContext, id: string): Promise<OrderRow | undefined> => {
  const order = await findOrder(db, school.id, { ref: id })
  if (order === undefined) return undefined
  await lockMember(db, school.id, order.member_id)
  return lockOrder(db, school.id, { ref: id })
}
