import type { JobHandler } from '#src/contract/job.ts'
import { recordWorkerChange } from '#src/db/audit.ts'
import { toId } from '#src/kit/ids.ts'
import { publishDue } from './queries.ts'

/** The kind of job that publishes a page at its instant. */
export const PUBLICATION_JOB = 'page_publication'

/** Publishes the page of a job, in the transaction that settles the job. */
export const publishScheduled: JobHandler = async ({ schoolId, id }) => ({
  againIn: undefined,
  settle: async db => {
    const published = await publishDue(db, schoolId, id)
    if (published === undefined) return
    const page = toId('pag', id)
    const { updated_at: now, revision, version } = published
    await recordWorkerChange(
      db,
      { schoolId, now, operation: 'publishPage' },
      { ids: [page], fields: ['status'], revision },
      [{ type: 'page.published', payload: { page, version } }],
    )
  },
})
