import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** The order of a subscription that waits for payment of all that is left: one of an instalment without a period. */
export const findOpenRest = async (db: Db, schoolId: string, subscriptionId: string): Promise<string | undefined> =>
  (
    await db.first(sql<{ id: string }>`
      select o.id from orders o
      where o.school_id = ${schoolId} and o.subscription_id = ${subscriptionId} and o.kind = 'instalment'
        and o.status in ('pending', 'processing') and not exists (
          select from subscription_periods p where p.school_id = ${schoolId} and p.order_id = o.id)
      order by o.id desc limit 1`)
  )?.id
