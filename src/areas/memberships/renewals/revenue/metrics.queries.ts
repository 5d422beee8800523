import type { Statement } from '#src/contract/db.ts'
import type { MetricRange, MetricRow } from '#src/contract/metric.ts'
import { sql } from '#src/db/sql.ts'
import { when } from '#src/db/where.ts'

/** Why monthly recurring revenue changed. */
export type Movement = 'new' | 'expansion' | 'contraction' | 'churned' | 'reactivated'

// The prefix of an item's id, by its type.
const item = sql`case c.item_type when 'course' then 'crs:' when 'digital_product' then 'dpr:' else 'mpl:' end || c.item_id`

const changedIn = (schoolId: string, { from, until }: MetricRange, movement: Movement | undefined): Statement => sql`
  c.school_id = ${schoolId} and c.at >= ${from} and c.at < ${until}
    and ${when(movement, one => sql`c.movement = ${one}`) ?? sql`true`}`

/** How monthly recurring revenue changed in a range, by one movement or by all. */
export const revenueRows =
  (movement?: Movement) =>
  (schoolId: string, range: MetricRange): Statement<MetricRow> =>
    sql<MetricRow>`
    select c.at, c.amount as value,
      jsonb_build_object('currency', c.currency, 'item', ${item}, 'started_in', c.started_in) as dims
    from mrr_changes c where ${changedIn(schoolId, range, movement)}`

/** The subscriptions that came and went in a range, by one movement or by all; those that go count negatively. */
export const countRows =
  (movement?: Movement) =>
  (schoolId: string, range: MetricRange): Statement<MetricRow> =>
    sql<MetricRow>`
    select c.at, ${movement === 'churned' ? sql`-c.subscriptions` : sql`c.subscriptions`} as value,
      jsonb_build_object('item', ${item}, 'started_in', c.started_in) as dims
    from mrr_changes c where ${changedIn(schoolId, range, movement)} and c.subscriptions <> 0`
