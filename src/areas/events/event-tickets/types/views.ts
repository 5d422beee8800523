import type { Static } from 'typebox'
import type { TicketTypeRow } from './queries.ts'
import type { TicketType } from './schema.ts'

/** The view of a kind of ticket; `left` are the seats of a date that was asked for, null without a limit. */
export const ticketTypeView = (row: TicketTypeRow, left?: number | null): Static<typeof TicketType> => ({
  id: row.id,
  event_id: row.event_id,
  name: row.name,
  description: row.description,
  amount: row.amount,
  least_amount: row.least_amount,
  capacity: row.capacity,
  sales: { from: row.sales_from, until: row.sales_until },
  min_per_order: row.min_per_order,
  max_per_order: row.max_per_order,
  needs_approval: row.needs_approval,
  visibility: row.visibility,
  audience: row.audience,
  group_ids: [...row.group_ids],
  plan_ids: [...row.plan_ids],
  position: row.position,
  price_id: row.price_id,
  currency: row.currency,
  ...(left === undefined ? {} : { seats_left: left }),
  revision: row.revision,
  created_at: row.created_at,
  updated_at: row.updated_at,
})
