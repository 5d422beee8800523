import { type Caller, isAtLeast } from '#src/contract/caller.ts'
import type { AsCaller } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { isOrderOf } from './hooks.ts'
import { hasInvoice } from './invoice/queries.ts'

/** What a caller sees of the documents of the school: of buyers who were erased, owners alone see name, address and file. */
export const buildReader = ({ member }: Caller): { readonly seesErased: boolean } => ({
  seesErased: member !== undefined && isAtLeast(member.role, 'owner'),
})

/** Refuses an order that is not the caller's own. */
export const requireOwnOrder = async ({ db, school, caller }: AsCaller, orderId: string): Promise<void> => {
  const memberId = caller.member.id
  if (await hasInvoice(db, school.id, { orderId, memberId })) return
  if ((await isOrderOf.call({ orderId, memberId }, { db, school })).includes(true)) return
  throw new Refusal(notFound, 'There is no such order.')
}
