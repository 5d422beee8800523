import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** The orders of a subscription that wait for payment or whose payment failed, oldest first. */
export const listOpenOrders = async (db: Db, schoolId: string, subscriptionId: string): Promise<string[]> =>
  (
    await db.all(sql<{ id: string }>`
      select id from orders
      where school_id = ${schoolId} and subscription_id = ${subscriptionId} and status in ('pending', 'failed') order by id`)
  ).map(({ id }) => id)
