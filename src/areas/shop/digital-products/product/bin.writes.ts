import { putInBin } from '#src/areas/school/index.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import { productStatus } from '../status/queries.ts'
import { hideProduct } from './bin.queries.ts'
import type { ProductRow } from './queries.ts'

/** Puts a product into the bin, as a member who deletes it. */
export const binProduct = async (
  { db, school }: SchoolContext,
  { id, name }: Pick<ProductRow, 'id' | 'name'>,
  memberId: string,
): Promise<void> => {
  await hideProduct(db, school.id, id)
  await productStatus.cancel(db, school.id, id)
  await putInBin(db, school.id, memberId, [{ kind: 'digital_product', id, name }])
}
