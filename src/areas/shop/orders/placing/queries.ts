import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import type { OrderRow } from '../order/list.conditions.ts'
import type { LineRow } from '../order/queries.ts'

// Takes the next number of the orders of a school, which the next one waits for.
const takeCounter = async (db: Db, schoolId: string): Promise<number> =>
  (
    await db.one(sql<{ last: number }>`
      insert into order_numbers as n (school_id, last) values (${schoolId}, 1)
      on conflict (school_id) do update set last = n.last + 1 returning last::double precision as last`)
  ).last

// A new order, without what the database decides.
type NewOrder = Pick<
  OrderRow,
  | 'id'
  | 'member_id'
  | 'kind'
  | 'currency'
  | 'subtotal'
  | 'discount_total'
  | 'tax_total'
  | 'total'
  | 'tax_mode'
  | 'tax_country'
  | 'reverse_charge'
  | 'billing'
  | 'client_id'
  | 'page'
  | 'campaign'
  | 'terms'
  | 'waiver'
> & {
  readonly prefix: string
  readonly email: string
  readonly emailFolded: string
  /** The words by which staff find it, besides its number; folded. */
  readonly words: string
  readonly expiresAt: Date
  readonly now: Date
  /** The subscription whose period or change it pays; it exists already. */
  readonly subscription_id?: string
}

/** A new line, with the offer as it was made. */
export type NewLine = Omit<
  LineRow,
  | 'order_id'
  | 'position'
  | 'payment'
  | 'access'
  | 'refunded_amount'
  | 'refunded_tax'
  | 'refunded_quantity'
  | 'credit_amount'
  | 'period_from'
  | 'period_until'
  | 'fulfilled_at'
  | 'ended_at'
  | 'ended_by'
> & {
  readonly payment: object
  readonly access: object | null
  /** The part of the discount that a credit pays. */
  readonly credit_amount?: number
  readonly period_from?: Date
  readonly period_until?: Date
}

const json = (value: object | null) => sql`${value === null ? null : JSON.stringify(value)}::jsonb`

const insertRow = async (db: Db, schoolId: string, order: NewOrder): Promise<void> => {
  const counter = await takeCounter(db, schoolId)
  const number = `${order.prefix}-${counter}`
  await db.run(sql`
    insert into orders (school_id, id, number, counter, member_id, kind, status, currency, subtotal, discount_total, tax_total,
      total, tax_mode, tax_country, reverse_charge, billing, email, email_folded, words_folded, client_id, page, campaign,
      terms, waiver, subscription_id, expires_at, created_at, updated_at)
    values (${schoolId}, ${order.id}, ${number}, ${counter}::bigint, ${order.member_id}, ${order.kind}, 'pending',
      ${order.currency}, ${order.subtotal}::bigint, ${order.discount_total}::bigint, ${order.tax_total}::bigint,
      ${order.total}::bigint, ${order.tax_mode}, ${order.tax_country}, ${order.reverse_charge}, ${json(order.billing)},
      ${order.email}, ${order.emailFolded}, ${`${number.toLowerCase()} ${order.words}`}, ${order.client_id}, ${order.page},
      ${order.campaign}, ${json(order.terms)}, ${json(order.waiver)}, ${order.subscription_id ?? null}, ${order.expiresAt}, ${order.now}, ${order.now})`)
}

const insertLines = (db: Db, schoolId: string, orderId: string, lines: readonly NewLine[]) =>
  db.run(sql`
    insert into order_lines (school_id, id, order_id, position, item_type, item_id, price_id, name, payment, access, tax_class,
      quantity, unit_amount, discount_amount, tax_rate, tax_name, tax_amount, amount, credit_amount, period_from,
      period_until)
    select ${schoolId}::uuid, r.id, ${orderId}::uuid, r.position, r.item_type, r.item_id, r.price_id, r.name, r.payment,
      r.access, r.tax_class, r.quantity, r.unit_amount, r.discount_amount, r.tax_rate, r.tax_name, r.tax_amount, r.amount, coalesce(r.credit_amount, 0), r.period_from,
      r.period_until
    from jsonb_to_recordset(${JSON.stringify(lines.map((line, index) => ({ ...line, position: index + 1 })))}::jsonb) as r
      (id uuid, position smallint, item_type text, item_id uuid, price_id uuid, name text, payment jsonb, access jsonb,
        tax_class text, quantity integer, unit_amount bigint, discount_amount bigint, tax_rate integer, tax_name text,
        tax_amount bigint, amount bigint, credit_amount bigint, period_from timestamptz, period_until timestamptz)`)

/** What a code takes off a line; the position is that among the codes. */
export type NewDiscount = {
  readonly line_id: string
  readonly code_id: string
  readonly coupon_id: string
  readonly code: string
  readonly position: number
  readonly amount: number
}

const insertDiscounts = (db: Db, schoolId: string, orderId: string, discounts: readonly NewDiscount[]) =>
  db.run(sql`
    insert into order_discounts (school_id, order_id, line_id, code_id, coupon_id, code, position, amount)
    select ${schoolId}::uuid, ${orderId}::uuid, r.line_id, r.code_id, r.coupon_id, r.code, r.position, r.amount
    from jsonb_to_recordset(${JSON.stringify(discounts)}::jsonb) as r
      (line_id uuid, code_id uuid, coupon_id uuid, code text, position smallint, amount bigint)`)

/** The parts of a new order. */
type NewParts = { readonly lines: readonly NewLine[]; readonly discounts: readonly NewDiscount[] }

/** Stores a new pending order with its lines. The number is taken here, so call it when nothing else can refuse. */
export const insertOrder = async (
  db: Db,
  schoolId: string,
  order: NewOrder,
  { lines, discounts }: NewParts,
): Promise<void> => {
  await insertRow(db, schoolId, order)
  await insertLines(db, schoolId, order.id, lines)
  if (discounts.length > 0) await insertDiscounts(db, schoolId, order.id, discounts)
}

/** Notes which subscription an order begins. */
export const storeOrderSubscription = (db: Db, schoolId: string, orderId: string, subscriptionId: string) =>
  db.run(sql`
    update orders set subscription_id = ${subscriptionId} where school_id = ${schoolId} and id = ${orderId}`)

/** Stores the period that a line pays for. */
export const storePeriod = (
  db: Db,
  schoolId: string,
  lineId: string,
  { from, until }: { readonly from: Date; readonly until: Date },
) =>
  db.run(sql`
    update order_lines set period_from = ${from}, period_until = ${until}
    where school_id = ${schoolId} and id = ${lineId}`)
