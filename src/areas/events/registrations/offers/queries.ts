import type { Db } from '#src/contract/db.ts'
import type { PriceValues } from '#src/contract/price.ts'
import { sql } from '#src/db/sql.ts'

/** A price of a ticket with its kind of ticket. */
export type TicketOfferRow = PriceValues & {
  readonly price_id: string
  readonly status: 'active' | 'retired'
  readonly id: string
  readonly event_id: string
  readonly name: string
  readonly capacity: number | null
  readonly sales_from: Date | null
  readonly sales_until: Date | null
  readonly min_per_order: number
  readonly max_per_order: number
  readonly needs_approval: boolean
  readonly audience: 'everybody' | 'groups' | 'plans'
  readonly group_ids: readonly string[]
  readonly plan_ids: readonly string[]
  readonly least_amount: number | null
}

/** A price of a ticket by its id, unless the ticket is deleted. */
export const findTicketPrice = (db: Db, schoolId: string, priceId: string) =>
  db.first(sql<TicketOfferRow>`
    select p.id as price_id, p.payment_type, p.amount::double precision as amount, p.currency, p."interval",
      p.interval_count, p.number_of_payments, p.trial_days, p.access_days, p.access_until, p.enrollment_cap, p.status,
      t.id, t.event_id, t.name, t.capacity, t.sales_from, t.sales_until, t.min_per_order, t.max_per_order,
      t.needs_approval, t.audience, t.group_ids, t.plan_ids, t.least_amount::double precision as least_amount
    from ticket_prices p
    join ticket_types t on t.school_id = ${schoolId} and t.id = p.ticket_type_id and t.deleted_at is null
    where p.school_id = ${schoolId} and p.id = ${priceId}`)

/** The current price of a kind of ticket; null where it has none. */
export const findTicketTypePrice = async (db: Db, schoolId: string, ticketTypeId: string): Promise<string | null> =>
  (
    await db.first(sql<{ id: string }>`
      select id from ticket_prices where school_id = ${schoolId} and ticket_type_id = ${ticketTypeId} and is_primary`)
  )?.id ?? null
