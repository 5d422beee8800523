import type { Statement } from '#src/contract/db.ts'
import type { MetricRange, MetricRow } from '#src/contract/metric.ts'
import { sql } from '#src/db/sql.ts'

/** The money that moved in a range: payments, less refunds and lost disputes. */
export const movementRows = (schoolId: string, { from, until }: MetricRange): Statement<MetricRow> => sql<MetricRow>`
  select settled_at as at, paid_amount as value,
    jsonb_build_object('currency', paid_currency, 'movement', 'payment', 'provider', provider) as dims
  from payments
  where school_id = ${schoolId} and settled_at >= ${from} and settled_at < ${until} and paid_amount > 0
  union all
  select r.settled_at, -r.amount,
    jsonb_build_object('currency', coalesce(p.paid_currency, p.currency), 'movement', 'refund', 'provider', p.provider)
  from refunds r join payments p on p.school_id = r.school_id and p.id = r.payment_id
  where r.school_id = ${schoolId} and r.settled_at >= ${from} and r.settled_at < ${until} and r.state = 'succeeded'
  union all
  select d.closed_at, -d.amount,
    jsonb_build_object('currency', coalesce(p.paid_currency, p.currency), 'movement', 'dispute', 'provider', p.provider)
  from disputes d join payments p on p.school_id = d.school_id and p.id = d.payment_id
  where d.school_id = ${schoolId} and d.closed_at >= ${from} and d.closed_at < ${until} and d.state = 'lost'`

/** The payments that failed in a range. */
export const failedRows = (schoolId: string, { from, until }: MetricRange): Statement<MetricRow> => sql<MetricRow>`
  select settled_at as at, 1 as value,
    jsonb_build_object('provider', provider, 'code', coalesce(failure_code, 'unknown')) as dims
  from payments
  where school_id = ${schoolId} and settled_at >= ${from} and settled_at < ${until} and state = 'failed'`
