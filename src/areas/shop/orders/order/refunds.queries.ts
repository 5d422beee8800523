import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** What of a refund is for a line; amounts in minor units. */
export type RefundLineRow = {
  readonly refund_id: string
  readonly line_id: string
  readonly quantity: number
  readonly amount: number
  readonly tax_amount: number
  readonly ends_access: boolean
}

const columns = sql`r.refund_id, r.line_id, r.quantity, r.amount::double precision as amount,
  r.tax_amount::double precision as tax_amount, r.ends_access`

/** What of the refunds of some orders is for which line. */
export const listRefundLines = (db: Db, schoolId: string, orderIds: readonly string[]) =>
  db.all(sql<RefundLineRow>`
    select ${columns} from refund_lines r
    where r.school_id = ${schoolId} and r.order_id = any (${orderIds}::uuid[]) order by r.refund_id, r.line_id`)

/** What staff noted about the refunds of some orders, by the ids of the refunds. */
export const listRefundNotes = async (
  db: Db,
  schoolId: string,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const rows = await db.all(sql<{ refund_id: string; note: string }>`
    select refund_id, note from refund_notes where school_id = ${schoolId} and order_id = any (${orderIds}::uuid[])`)
  return new Map(rows.map(({ refund_id, note }) => [refund_id, note]))
}

/** Stores what of a refund is for which line, and adds it to the lines. */
export const insertRefundLines = async (
  db: Db,
  schoolId: string,
  orderId: string,
  lines: readonly RefundLineRow[],
): Promise<void> => {
  const rows = JSON.stringify(lines)
  await db.run(sql`
    insert into refund_lines (school_id, refund_id, line_id, order_id, quantity, amount, tax_amount, ends_access)
    select ${schoolId}::uuid, r.refund_id, r.line_id, ${orderId}::uuid, r.quantity, r.amount, r.tax_amount, r.ends_access
    from jsonb_to_recordset(${rows}::jsonb) as r (refund_id uuid, line_id uuid, quantity integer, amount bigint,
      tax_amount bigint, ends_access boolean)`)
  await db.run(sql`
    update order_lines l set refunded_amount = l.refunded_amount + r.amount, refunded_tax = l.refunded_tax + r.tax_amount,
      refunded_quantity = l.refunded_quantity + r.quantity
    from (
      select line_id, sum(amount)::bigint as amount, sum(tax_amount)::bigint as tax_amount, sum(quantity)::integer as quantity
      from jsonb_to_recordset(${rows}::jsonb) as n (line_id uuid, quantity integer, amount bigint, tax_amount bigint)
      group by line_id) as r
    where l.school_id = ${schoolId} and l.id = r.line_id`)
}

/** Gives back to the lines what a refund that failed was for. */
export const returnRefundLines = (db: Db, schoolId: string, refundId: string) =>
  db.run(sql`
    update order_lines l set refunded_amount = l.refunded_amount - r.amount, refunded_tax = l.refunded_tax - r.tax_amount,
      refunded_quantity = l.refunded_quantity - r.quantity
    from refund_lines r
    where r.school_id = ${schoolId} and r.refund_id = ${refundId} and l.school_id = ${schoolId} and l.id = r.line_id`)

/** Stores what staff noted about a refund. */
export const insertRefundNote = (
  db: Db,
  schoolId: string,
  { refundId, orderId, note }: { readonly refundId: string; readonly orderId: string; readonly note: string },
) =>
  db.run(sql`
    insert into refund_notes (school_id, refund_id, order_id, note) values (${schoolId}, ${refundId}, ${orderId}, ${note})`)

/** Deletes what staff noted about the refunds of a member. */
export const eraseRefundNotes = (db: Db, schoolId: string, memberId: string) =>
  db.run(sql`
    delete from refund_notes n using orders o
    where n.school_id = ${schoolId} and o.school_id = ${schoolId} and o.id = n.order_id and o.member_id = ${memberId}`)

/** Notes that lines ended what they had given. */
export const storeEnded = (
  db: Db,
  schoolId: string,
  lineIds: readonly string[],
  { by, now }: { readonly by: 'refund' | 'dispute'; readonly now: Date },
) =>
  db.run(sql`
    update order_lines set ended_at = ${now}, ended_by = ${by}
    where school_id = ${schoolId} and id = any (${lineIds}::uuid[]) and ended_at is null`)

/** Stores what was paid for an order and what was paid back, as sums of its payments, refunds and disputes. */
export const storeSums = (
  db: Db,
  schoolId: string,
  id: string,
  { paid, refunded, now }: { readonly paid: number; readonly refunded: number; readonly now: Date },
) =>
  db.run(sql`
    update orders set paid_total = ${paid}::bigint, refunded_total = ${refunded}::bigint, revision = revision + 1,
      updated_at = ${now}
    where school_id = ${schoolId} and id = ${id}`)
