import type { Recorded, Statement } from '#src/contract/db.ts'
import { type List, lastInstantKey } from '#src/db/list.ts'
import { listRanges } from '#src/db/ranges.ts'
import { sql } from '#src/db/sql.ts'
import { matching, type OrderFilter } from './conditions.ts'
import type { OrderStatus, orderKinds } from './rules.ts'
import type { BillingValues } from './schema.ts'

/** A stored order, with the name of its buyer; amounts in minor units. */
export type OrderRow = Recorded & {
  readonly id: string
  readonly number: string
  readonly counter: number
  readonly member_id: string
  readonly member_name: string
  readonly kind: (typeof orderKinds)[number]
  readonly status: OrderStatus
  readonly currency: string
  readonly subtotal: number
  readonly discount_total: number
  readonly tax_total: number
  readonly total: number
  readonly paid_total: number
  readonly refunded_total: number
  readonly tax_mode: 'none' | 'inclusive' | 'exclusive'
  readonly tax_country: string | null
  readonly reverse_charge: boolean
  readonly billing: BillingValues
  readonly email: string | null
  readonly client_id: string | null
  readonly page: string | null
  readonly campaign: string | null
  readonly terms: { readonly page_version: number | null; readonly accepted_at: string } | null
  readonly waiver: { readonly text: string; readonly accepted_at: string } | null
  readonly note: string | null
  readonly subscription_id: string | null
  readonly expires_at: Date | null
  readonly paid_at: Date | null
  readonly canceled_at: Date | null
  readonly cancel_reason: 'buyer' | 'staff' | 'deletion' | 'erasure' | null
  readonly changed_in: string
}

/** The columns of an order `o`. */
export const orderColumns = (
  schoolId: string,
): Statement => sql`o.id, o.number, o.counter::double precision as counter, o.member_id,
  (select m.name from members m where m.school_id = ${schoolId} and m.id = o.member_id) as member_name, o.kind, o.status,
  o.currency, o.subtotal::double precision as subtotal, o.discount_total::double precision as discount_total,
  o.tax_total::double precision as tax_total, o.total::double precision as total,
  o.paid_total::double precision as paid_total, o.refunded_total::double precision as refunded_total, o.tax_mode,
  o.tax_country, o.reverse_charge, o.billing, o.email, o.client_id, o.page, o.campaign, o.terms, o.waiver, o.note,
  o.subscription_id, o.expires_at, o.paid_at, o.canceled_at, o.cancel_reason, o.revision, o.changed_in, o.created_at,
  o.updated_at`

// An order that was not paid is after all that were.
const paidAt = sql`case when o.paid_at is null then 'infinity'::timestamptz else o.paid_at end`
const total = sql`o.total`

const ranges = (schoolId: string, { paidFrom, paidBefore, totalFrom, totalTo }: OrderFilter) =>
  listRanges(sql`o.school_id = ${schoolId}`, [
    { column: paidAt, from: paidFrom, before: paidBefore ?? (paidFrom && 'infinity') },
    { column: total, from: totalFrom, to: totalTo },
  ])

const REFUNDED: readonly string[] = ['partially_refunded', 'refunded']

// With an offset the rows of one order are looked up, and not joined with those of all orders.
const ALONE = sql`offset 0`

const buildConditions = (schoolId: string, filter: OrderFilter) => {
  const { words, found, statuses, kind, provider, ...others } = filter
  const searched = { words, found }
  const isMost = found === 'most'
  const isRefunded = statuses?.some(status => REFUNDED.includes(status)) === true
  const checked = { kind, provider, ...(isMost && searched), ...(isRefunded && { statuses }) }
  const indexed = { ...others, ...(!isMost && searched), ...(!isRefunded && { statuses }) }
  const isChecked = Object.values(checked).some(value => value !== undefined)
  const condition = isChecked ? matching(schoolId, checked, ALONE) : undefined
  const counted = { where: matching(schoolId, isMost ? { ...filter, found: undefined } : filter) }
  return {
    where: matching(schoolId, indexed),
    checked: { table: sql`orders`, alias: sql`o`, condition, ranges: ranges(schoolId, others) },
    ...(isChecked && { counted }),
  }
}

/** The orders of a filter, the newest first unless sorted otherwise. */
export const orderList = (schoolId: string, filter: OrderFilter): List<OrderRow> => ({
  columns: orderColumns(schoolId),
  from: sql`orders o`,
  ...buildConditions(schoolId, filter),
  id: sql`o.id`,
  keys: {
    paid_at: lastInstantKey(paidAt, row => row.paid_at),
    total: { column: total, cast: text => sql`${text}::bigint`, readText: row => String(row.total) },
    number: { column: sql`o.counter`, cast: text => sql`${text}::bigint`, readText: row => String(row.counter) },
  },
  sort: '-created_at',
  changedIn: sql`o.changed_in`,
})
