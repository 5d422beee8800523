import type { JobHandler } from '#src/contract/job.ts'
import { recordWorkerChange } from '#src/db/audit.ts'
import { toId } from '#src/kit/ids.ts'
import { publishDue } from '../product/queries.ts'

/** The kind of job that publishes a product at its instant. */
export const PUBLICATION_JOB = 'product_publication'

/** Publishes the product of a job, in the transaction that settles the job. */
export const publishPlanned: JobHandler = async ({ schoolId, id }) => ({
  againIn: undefined,
  settle: async db => {
    const published = await publishDue(db, schoolId, id)
    if (published === undefined) return
    const product = toId('dpr', id)
    const { updated_at: now, revision } = published
    await recordWorkerChange(
      db,
      { schoolId, now, operation: 'publishDigitalProduct' },
      { ids: [product], fields: ['status'], revision },
      [{ type: 'digital_product.published', payload: { digital_product: product } }],
    )
  },
})
