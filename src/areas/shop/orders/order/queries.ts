import type { Db, Statement } from '#src/contract/db.ts'
import type { OfferedAccess } from '#src/contract/offer.ts'
import type { PriceValues } from '#src/contract/price.ts'
import { isListed, orderBy } from '#src/db/list.ts'
import { isNamed } from '#src/db/ref.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'
import type { OrderFilter } from './conditions.ts'
import { type OrderRow, orderColumns, orderList } from './list.conditions.ts'
import type { OrderedType } from './rules.ts'

/** A line of an order; amounts in minor units, the rate in millionths. */
export type LineRow = {
  readonly id: string
  readonly order_id: string
  readonly position: number
  readonly item_type: OrderedType
  readonly item_id: string
  readonly price_id: string
  readonly name: string
  readonly payment: Omit<PriceValues, 'access_until'> & { readonly access_until: string | null }
  readonly access: StoredAccess
  readonly tax_class: 'standard' | 'exempt'
  readonly quantity: number
  readonly unit_amount: number
  readonly discount_amount: number
  readonly tax_rate: number
  readonly tax_name: string | null
  readonly tax_amount: number
  readonly amount: number
  readonly refunded_amount: number
  readonly refunded_tax: number
  readonly refunded_quantity: number
  /** The part of the discount that a credit of the subscription pays. */
  readonly credit_amount: number
  readonly period_from: Date | null
  readonly period_until: Date | null
  readonly fulfilled_at: Date | null
  readonly ended_at: Date | null
  readonly ended_by: 'refund' | 'dispute' | null
}

/** For how long a line gives access, as JSON has it. */
export type StoredAccess = Exclude<OfferedAccess, { readonly until: Date } | null> | { readonly until: string } | null

const lineValues = sql`l.order_id, l.position, l.item_type, l.item_id, l.price_id, l.name, l.payment, l.access,
  l.tax_class, l.quantity, l.unit_amount::double precision as unit_amount,
  l.discount_amount::double precision as discount_amount, l.tax_rate, l.tax_name,
  l.tax_amount::double precision as tax_amount, l.amount::double precision as amount,
  l.refunded_amount::double precision as refunded_amount, l.refunded_tax::double precision as refunded_tax,
  l.refunded_quantity, l.credit_amount::double precision as credit_amount, l.period_from, l.period_until, l.fulfilled_at, l.ended_at, l.ended_by`

/** The lines of some orders, in their order. */
export const listLines = (db: Db, schoolId: string, orderIds: readonly string[]) =>
  db.all(sql<LineRow>`
    select l.id, ${lineValues} from order_lines l
    where l.school_id = ${schoolId} and l.order_id = any (${orderIds}::uuid[]) order by l.order_id, l.position`)

/** A line in the list of orders as CSV, with its order. */
export type ExportedRow = OrderRow & Omit<LineRow, 'id'> & { readonly line_id: string }

/** The lines of the orders of a filter, in the order of the list. */
export const exportStatement = (schoolId: string, filter: OrderFilter, sort?: string): Statement<ExportedRow> => {
  const list = orderList(schoolId, filter)
  return sql<ExportedRow>`
    select l.id as line_id, ${lineValues}, ${orderColumns(schoolId)}
    from ${list.from} join order_lines l on l.school_id = ${schoolId} and l.order_id = o.id
    where ${isListed(list)} order by ${orderBy(list, sort)}, l.position`
}

/** What a code took off an order, with its coupon. */
export type DiscountRow = {
  readonly order_id: string
  readonly coupon_id: string
  readonly code_id: string
  readonly code: string
  readonly amount: number
}

/** What each code took off some orders, in the order in which they were applied. */
export const listDiscounts = (db: Db, schoolId: string, orderIds: readonly string[]) =>
  db.all(sql<DiscountRow>`
    select d.order_id, d.coupon_id, d.code_id, d.code, sum(d.amount)::double precision as amount
    from order_discounts d
    where d.school_id = ${schoolId} and d.order_id = any (${orderIds}::uuid[])
    group by d.order_id, d.position, d.coupon_id, d.code_id, d.code order by d.order_id, d.position`)

// An order by its reference: the UUID, or `number:` and the number; only one of the member, if one is named.
type Reference = { readonly ref: string; readonly memberId?: string | undefined }

const named = (schoolId: string, { ref, memberId }: Reference): Statement =>
  joinConditions(
    sql`o.school_id = ${schoolId}`,
    ref.startsWith('number:') ? sql`o.number = ${ref.slice('number:'.length)}` : isNamed(ref, { id: sql`o.id` }),
    when(memberId, id => sql`o.member_id = ${id}`),
  )

/** An order, or one of a member. */
export const findOrder = (db: Db, schoolId: string, reference: Reference) =>
  db.first(sql<OrderRow>`select ${orderColumns(schoolId)} from orders o where ${named(schoolId, reference)}`)

/** The same, locked until the transaction ends. */
export const lockOrder = (db: Db, schoolId: string, reference: Reference) =>
  db.first(sql<OrderRow>`
    select ${orderColumns(schoolId)} from orders o where ${named(schoolId, reference)} for no key update of o`)

// How a buyer can be reached now.
type BuyerRow = { readonly id: string; readonly email: string; readonly phone: string | null }

/** How the buyers of some orders can be reached now. */
export const listBuyers = async (
  db: Db,
  schoolId: string,
  memberIds: readonly string[],
): Promise<ReadonlyMap<string, BuyerRow>> => {
  const rows = await db.all(sql<BuyerRow>`
    select id, email, phone from members where school_id = ${schoolId} and id = any (${memberIds}::uuid[])`)
  return new Map(rows.map(row => [row.id, row]))
}

/** A coupon as an order shows it; the percentage in millionths, the amount in minor units. */
type CouponRow = {
  readonly id: string
  readonly name: string
  readonly kind: 'percent' | 'fixed' | 'free_trial'
  readonly percent_off: number | null
  readonly amount_off: number | null
  readonly is_archived: boolean
}

/** Coupons by their ids. */
export const listCoupons = async (
  db: Db,
  schoolId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, CouponRow>> => {
  const rows = await db.all(sql<CouponRow>`
    select id, name, kind, percent_off, amount_off::double precision as amount_off, archived_at is not null as is_archived
    from coupons where school_id = ${schoolId} and id = any (${ids}::uuid[])`)
  return new Map(rows.map(row => [row.id, row]))
}

/** An entitlement that a line of an order gave. */
export type GivenRow = {
  readonly id: string
  readonly line_id: string
  readonly item_type: OrderedType
  readonly item_id: string
  readonly starts_at: Date
  readonly ends_at: Date | null
  readonly revoked_at: Date | null
  readonly is_over: boolean
  readonly ended_by: LineRow['ended_by']
}

/** What the lines of an order gave, in the order of the lines. */
export const listGiven = (db: Db, schoolId: string, orderId: string) =>
  db.all(sql<GivenRow>`
    with clock as materialized (select stoa.now() as now)
    select e.id, l.id as line_id, e.item_type, e.item_id, e.starts_at, e.ends_at, e.revoked_at,
      e.ends_at <= (select now from clock) as is_over, l.ended_by
    from order_lines l cross join lateral (
      select * from entitlements g
      where g.school_id = ${schoolId} and g.source = 'order_line' and g.source_id = l.id and g.revoked_at is null
      union all
      select * from entitlements g
      where g.school_id = ${schoolId} and g.source = 'order_line' and g.source_id = l.id and g.revoked_at is not null
    ) as e
    where l.school_id = ${schoolId} and l.order_id = ${orderId} order by l.position, e.id`)

/** Which coupons took something off which lines of an order. */
export const listLineCoupons = (
  db: Db,
  schoolId: string,
  orderId: string,
): Promise<{ readonly line_id: string; readonly coupon_id: string }[]> =>
  db.all(sql<{ line_id: string; coupon_id: string }>`
    select line_id, coupon_id from order_discounts where school_id = ${schoolId} and order_id = ${orderId}`)

/** Every order of a member, the oldest first. */
export const listMemberOrders = (db: Db, schoolId: string, memberId: string) =>
  db.all(sql<OrderRow>`
    select ${orderColumns(schoolId)} from orders o
    where o.school_id = ${schoolId} and o.member_id = ${memberId} order by o.id`)

/** The pending orders of a member, locked until the transaction ends. */
export const lockPending = (db: Db, schoolId: string, memberId: string) =>
  db.all(sql<OrderRow>`
    select ${orderColumns(schoolId)} from orders o
    where o.school_id = ${schoolId} and o.member_id = ${memberId} and o.status = 'pending'
    order by o.id for no key update of o`)
