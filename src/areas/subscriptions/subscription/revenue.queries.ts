import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/**
 * What the subscriptions of some plans bring in a month, in minor units of the currency of the school and before codes: those
 * that are paid or past due, of members who are not suspended.
 */
export const sumMonthlyRevenue = async (
  db: Db,
  schoolId: string,
  planIds: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const rows = await db.all(sql<{ id: string; amount: number }>`
    select s.item_id as id, round(sum((s.price->>'amount')::numeric
      * case s.price->>'interval' when 'week' then 52.0 / 12 when 'year' then 1.0 / 12 else 1 end
      / coalesce((s.price->>'interval_count')::integer, 1)))::double precision as amount
    from subscriptions s
    join members m on m.school_id = ${schoolId} and m.id = s.member_id and m.status not in ('suspended', 'deleted')
    where s.school_id = ${schoolId} and s.item_type = 'membership_plan' and s.item_id = any (${planIds}::uuid[])
      and s.status in ('active', 'past_due') and s.price->>'payment_type' = 'subscription'
    group by s.item_id`)
  return new Map(rows.map(({ id, amount }) => [id, amount]))
}
