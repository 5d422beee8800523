import type { Db, Recorded } from '#src/contract/db.ts'
import { integerKey, type List } from '#src/db/list.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions } from '#src/db/where.ts'
import { pricedTicketTypes, ticketTypeColumns } from './conditions.ts'
import type { TicketTypeValues } from './rules.ts'

/** A kind of ticket as stored, with its current price. */
export type TicketTypeRow = Recorded<TicketTypeValues> & {
  readonly id: string
  readonly event_id: string
  readonly price_id: string
  readonly amount: number
  readonly currency: string
}

/** The kinds of tickets of an event; without `all`, the listed ones. */
export const ticketTypeList = (
  schoolId: string,
  { eventId, all }: { readonly eventId: string; readonly all: boolean },
): List<TicketTypeRow> => ({
  columns: ticketTypeColumns,
  from: pricedTicketTypes(schoolId),
  where: joinConditions(
    sql`t.school_id = ${schoolId} and t.event_id = ${eventId} and t.deleted_at is null`,
    all ? undefined : sql`t.visibility = 'listed'`,
  ),
  id: sql`t.id`,
  keys: { position: integerKey(sql`t.position`, row => row.position) },
  sort: 'position',
})

/** A kind of ticket by its id. */
export const findTicketType = (db: Db, schoolId: string, id: string) =>
  db.first(sql<TicketTypeRow>`
    select ${ticketTypeColumns} from ${pricedTicketTypes(schoolId)}
    where t.school_id = ${schoolId} and t.id = ${id} and t.deleted_at is null`)

/** How the tickets of an event are paid for; where buyers choose the amount, it may be nothing. */
export const listTicketPrices = (db: Db, schoolId: string, eventId: string) =>
  db.all(sql<{ payment_type: string }>`
    select case when t.least_amount is null then p.payment_type else 'one_time' end as payment_type
    from ${pricedTicketTypes(schoolId)}
    where t.school_id = ${schoolId} and t.event_id = ${eventId} and t.deleted_at is null`)

/** Locks a kind of ticket until the transaction ends; returns its event. */
export const lockTicketType = async (db: Db, schoolId: string, id: string): Promise<string | undefined> =>
  (
    await db.first(sql<{ event_id: string }>`
      select event_id from ticket_types where school_id = ${schoolId} and id = ${id} and deleted_at is null
      for no key update`)
  )?.event_id

/** How many kinds of tickets an event has. */
export const countTicketTypes = async (db: Db, schoolId: string, eventId: string): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
      select count(*)::integer as count from ticket_types
      where school_id = ${schoolId} and event_id = ${eventId} and deleted_at is null`)
  ).count

/** Stores a new kind of ticket. */
export const insertTicketType = (
  db: Db,
  schoolId: string,
  { id, eventId }: { readonly id: string; readonly eventId: string },
  values: TicketTypeValues,
) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    insert into ticket_types (school_id, id, event_id, name, description, position, capacity, sales_from, sales_until,
      min_per_order, max_per_order, needs_approval, visibility, audience, group_ids, plan_ids, least_amount, created_at,
      updated_at)
    select ${schoolId}, ${id}, ${eventId}, ${values.name}, ${values.description}, ${values.position}::integer,
      ${values.capacity}::integer, ${values.sales_from}::timestamptz, ${values.sales_until}::timestamptz,
      ${values.min_per_order}::integer, ${values.max_per_order}::integer, ${values.needs_approval}::boolean,
      ${values.visibility}, ${values.audience}, ${values.group_ids}::uuid[], ${values.plan_ids}::uuid[],
      ${values.least_amount}::bigint, now, now
    from clock`)

/** Stores a changed kind of ticket as its next revision. */
export const storeTicketType = (db: Db, schoolId: string, id: string, values: TicketTypeValues) =>
  db.run(sql`
    update ticket_types set name = ${values.name}, description = ${values.description},
      position = ${values.position}::integer, capacity = ${values.capacity}::integer,
      sales_from = ${values.sales_from}::timestamptz, sales_until = ${values.sales_until}::timestamptz,
      min_per_order = ${values.min_per_order}::integer, max_per_order = ${values.max_per_order}::integer,
      needs_approval = ${values.needs_approval}::boolean, visibility = ${values.visibility}, audience = ${values.audience},
      group_ids = ${values.group_ids}::uuid[], plan_ids = ${values.plan_ids}::uuid[],
      least_amount = ${values.least_amount}::bigint, revision = revision + 1, updated_at = (select stoa.now())
    where school_id = ${schoolId} and id = ${id}`)

/** Marks a kind of ticket as deleted. */
export const deleteTicketTypeRow = (db: Db, schoolId: string, id: string) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    update ticket_types set deleted_at = (select now from clock), revision = revision + 1,
      updated_at = (select now from clock)
    where school_id = ${schoolId} and id = ${id} and deleted_at is null`)

/** How many of some groups there are. */
export const countGroups = async (db: Db, schoolId: string, ids: readonly string[]): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
      select count(*)::integer as count from groups where school_id = ${schoolId} and id = any (${ids}::uuid[])`)
  ).count
