import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** An order that was not paid in time. */
type Expired = {
  readonly member_id: string
  readonly status: 'expired' | 'failed'
  readonly revision: number
  readonly updated_at: Date
}

/**
 * Marks a pending order as expired once its time is over; that of a period of a subscription failed and may be paid still. Returns
 * undefined when its time is not over.
 */
export const expireOrder = (db: Db, schoolId: string, id: string) =>
  db.first(sql<Expired>`
    with clock as materialized (select stoa.now() as now)
    update orders set status = case when kind in ('renewal', 'instalment') then 'failed' else 'expired' end, revision = revision + 1,
      updated_at = (select now from clock)
    where school_id = ${schoolId} and id = ${id} and status = 'pending' and expires_at <= (select now from clock)
    returning member_id, status, revision, updated_at`)
