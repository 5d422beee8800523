import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import { stands } from '../seats/conditions.ts'

/** What an occurrence that was cancelled does to those who are registered. */
type OccurrenceRefund = { readonly refund: 'all' | 'none'; readonly message: string }

/** Notes that the registrations of occurrences end. */
export const insertRefunds = (
  db: Db,
  schoolId: string,
  occurrenceIds: readonly string[],
  { refund, message }: OccurrenceRefund,
) =>
  db.run(sql`
    insert into occurrence_refunds (school_id, occurrence_id, refund, message, created_at)
    select ${schoolId}::uuid, id, ${refund}, ${message}, (select stoa.now())
    from unnest(${occurrenceIds}::uuid[]) as id on conflict (school_id, occurrence_id) do nothing`)

/** What ends the registrations of an occurrence; undefined where it was not cancelled. */
export const findRefund = (db: Db, schoolId: string, occurrenceId: string) =>
  db.first(sql<OccurrenceRefund>`
    select refund, message from occurrence_refunds where school_id = ${schoolId} and occurrence_id = ${occurrenceId}`)

/** Notes that all registrations of an occurrence have ended. */
export const endRefund = (db: Db, schoolId: string, occurrenceId: string) =>
  db.run(sql`
    update occurrence_refunds set ended_at = (select stoa.now())
    where school_id = ${schoolId} and occurrence_id = ${occurrenceId} and ended_at is null`)

/** The next registrations of an occurrence that stand; those who wait for nothing that is paid first. */
export const listStanding = async (db: Db, schoolId: string, occurrenceId: string, most: number): Promise<string[]> =>
  (
    await db.all(sql<{ id: string }>`
      select r.id from registrations r
      where r.school_id = ${schoolId} and r.occurrence_id = ${occurrenceId} and ${stands}
      order by r.id limit ${most}`)
  ).map(({ id }) => id)

/** Seats of one line that stand, and what was paid and refunded for the line. */
type PaidSeats = {
  readonly seats: number
  readonly amount: number
  readonly quantity: number
  readonly refunded_amount: number
  readonly refunded_quantity: number
  readonly currency: string
  /** How many lines are the same in all of this, and of how many orders. */
  readonly lines: number
  readonly orders: number
}

/** What was paid for the seats of some occurrences that stand. */
export const listPaidSeats = (db: Db, schoolId: string, occurrenceIds: readonly string[]) =>
  db.all(sql<PaidSeats>`
    with paid as materialized (
      select l.order_id, l.amount, l.quantity, l.refunded_amount, l.refunded_quantity, o.currency,
        count(*)::integer as seats
      from registrations r
      join order_lines l on l.school_id = ${schoolId} and l.id = r.line_id and l.fulfilled_at is not null
        and l.amount > l.refunded_amount
      join orders o on o.school_id = ${schoolId} and o.id = l.order_id and o.status = 'paid'
      where r.school_id = ${schoolId} and r.occurrence_id = any (${occurrenceIds}::uuid[]) and ${stands}
      group by l.id, l.order_id, l.amount, l.quantity, l.refunded_amount, l.refunded_quantity, o.currency)
    select seats, amount::double precision as amount, quantity, refunded_amount::double precision as refunded_amount,
      refunded_quantity, currency, count(*)::integer as lines, count(distinct order_id)::integer as orders
    from paid group by seats, amount, quantity, refunded_amount, refunded_quantity, currency`)
