import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import { newUuid } from '#src/kit/ids.ts'
import type { entryKinds } from './schema.ts'

type EntryKind = (typeof entryKinds)[number]

/** An entry of the ledger; the amount is negative where it leaves the credit. */
export type NewEntry = {
  readonly kind: EntryKind
  readonly amount: number
  readonly order_id?: string
  readonly from_line_id?: string | null
}

/** Adds entries to the ledger of a locked subscription, and their sum to its credit. */
export const addEntries = (db: Db, schoolId: string, subscriptionId: string, entries: readonly NewEntry[], now: Date) =>
  db.run(sql`
    with added as (
      insert into subscription_credits (school_id, id, subscription_id, kind, amount, order_id, from_line_id, at)
      select ${schoolId}::uuid, e.id, ${subscriptionId}::uuid, e.kind, e.amount, e.order_id, e.from_line_id, ${now}
      from jsonb_to_recordset(${JSON.stringify(entries.map(entry => ({ ...entry, id: newUuid(now.getTime()) })))}::jsonb)
        as e (id uuid, kind text, amount bigint, order_id uuid, from_line_id uuid)
      returning amount)
    update subscriptions set credit = credit + (select sum(amount) from added), revision = revision + 1, updated_at = ${now}
    where school_id = ${schoolId} and id = ${subscriptionId}`)

/** How much of the credit of a subscription stands. */
export const readCredit = async (db: Db, schoolId: string, subscriptionId: string): Promise<number> =>
  (
    await db.one(sql<{ credit: number }>`
      select coalesce(sum(amount), 0)::double precision as credit from subscription_credits
      where school_id = ${schoolId} and subscription_id = ${subscriptionId}`)
  ).credit

/** How much credit an order holds that it has not used. */
export const readHold = async (db: Db, schoolId: string, orderId: string): Promise<number> =>
  (
    await db.one(sql<{ held: number }>`
      select greatest(0, coalesce(-sum(amount), 0))::double precision as held from subscription_credits
      where school_id = ${schoolId} and order_id = ${orderId} and kind in ('held', 'returned')`)
  ).held

/** How much credit an order has used, by the line whose money it is; of the money of a line first. */
export const listUsed = (
  db: Db,
  schoolId: string,
  orderId: string,
): Promise<{ readonly from_line_id: string | null; readonly amount: number }[]> =>
  db.all(sql<{ from_line_id: string | null; amount: number }>`
    select from_line_id, (-sum(amount))::double precision as amount from subscription_credits
    where school_id = ${schoolId} and order_id = ${orderId}
    group by from_line_id having sum(amount) < 0 order by from_line_id`)

/** Notes that an order has used what it holds. */
export const storeUsed = (db: Db, schoolId: string, orderId: string) =>
  db.run(sql`
    update subscription_credits set kind = 'used'
    where school_id = ${schoolId} and id = (
      select id from subscription_credits
      where school_id = ${schoolId} and order_id = ${orderId} and kind = 'held' order by at desc, id desc limit 1)`)

/** Notes that an order holds what it had used of the credit that stood. */
export const storeHeld = (db: Db, schoolId: string, orderId: string) =>
  db.run(sql`
    update subscription_credits set kind = 'held'
    where school_id = ${schoolId} and order_id = ${orderId} and kind = 'used' and from_line_id is null`)

/** The order of a line. */
export const findOrderOfLine = async (db: Db, schoolId: string, lineId: string): Promise<string | undefined> =>
  (
    await db.first(sql<{ order_id: string }>`
      select order_id from order_lines where school_id = ${schoolId} and id = ${lineId}`)
  )?.order_id

/** Whether the money of a line was credited already, so that what is left of its period is not paid for by it any more. */
export const isCredited = async (db: Db, schoolId: string, lineId: string): Promise<boolean> =>
  (
    await db.one(sql<{ credited: boolean }>`
      select exists (
        select from subscription_credits c
        where c.school_id = ${schoolId} and c.from_line_id = ${lineId} and c.kind = 'given') as credited`)
  ).credited

/** Locks a subscription until the transaction ends; its member is locked already. */
export const lockSubscriptionRow = (db: Db, schoolId: string, id: string): Promise<unknown> =>
  db.first(sql`select from subscriptions where school_id = ${schoolId} and id = ${id} for no key update`)

/** An entry of the ledger with the order that uses it and the line whose money it is. */
export type EntryRow = {
  readonly subscription_id: string
  readonly kind: EntryKind
  readonly amount: number
  readonly order_id: string | null
  readonly number: string | null
  readonly from_order_id: string | null
  readonly from_number: string | null
  readonly name: string | null
  readonly interval: 'week' | 'month' | 'year' | null
  readonly at: Date
}

/** The entries of one subscription, or of all of a member, the latest first. */
export const listEntries = (
  db: Db,
  schoolId: string,
  of: { readonly subscriptionId: string } | { readonly memberId: string },
  most?: number,
) =>
  db.all(sql<EntryRow>`
    select c.subscription_id, c.kind, c.amount::double precision as amount, c.order_id, o.number, l.order_id as from_order_id,
      f.number as from_number, l.name, case when (l.payment->>'interval_count')::int = 1 then l.payment->>'interval' end as interval, c.at
    from subscription_credits c
    left join orders o on o.school_id = ${schoolId} and o.id = c.order_id
    left join order_lines l on l.school_id = ${schoolId} and l.id = c.from_line_id
    left join orders f on f.school_id = ${schoolId} and f.id = l.order_id
    where c.school_id = ${schoolId} and c.subscription_id in (
      select s.id from subscriptions s where s.school_id = ${schoolId} and ${
        'memberId' in of ? sql`s.member_id = ${of.memberId}` : sql`s.id = ${of.subscriptionId}`
      })
    order by c.at desc, c.amount, c.id limit ${most}::bigint`)
