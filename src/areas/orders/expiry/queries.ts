import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** Marks a pending order as expired once its time is over; returns its buyer, and undefined when it is not over. */
export const expireOrder = (
  db: Db,
  schoolId: string,
  id: string,
): Promise<{ readonly member_id: string; readonly revision: number; readonly updated_at: Date } | undefined> =>
  db.first(sql<{ member_id: string; revision: number; updated_at: Date }>`
    with clock as materialized (select stoa.now() as now)
    update orders set status = 'expired', revision = revision + 1, updated_at = (select now from clock)
    where school_id = ${schoolId} and id = ${id} and status = 'pending' and expires_at <= (select now from clock)
    returning member_id, revision, updated_at`)
