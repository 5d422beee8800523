import type { Db, Statement } from '#src/contract/db.ts'
import type { MetricRange, MetricRow } from '#src/contract/metric.ts'
import { sql } from '#src/db/sql.ts'

const paidIn = (schoolId: string, { from, until }: MetricRange): Statement =>
  sql`o.school_id = ${schoolId} and o.paid_at >= ${from} and o.paid_at < ${until}`

// The prefix of an item's id, by its type.
const item = sql`case l.item_type when 'course' then 'crs:' when 'digital_product' then 'dpr:'
  when 'membership_plan' then 'mpl:' else 'tkt:' end || l.item_id`

/** The orders that were placed in a range. */
export const placedRows = (schoolId: string, { from, until }: MetricRange): Statement<MetricRow> => sql<MetricRow>`
  select created_at as at, 1 as value, jsonb_build_object('kind', kind) as dims
  from orders where school_id = ${schoolId} and created_at >= ${from} and created_at < ${until}`

/** The orders that were paid in a range. */
export const paidRows = (schoolId: string, range: MetricRange): Statement<MetricRow> => sql<MetricRow>`
  select o.paid_at as at, 1 as value, jsonb_strip_nulls(jsonb_build_object('kind', o.kind, 'country', o.tax_country,
    'campaign', o.campaign)) as dims
  from orders o where ${paidIn(schoolId, range)}`

/** What the lines of the orders that were paid in a range cost, tax included. */
export const salesRows = (schoolId: string, range: MetricRange): Statement<MetricRow> => sql<MetricRow>`
  select o.paid_at as at, l.amount as value, jsonb_strip_nulls(jsonb_build_object('currency', o.currency, 'item', ${item},
    'kind', o.kind, 'country', o.tax_country, 'tax_rate', trim_scale(l.tax_rate / 10000.0), 'campaign', o.campaign)) as dims
  from orders o join order_lines l on l.school_id = o.school_id and l.order_id = o.id
  where ${paidIn(schoolId, range)}`

/** The tax in the lines of the orders that were paid in a range. */
export const taxRows = (schoolId: string, range: MetricRange): Statement<MetricRow> => sql<MetricRow>`
  select o.paid_at as at, l.tax_amount as value, jsonb_strip_nulls(jsonb_build_object('currency', o.currency, 'item', ${item},
    'country', o.tax_country, 'tax_rate', trim_scale(l.tax_rate / 10000.0))) as dims
  from orders o join order_lines l on l.school_id = o.school_id and l.order_id = o.id
  where ${paidIn(schoolId, range)}`

/** What is left of the orders that were paid in a range after what was refunded of them since. */
export const keptRows = (schoolId: string, range: MetricRange): Statement<MetricRow> => sql<MetricRow>`
  select o.paid_at as at, o.paid_total - o.refunded_total as value, jsonb_strip_nulls(jsonb_build_object(
    'currency', o.currency, 'country', o.tax_country, 'campaign', o.campaign)) as dims
  from orders o where ${paidIn(schoolId, range)}`

/** Who paid for orders of which campaign in a range. */
export const campaignPeople = (schoolId: string, range: MetricRange) => sql<{
  at: Date
  person: string
  part: string | null
}>`
  select o.paid_at as at, o.member_id as person, o.campaign as part from orders o
  where ${paidIn(schoolId, range)} and o.campaign is not null`

/** The names of some items as they were when they were last ordered, by their ids. */
export const itemNames = async (
  db: Db,
  schoolId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const rows = await db.all(sql<{ id: string; name: string }>`
    select i.id, l.name from unnest(${ids}::uuid[]) as i (id) cross join lateral (
      select o.name from order_lines o
      where o.school_id = ${schoolId} and o.item_type in ('course', 'digital_product', 'membership_plan', 'ticket')
        and o.item_id = i.id
      order by o.order_id desc limit 1) as l`)
  return new Map(rows.map(({ id, name }) => [id, name]))
}
