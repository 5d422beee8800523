import type { Db } from '#src/contract/db.ts'
import type { Item } from '#src/contract/items.ts'
import { sql } from '#src/db/sql.ts'

/** Whether a member has bought anything that has a price, also when a code took all of it off. */
export const hasBoughtBefore = async (db: Db, schoolId: string, memberId: string): Promise<boolean> =>
  (
    await db.one(sql<{ has_bought: boolean }>`
      select exists (
        select from orders
        where school_id = ${schoolId} and member_id = ${memberId} and status = 'paid' and subtotal > 0) as has_bought`)
  ).has_bought

/** Whether a school was paid for an order. */
export const hasPaid = async (db: Db, schoolId: string): Promise<boolean> =>
  (
    await db.one(sql<{ has_paid: boolean }>`
      select exists (select from orders where school_id = ${schoolId} and paid_total > 0) as has_paid`)
  ).has_paid

/** How many orders wait for payment in another currency. */
export const countInOtherCurrency = async (db: Db, schoolId: string, currency: string): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
      select count(*)::integer as count from orders
      where school_id = ${schoolId} and status in ('pending', 'processing') and currency <> ${currency}`)
  ).count

/** How many orders that wait for payment have an item. */
export const countUnpaidWith = async (db: Db, schoolId: string, { type, id }: Item): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
      select count(*)::integer as count
      from order_lines l join orders o on o.school_id = ${schoolId} and o.id = l.order_id
      where l.school_id = ${schoolId} and l.item_type = ${type} and l.item_id = ${id}
        and o.status in ('pending', 'processing')`)
  ).count

/** Whether an order gave a member what a price offers, also when that has ended since. */
export const hasGivenPrice = async (db: Db, schoolId: string, memberId: string, priceId: string): Promise<boolean> =>
  (
    await db.one(sql<{ has_given: boolean }>`
      select exists (
        select from order_lines l join orders o on o.school_id = ${schoolId} and o.id = l.order_id
        where l.school_id = ${schoolId} and l.price_id = ${priceId} and o.member_id = ${memberId}
          and l.fulfilled_at is not null) as has_given`)
  ).has_given
