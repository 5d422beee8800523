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
): Promise<number> =>
  db.run(sql`
    insert into occurrence_refunds (school_id, occurrence_id, refund, message, created_at)
    select ${schoolId}::uuid, id, ${refund}, ${message}, (select stoa.now())
    from unnest(${occurrenceIds}::uuid[]) as id on conflict (school_id, occurrence_id) do nothing`)

/** What ends the registrations of an occurrence; undefined where it was not cancelled. */
export const findRefund = (db: Db, schoolId: string, occurrenceId: string): Promise<OccurrenceRefund | undefined> =>
  db.first(sql<OccurrenceRefund>`
    select refund, message from occurrence_refunds where school_id = ${schoolId} and occurrence_id = ${occurrenceId}`)

/** Notes that all registrations of an occurrence have ended. */
export const endRefund = (db: Db, schoolId: string, occurrenceId: string): Promise<number> =>
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

/** What was paid for the seats of some occurrences that stand and is not refunded, and how many people they are. */
export const sumPaid = async (
  db: Db,
  schoolId: string,
  occurrenceIds: readonly string[],
): Promise<{
  readonly people: number
  readonly orders: number
  readonly amount: number
  readonly currency: string | null
}> =>
  db.one(sql<{ people: number; orders: number; amount: number; currency: string | null }>`
    select count(*)::integer as people, count(distinct l.order_id) filter (where l.amount > 0)::integer as orders,
      coalesce(sum(least(floor(l.amount::numeric / l.quantity), l.amount - l.refunded_amount))
        filter (where l.fulfilled_at is not null), 0)::double precision as amount, max(o.currency) as currency
    from registrations r
    left join order_lines l on l.school_id = ${schoolId} and l.id = r.line_id
    left join orders o on o.school_id = ${schoolId} and o.id = l.order_id and o.status = 'paid'
    where r.school_id = ${schoolId} and r.occurrence_id = any (${occurrenceIds}::uuid[]) and ${stands}`)
