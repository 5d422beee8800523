import type { PriceTable } from '#src/areas/school/index.ts'
import type { Statement } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** The prices of tickets. */
export const ticketPrices: PriceTable = {
  prices: sql`ticket_prices`,
  item: sql`ticket_type_id`,
  items: sql`ticket_types`,
}

/** The columns of a kind of ticket `t`, with those of its price `p`. */
export const ticketTypeColumns: Statement = sql`t.id, t.event_id, t.name, t.description, t.position, t.capacity, t.sales_from,
  t.sales_until, t.min_per_order, t.max_per_order, t.needs_approval, t.visibility, t.audience, t.group_ids, t.plan_ids,
  t.least_amount::double precision as least_amount, t.revision, t.created_at, t.updated_at, p.id as price_id,
  p.amount::double precision as amount, p.currency`

/** A kind of ticket `t` with its current price `p`. */
export const pricedTicketTypes = (schoolId: string): Statement => sql`ticket_types t
  join ticket_prices p on p.school_id = ${schoolId} and p.ticket_type_id = t.id and p.is_primary`
