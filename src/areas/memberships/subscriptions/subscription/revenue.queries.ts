import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** What the subscriptions of some plans bring in a month, in minor units of the currency of the school, rounded once. */
export const sumMonthlyRevenue = async (
  db: Db,
  schoolId: string,
  planIds: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const rows = await db.all(sql<{ id: string; amount: number }>`
    select s.item_id as id, round(sum(s.mrr))::double precision as amount
    from subscriptions s
    where s.school_id = ${schoolId} and s.item_type = 'membership_plan' and s.item_id = any (${planIds}::uuid[])
      and s.mrr > 0
    group by s.item_id`)
  return new Map(rows.map(({ id, amount }) => [id, amount]))
}
