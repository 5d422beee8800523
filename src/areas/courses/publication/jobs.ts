import type { JobHandler } from '#src/contract/job.ts'
import { auditWork, recordFact } from '#src/db/journal.ts'
import { toId } from '#src/kit/ids.ts'
import { publishDue } from './queries.ts'

/** Publishes the course that a piece of work is for, in the transaction that settles the work. */
export const publishScheduled: JobHandler = async ({ schoolId, id }) => ({
  againIn: undefined,
  settle: async db => {
    const published = await publishDue(db, schoolId, id)
    if (published === undefined) return
    const at = published.updated_at
    const course = toId('crs', id)
    await recordFact(db, schoolId, { type: 'course.published', payload: { course } }, at)
    const { revision } = published
    await auditWork(db, schoolId, { operation: 'publishCourse', id: course, fields: ['status'], revision }, at)
  },
})
