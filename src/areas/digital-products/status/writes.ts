import type { Db } from '#src/contract/db.ts'
import { dropJob, putJob } from '#src/db/jobs.ts'
import { type ProductRow, storeStatus } from '../product/queries.ts'
import { PUBLICATION_JOB } from './jobs.ts'

/** Moves a locked product to another status, or plans the publication of a draft; returns the product. */
export const storeProductStatus = async (
  db: Db,
  schoolId: string,
  id: string,
  { status, publishAt }: { readonly status: ProductRow['status']; readonly publishAt?: Date | undefined },
): Promise<ProductRow> => {
  const row = await storeStatus(db, schoolId, id, { status, publishAt })
  if (publishAt === undefined) await dropJob(db, schoolId, PUBLICATION_JOB, id)
  else await putJob(db, schoolId, { kind: PUBLICATION_JOB, id, dueAt: publishAt })
  return row
}
