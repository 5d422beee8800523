import { type Caller, isStaff } from '#src/contract/caller.ts'
import type { AsCaller } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { findProductRow, lockProductRow, type ProductRow } from './queries.ts'

const noProduct = (): Refusal => new Refusal(notFound, 'There is no such product.')

/** The product in a path as the caller sees it; refuses with 404 when the caller may not see it. */
export const getProduct = async ({ db, school, caller }: AsCaller<Caller>, ref: string): Promise<ProductRow> => {
  const row = await findProductRow(db, school.id, ref, !isStaff(caller))
  if (row === undefined) throw noProduct()
  return row
}

/** The same, locked until the transaction ends. */
export const lockProduct = async (context: AsCaller<Caller>, ref: string): Promise<ProductRow> => {
  const id = await lockProductRow(context.db, context.school.id, ref)
  if (id === undefined) throw noProduct()
  return getProduct(context, id)
}
