import { chooseCreditEnd } from '#src/areas/memberships/subscription-credits/index.ts'
import { listMethods, methodView } from '#src/areas/shop/index.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import { toId } from '#src/kit/ids.ts'
import { chargingTerms, quotePeriod } from '../charging/lookups.ts'
import type { PeriodRow } from '../periods/queries.ts'
import { isRunning, subscribedPrefixes } from '../rules.ts'
import type { SubscriptionRow } from './conditions.ts'
import type { ChangeRow } from './queries.ts'
import type { SubscriptionView } from './schema.ts'

const renderPrice = ({ price, price_id: id }: SubscriptionRow): SubscriptionView['price'] => {
  if (price === null || id === null) return null
  const { payment_type, amount, currency, interval, interval_count, number_of_payments } = price
  return { id, payment_type, amount, currency, interval, interval_count, number_of_payments }
}

const renderParts = (row: SubscriptionRow) => ({
  anchor:
    row.anchor_local === null || row.anchor_zone === null
      ? null
      : { local: row.anchor_local, time_zone: row.anchor_zone },
  current_period:
    row.current_from === null || row.current_until === null
      ? null
      : { number: row.current_number, from: row.current_from, until: row.current_until },
  pause:
    row.paused_at === null || row.pause_access === null
      ? null
      : { since: row.paused_at, resumes_at: row.resumes_at, access: row.pause_access },
  code:
    row.coupon_id === null || row.code === null
      ? null
      : { coupon_id: row.coupon_id, code: row.code, periods_left: row.code_periods_left },
})

const renderView = (
  row: SubscriptionRow,
  { method, credit_on_end, next_amount }: Pick<SubscriptionView, 'method' | 'credit_on_end' | 'next_amount'>,
): SubscriptionView => ({
  id: row.id,
  member: { id: row.member_id, name: row.member_name },
  item: { type: row.item_type, id: toId(subscribedPrefixes[row.item_type], row.item_id), name: row.name },
  price: renderPrice(row),
  status: row.status,
  collection: row.collection,
  provider: row.provider,
  method,
  started_at: row.started_at,
  ...renderParts(row),
  trial_end: row.trial_end,
  next_charge_at: row.next_charge_at,
  next_amount,
  cancel_at: row.cancel_at,
  canceled_at: row.canceled_at,
  cancel_reason: row.cancel_reason,
  ends_at: row.ends_at,
  payments_made: row.payments_made,
  number_of_payments: row.price?.number_of_payments ?? null,
  credit: row.credit,
  credit_on_end,
  past_due_since: row.past_due_since,
  retry_at: row.retry_at,
  access: { state: row.access_state, until: row.access_until },
  source: row.source,
  external_id: row.external_id,
  revision: row.revision,
  created_at: row.created_at,
  updated_at: row.updated_at,
})

/** Subscriptions as the API shows them, each with what it gives and what it costs next. */
export const subscriptionViews = async (
  context: SchoolContext,
  rows: readonly SubscriptionRow[],
): Promise<readonly SubscriptionView[]> => {
  if (rows.length === 0) return []
  const { db, school } = context
  const terms = await chargingTerms(context, rows)
  const ids = rows.flatMap(({ method_id: id }) => (id === null ? [] : [id]))
  const methods = new Map((await listMethods(db, school.id, ids)).map(row => [row.id, row]))
  return rows.map(row => {
    const next = isRunning(row) ? quotePeriod(row, terms)?.totals.total : undefined
    const method = row.method_id === null ? null : methodView(methods.get(row.method_id))
    return renderView(row, { method, credit_on_end: chooseCreditEnd(row, terms.selling), next_amount: next ?? null })
  })
}

/** One subscription as the API shows it. */
export const subscriptionView = async (context: SchoolContext, row: SubscriptionRow): Promise<SubscriptionView> => {
  const [view] = await subscriptionViews(context, [row])
  if (view === undefined) throw new Error('every subscription has a view')
  return view
}

/** A period as the API shows it. */
export const periodView = (row: PeriodRow) => ({
  id: row.id,
  number: row.number,
  from: row.period_from,
  until: row.period_until,
  amount: row.amount,
  currency: row.currency,
  credit_used: row.credit_used,
  order_id: row.order_id,
  state: row.state,
  attempts: row.attempts,
  settled_at: row.settled_at,
  created_at: row.created_at,
})

/** A change of a subscription as the API shows it. */
export const changeView = (row: ChangeRow) => ({
  id: row.id,
  type: row.type,
  by: row.member_id === null ? null : { id: row.member_id, name: row.member_name ?? '' },
  client_id: row.client_id,
  details: row.details,
  created_at: row.created_at,
})
