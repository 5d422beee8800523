import type { Db, Statement } from '#src/contract/db.ts'
import type { MetricRange, MetricRow } from '#src/contract/metric.ts'
import { sql } from '#src/db/sql.ts'

const paidIn = (schoolId: string, { from, until }: MetricRange): Statement =>
  sql`o.school_id = ${schoolId} and o.paid_at >= ${from} and o.paid_at < ${until}`

/** What codes took off the orders that were paid in a range. */
export const discountRows = (schoolId: string, range: MetricRange): Statement<MetricRow> => sql<MetricRow>`
  select o.paid_at as at, d.amount as value, jsonb_build_object('currency', o.currency, 'coupon', 'cpn:' || d.coupon_id) as dims
  from orders o join order_discounts d on d.school_id = o.school_id and d.order_id = o.id
  where ${paidIn(schoolId, range)}`

/** The orders that were paid in a range with a coupon; an order with two coupons counts for each. */
export const couponRows = (schoolId: string, range: MetricRange): Statement<MetricRow> => sql<MetricRow>`
  select distinct o.id, o.paid_at as at, 1 as value, jsonb_build_object('coupon', 'cpn:' || d.coupon_id) as dims
  from orders o join order_discounts d on d.school_id = o.school_id and d.order_id = o.id
  where ${paidIn(schoolId, range)}`

/** The names of some coupons by their ids. */
export const couponNames = async (
  db: Db,
  schoolId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const rows = await db.all(sql<{ id: string; name: string }>`
    select id, name from coupons where school_id = ${schoolId} and id = any (${ids}::uuid[])`)
  return new Map(rows.map(({ id, name }) => [id, name]))
}
