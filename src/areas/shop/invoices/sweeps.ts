import { discardGenerated } from '#src/areas/files/index.ts'
import { hasMore, type Sweep } from '#src/contract/sweep.ts'
import { forgetBuyers, listOverdue } from './invoice/queries.ts'

/**
 * Forgets the erased buyers of documents after the retention period, with the files that name them. Number, amounts and tax
 * stay. The files go first, so that a sweep that ends between the statements is repeated.
 */
export const sweepBuyers: Sweep = async (db, schoolId, { most }) => {
  const rows = await listOverdue(db, schoolId, most)
  if (rows.length === 0) return undefined
  const files = rows.flatMap(({ file_id }) => (file_id === null ? [] : [file_id]))
  if (files.length > 0) await discardGenerated(db, schoolId, files)
  const ids = rows.map(({ id }) => id)
  await forgetBuyers(db, schoolId, ids)
  return hasMore(rows.length, most)
}
