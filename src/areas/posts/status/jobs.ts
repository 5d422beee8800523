import type { JobHandler } from '#src/contract/job.ts'
import { recordWorkerChange } from '#src/db/audit.ts'
import { toId } from '#src/kit/ids.ts'
import { publishDue } from './queries.ts'

/** Publishes the post of a job, in the transaction that settles the job. */
export const publishScheduled: JobHandler = async ({ schoolId, id }) => ({
  againIn: undefined,
  settle: async db => {
    const published = await publishDue(db, schoolId, id)
    if (published === undefined) return
    const post = toId('pst', id)
    const { updated_at: now, revision } = published
    await recordWorkerChange(
      db,
      { schoolId, now, operation: 'publishPost' },
      { ids: [post], fields: ['status'], revision },
      [{ type: 'post.published', payload: { post } }],
    )
  },
})
