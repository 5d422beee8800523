import { readInvoices } from '#src/areas/shop/invoices/index.ts'
import type { Caller } from '#src/contract/caller.ts'
import type { ReadContext } from '#src/contract/operation.ts'
import { toId } from '#src/kit/ids.ts'
import { percentText } from '#src/kit/money.ts'
import type { OrderRow } from './list.conditions.ts'
import { moneyViews } from './money.views.ts'
import {
  type DiscountRow,
  findOrder,
  type LineRow,
  listBuyers,
  listCoupons,
  listDiscounts,
  listLines,
  type StoredAccess,
} from './queries.ts'
import { getPrefix, shownStatus } from './rules.ts'
import type { OrderView } from './schema.ts'

const accessView = (access: StoredAccess): OrderView['lines'][number]['access'] => {
  if (access === null) return null
  if ('until' in access) return { until: new Date(access.until) }
  if ('months' in access) return { months: access.months }
  return 'days' in access ? { days: access.days } : { subscription: true }
}

const lineView = (line: LineRow): OrderView['lines'][number] => ({
  id: line.id,
  item: { type: line.item_type, id: toId(getPrefix(line.item_type), line.item_id) },
  price_id: line.price_id,
  name: line.name,
  quantity: line.quantity,
  unit_amount: line.unit_amount,
  discount_amount: line.discount_amount,
  tax_percent: percentText(line.tax_rate),
  tax_amount: line.tax_amount,
  amount: line.amount,
  refunded_amount: line.refunded_amount,
  refunded_quantity: line.refunded_quantity,
  period:
    line.period_from === null || line.period_until === null
      ? null
      : { from: line.period_from, until: line.period_until },
  access: accessView(line.access),
  fulfilled_at: line.fulfilled_at,
})

type Place = Pick<ReadContext<Caller>, 'db' | 'school'>

const nextPayment = ({ siteOrigin }: Place['school'], row: OrderRow): OrderView['payment'] => {
  const { status, number, expires_at } = row
  if (status === 'paid') return { state: 'paid', page_url: null, expires_at: null }
  if (status === 'expired' || status === 'canceled') return { state: 'ended', page_url: null, expires_at: null }
  return { state: 'open', page_url: `${siteOrigin}/account/orders/${number}/pay`, expires_at }
}

const accepted = <Agreement extends { readonly accepted_at: string }>(agreement: Agreement | null) =>
  agreement === null ? null : { ...agreement, accepted_at: new Date(agreement.accepted_at) }

const orderView = (
  school: Place['school'],
  row: OrderRow,
  lines: readonly LineRow[],
  discounts: readonly DiscountRow[],
  money: Pick<OrderView, 'payments' | 'refunds' | 'dispute' | 'invoices'>,
): OrderView => ({
  id: row.id,
  number: row.number,
  kind: row.kind,
  status: shownStatus(row.status, lines),
  member: { id: row.member_id, name: row.member_name },
  email: row.email,
  currency: row.currency,
  subtotal: row.subtotal,
  discount_total: row.discount_total,
  tax_total: row.tax_total,
  total: row.total,
  paid_total: row.paid_total,
  refunded_total: row.refunded_total,
  tax: { mode: row.tax_mode, country: row.tax_country, reverse_charge: row.reverse_charge },
  billing: row.billing,
  lines: lines.map(lineView),
  codes: discounts.map(({ coupon_id, code, amount }) => ({ coupon_id, code, amount })),
  payment: nextPayment(school, row),
  ...money,
  expires_at: row.status === 'pending' || row.status === 'processing' ? row.expires_at : null,
  paid_at: row.paid_at,
  canceled_at: row.canceled_at,
  cancel_reason: row.cancel_reason,
  subscription_id: row.subscription_id,
  source: { client_id: row.client_id, page: row.page, campaign: row.campaign },
  terms: accepted(row.terms),
  withdrawal_waiver: accepted(row.waiver),
  revision: row.revision,
  created_at: row.created_at,
  updated_at: row.updated_at,
})

/** Orders as their buyers see them, with their lines and codes. */
export const orderViews = async (
  { db, school }: Place,
  rows: readonly OrderRow[],
  audience: 'buyer' | 'staff' = 'buyer',
): Promise<OrderView[]> => {
  const ids = rows.map(({ id }) => id)
  const [lines, discounts, moneyFor, invoices] = await Promise.all([
    listLines(db, school.id, ids),
    listDiscounts(db, school.id, ids),
    moneyViews({ db, school }, rows),
    readInvoices({ db, school }, ids),
  ])
  const [linesOf, discountsOf] = [Map.groupBy(lines, row => row.order_id), Map.groupBy(discounts, row => row.order_id)]
  return rows.map(row => {
    const documents = (invoices.get(row.id) ?? []).map(({ order_id: _, ...document }) => document)
    const money = { ...moneyFor(row, audience === 'staff'), invoices: documents }
    return orderView(school, row, linesOf.get(row.id) ?? [], discountsOf.get(row.id) ?? [], money)
  })
}

/** One order as its buyer sees it. */
export const ownOrderView = async (context: Place, row: OrderRow): Promise<OrderView> => {
  const [view] = await orderViews(context, [row])
  if (view === undefined) throw new Error('every order has a view')
  return view
}

const NO_MONEY = { payments: [], refunds: [], dispute: null, invoices: [] }

/** An order that was just placed as its buyer sees it; until it is paid there is nothing to read of its money. */
export const placedOrderView = async (context: Place, row: OrderRow): Promise<OrderView> => {
  if (row.status !== 'pending') return ownOrderView(context, row)
  const { db, school } = context
  const [lines, discounts] = await Promise.all([
    listLines(db, school.id, [row.id]),
    listDiscounts(db, school.id, [row.id]),
  ])
  return orderView(school, row, lines, discounts, NO_MONEY)
}

const withCoupons = async ({ db, school }: Place, views: readonly OrderView[]): Promise<OrderView[]> => {
  const ids = views.flatMap(({ codes }) => codes.map(code => code.coupon_id))
  const coupons = await listCoupons(db, school.id, [...new Set(ids)])
  const codeView = (code: OrderView['codes'][number]): OrderView['codes'][number] => {
    const found = coupons.get(code.coupon_id)
    if (found === undefined) return code
    const { name, kind, percent_off, amount_off, is_archived } = found
    const percent = percent_off === null ? null : percentText(percent_off)
    return { ...code, coupon: { name, kind, percent_off: percent, amount_off, is_archived } }
  }
  return views.map(view => ({ ...view, codes: view.codes.map(codeView) }))
}

/** Orders as staff see them: with the note, and on request with how the buyers can be reached. */
export const staffOrderViews = async (
  context: Pick<ReadContext, 'db' | 'school' | 'expands'>,
  rows: readonly OrderRow[],
): Promise<OrderView[]> => {
  const { db, school, expands } = context
  const memberIds = rows.map(row => row.member_id)
  const [plain, buyers] = await Promise.all([
    orderViews(context, rows, 'staff'),
    expands('member') ? listBuyers(db, school.id, memberIds) : undefined,
  ])
  const views = expands('coupon') ? await withCoupons(context, plain) : plain
  return views.map((view, index) => {
    const buyer = buyers?.get(rows[index]?.member_id ?? '')
    const contact = buyer === undefined ? {} : { email: buyer.email, phone: buyer.phone }
    return { ...view, member: { ...view.member, ...contact }, note: rows[index]?.note ?? null }
  })
}

/** An order that was written, as staff see it. */
export const staffOrder = async (
  context: Pick<ReadContext, 'db' | 'school' | 'expands'>,
  id: string,
): Promise<OrderView> => {
  const row = await findOrder(context.db, context.school.id, { ref: id })
  const [view] = row === undefined ? [] : await staffOrderViews(context, [row])
  if (view === undefined) throw new Error('an order that was written is there')
  return view
}
