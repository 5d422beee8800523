import type { JobHandler } from '#src/contract/job.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { publishDue, recordPublished } from './queries.ts'

/** Publishes the course that a piece of work is for, in the transaction that settles the work. */
export const publishScheduled: JobHandler = async ({ schoolId, id }) => ({
  againIn: undefined,
  settle: async db => {
    const published = await publishDue(db, schoolId, id)
    if (published === undefined) return
    const at = published.updated_at
    const ids = [newUuid(at.getTime()), newUuid(at.getTime())] as const
    await recordPublished(db, schoolId, { ids, course: toId('crs', id), at, revision: published.revision })
  },
})
