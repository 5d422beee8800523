import type { Statement } from '#src/contract/db.ts'
import type { MetricRange, MetricRow } from '#src/contract/metric.ts'
import { sql } from '#src/db/sql.ts'

/** What was refunded of the lines of orders in a range. */
export const refundedRows = (schoolId: string, { from, until }: MetricRange): Statement<MetricRow> => sql<MetricRow>`
  select r.settled_at as at, n.amount as value, jsonb_build_object('currency', o.currency, 'reason', r.reason,
    'item', case l.item_type when 'course' then 'crs:' when 'digital_product' then 'dpr:'
      when 'membership_plan' then 'mpl:' else 'tkt:' end || l.item_id) as dims
  from refunds r join refund_lines n on n.school_id = r.school_id and n.refund_id = r.id
  join order_lines l on l.school_id = n.school_id and l.id = n.line_id
  join orders o on o.school_id = l.school_id and o.id = l.order_id
  where r.school_id = ${schoolId} and r.settled_at >= ${from} and r.settled_at < ${until} and r.state = 'succeeded'`
