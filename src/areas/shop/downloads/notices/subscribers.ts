import type { FactHandler } from '#src/contract/fact.ts'
import { putJob } from '#src/db/jobs.ts'
import { fromId, newUuid } from '#src/kit/ids.ts'
import { NOTICE_JOB } from './jobs.ts'
import { insertNotice } from './queries.ts'

/** Plans one mail for each holder of a product, however many of its files were replaced, where the change asks for it. */
export const onProductUpdated: FactHandler<'digital_product.updated'> = async ({ payload }, { db, school, now }) => {
  const productId = fromId('dpr', payload.product_id)
  if (payload.notify !== true || productId === undefined) return
  const id = newUuid(now.getTime())
  await insertNotice(db, school.id, id, productId)
  await putJob(db, school.id, { kind: NOTICE_JOB, id, dueAt: now })
}
