import type { JobHandler } from '#src/contract/job.ts'
import { recordWorkerChange } from '#src/db/audit.ts'
import { getSchool } from '#src/db/schools.ts'
import { toId } from '#src/kit/ids.ts'
import { releaseOrder } from '../settlement/writes.ts'
import { expireOrder } from './queries.ts'

/** Ends the order of a job that was not paid in time and gives back what it held, in the transaction that settles the job. */
export const expireUnpaid: JobHandler = async ({ schoolId, id }) => ({
  againIn: undefined,
  settle: async db => {
    const expired = await expireOrder(db, schoolId, id)
    if (expired === undefined) return
    const { member_id: memberId, status, revision, updated_at: now } = expired
    const released = await releaseOrder({ db, school: await getSchool(db, schoolId), now }, id, status)
    const order = toId('ord', id)
    await recordWorkerChange(
      db,
      { schoolId, now, operation: 'cancelAccountOrder' },
      { ids: [order], fields: ['status'], revision, memberId },
      [{ type: `order.${status}`, payload: { order_id: order, member_id: toId('mem', memberId) } }, ...released],
    )
  },
})
