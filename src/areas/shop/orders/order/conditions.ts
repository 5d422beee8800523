import type { Statement } from '#src/contract/db.ts'
import { createdBefore, createdFrom } from '#src/db/created.ts'
import { type FoundWords, isFound } from '#src/db/search.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'
import { foldEmail } from '#src/kit/text.ts'
import type { shownStatuses } from './rules.ts'

/** Which orders a list has; what is undefined does not matter. Ids are UUIDs, amounts are in minor units. */
export type OrderFilter = {
  readonly words?: string | undefined
  readonly found?: FoundWords | undefined
  readonly statuses?: readonly (typeof shownStatuses)[number][] | undefined
  readonly memberId?: string | undefined
  readonly email?: string | undefined
  readonly number?: string | undefined
  readonly kind?: string | undefined
  readonly itemType?: string | undefined
  readonly item?: { readonly type: string; readonly id: string } | undefined
  readonly couponId?: string | undefined
  readonly subscriptionId?: string | undefined
  readonly isRefunded?: boolean | undefined
  readonly isDisputed?: boolean | undefined
  readonly provider?: string | undefined
  readonly reference?: string | undefined
  readonly createdFrom?: Date | undefined
  readonly createdBefore?: Date | undefined
  readonly paidFrom?: Date | undefined
  readonly paidBefore?: Date | undefined
  readonly totalFrom?: number | undefined
  readonly totalTo?: number | undefined
}

const linesWith = (schoolId: string, condition: Statement, alone = sql``): Statement => sql`exists (
  select from order_lines l where l.school_id = ${schoolId} and l.order_id = o.id and ${condition} ${alone})`

const hasRefunds = (schoolId: string, alone?: Statement): Statement =>
  linesWith(schoolId, sql`l.refunded_amount > 0`, alone)

const isInStatus = (schoolId: string, status: string, alone?: Statement): Statement => {
  const refunded = hasRefunds(schoolId, alone)
  const rest = linesWith(schoolId, sql`l.refunded_amount < l.amount`, alone)
  if (status === 'paid') return sql`(o.status = 'paid' and not ${refunded})`
  if (status === 'partially_refunded') return sql`(o.status = 'paid' and ${refunded} and ${rest})`
  if (status === 'refunded') return sql`(o.status = 'paid' and ${refunded} and not ${rest})`
  return sql`o.status = ${status}`
}

const isInAnyStatus = (schoolId: string, statuses: readonly string[], alone?: Statement): Statement =>
  sql`(${statuses.map(status => isInStatus(schoolId, status, alone)).reduce((left, right) => sql`${left} or ${right}`)})`

const hasItem = (schoolId: string, { itemType, item }: OrderFilter): Statement | undefined => {
  if (itemType === undefined && item === undefined) return undefined
  return sql`o.id in (select l.order_id from order_lines l where ${joinConditions(
    sql`l.school_id = ${schoolId}`,
    when(itemType, type => sql`l.item_type = ${type}`),
    when(item, ({ type, id }) => sql`l.item_type = ${type} and l.item_id = ${id}::uuid`),
  )})`
}

const hasCoupon = (schoolId: string, couponId: string): Statement => sql`o.id in (
  select d.order_id from order_discounts d where d.school_id = ${schoolId} and d.coupon_id = ${couponId})`

const hasProvider = (schoolId: string, provider: string, alone = sql``): Statement => sql`exists (
  select from payments p where p.school_id = ${schoolId} and p.order_id = o.id and p.provider = ${provider} ${alone})`

const hasReference = (schoolId: string, reference: string): Statement => sql`o.id in (
  select p.order_id from payment_references f join payments p on p.school_id = f.school_id and p.id = f.payment_id
  where f.school_id = ${schoolId} and f.ref = ${reference}
  union all select r.order_id from refunds r where r.school_id = ${schoolId} and r.reference = ${reference})`

const isDisputed = (schoolId: string): Statement => sql`exists (
  select from disputes d where d.school_id = ${schoolId} and d.order_id = o.id and d.state = 'open')`

/** The conditions of a filter on the orders `o` of a school; `alone` ends those that look at other rows of each order. */
export const matching = (schoolId: string, filter: OrderFilter, alone?: Statement): Statement =>
  joinConditions(
    sql`o.school_id = ${schoolId}`,
    when(filter.memberId, id => sql`o.member_id = ${id}`),
    when(filter.email, email => sql`o.email_folded = ${foldEmail(email)}`),
    when(filter.number, number => sql`o.number = ${number}`),
    when(filter.kind, kind => sql`o.kind = ${kind}`),
    when(filter.statuses, statuses => isInAnyStatus(schoolId, statuses, alone)),
    when(filter.isRefunded, is => (is ? hasRefunds(schoolId) : sql`not ${hasRefunds(schoolId)}`)),
    when(filter.isDisputed, is => (is ? isDisputed(schoolId) : sql`not ${isDisputed(schoolId)}`)),
    when(filter.provider, provider => hasProvider(schoolId, provider, alone)),
    when(filter.reference, reference => hasReference(schoolId, reference)),
    hasItem(schoolId, filter),
    when(filter.couponId, id => hasCoupon(schoolId, id)),
    when(filter.subscriptionId, id => sql`o.subscription_id = ${id}`),
    when(filter.createdFrom, at => createdFrom({ at: sql`o.created_at`, id: sql`o.id` }, at)),
    when(filter.createdBefore, at => createdBefore({ at: sql`o.created_at`, id: sql`o.id` }, at)),
    when(filter.words, q => isFound({ kind: 'order', id: sql`o.id` }, q, filter.found)),
  )
