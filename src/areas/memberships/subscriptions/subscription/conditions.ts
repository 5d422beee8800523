import type { creditEnds } from '#src/areas/memberships/subscription-credits/index.ts'
import type { BillingValues, StoredAccess } from '#src/areas/shop/index.ts'
import type { Recorded, Statement } from '#src/contract/db.ts'
import type { PriceValues } from '#src/contract/price.ts'
import { createdBefore, createdFrom } from '#src/db/created.ts'
import { type List, lastInstantKey } from '#src/db/list.ts'
import { listRanges, type Range } from '#src/db/ranges.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'
import type { collections, pauseAccesses, SubscribedType, SubscriptionStatus } from '../rules.ts'

/** The values of a price as JSON keeps them. */
export type StoredPrice = Omit<PriceValues, 'access_until'> & { readonly access_until: string | null }

/** What of a subscription may change. Amounts are in minor units. */
export type SubscriptionValues = {
  readonly item_type: SubscribedType
  readonly item_id: string
  readonly name: string
  readonly tax_class: 'standard' | 'exempt'
  readonly price_id: string | null
  readonly price: StoredPrice | null
  readonly access: StoredAccess
  readonly status: SubscriptionStatus
  readonly collection: (typeof collections)[number]
  readonly provider: string | null
  readonly method_id: string | null
  readonly started_at: Date | null
  readonly anchor_local: string | null
  readonly anchor_zone: string | null
  readonly anchor_number: number
  readonly zones: string | null
  readonly current_number: number
  readonly current_from: Date | null
  readonly current_until: Date | null
  readonly trial_end: Date | null
  readonly next_charge_at: Date | null
  readonly cancel_at: Date | null
  readonly canceled_at: Date | null
  readonly cancel_reason: string | null
  readonly credit_on_end: (typeof creditEnds)[number] | null
  readonly ends_at: Date | null
  readonly paused_at: Date | null
  readonly resumes_at: Date | null
  readonly pause_access: (typeof pauseAccesses)[number] | null
  readonly payments_made: number
  readonly coupon_id: string | null
  readonly code_id: string | null
  readonly code: string | null
  readonly code_periods_left: number | null
  readonly past_due_since: Date | null
  readonly retry_at: Date | null
  readonly retries: number
  readonly gives_up_at: Date | null
  readonly trial_noticed_at: Date | null
}

/** What of a new subscription never changes. */
type FixedValues = {
  readonly id: string
  readonly member_id: string
  readonly trial_days: number
  readonly order_id: string | null
  readonly source: 'checkout' | 'staff' | 'import'
  readonly external_id: string | null
}

/** A new subscription. */
export type NewSubscription = FixedValues & SubscriptionValues

/** A stored subscription, with what others say of it. */
export type SubscriptionRow = Recorded<NewSubscription> & {
  /** What stands of its credit, which the ledger alone changes. */
  readonly credit: number
  readonly member_name: string
  readonly member_status: string
  /** The billing of its latest order. */
  readonly billing: BillingValues | null
  readonly access_state: 'active' | 'held' | 'upcoming' | 'ended' | 'none'
  readonly access_until: Date | null
  readonly changed_in: string
}

// What it gives: the entitlement that began last, unless the member or it is on hold.
const buildAccess = (schoolId: string): Statement => sql`lateral (
  select case when e.id is null then 'none'
      when e.revoked_at is not null or e.ends_at <= (select now from clock) then 'ended'
      when e.starts_at > (select now from clock) then 'upcoming'
      when exists (
        select from holds h where h.school_id = ${schoolId} and h.member_id = s.member_id
          and h.starts_at <= (select now from clock) and coalesce(h.ends_at, 'infinity') > (select now from clock)
          and (h.source is null and h.item_type is null or h.item_type = s.item_type and h.item_id = s.item_id
            or h.source = 'subscription' and h.source_id = s.id)) then 'held'
      else 'active' end as state,
    case when e.revoked_at is not null then least(e.revoked_at, e.ends_at) else e.ends_at end as until
  from (values (1)) as one left join lateral (
    select * from entitlements e
    where e.school_id = ${schoolId} and e.member_id = s.member_id and e.item_type = s.item_type and e.item_id = s.item_id
      and e.source = 'subscription' and e.source_id = s.id
    order by e.created_at desc, e.id desc limit 1) e on true) as a`

/** The columns of a subscription `s` in `subscriptionTables`, in a statement that begins with the clock. */
export const subscriptionColumns = (
  schoolId: string,
): Statement => sql`s.id, s.member_id, m.name as member_name, m.status as member_status,
  s.item_type, s.item_id, s.name, s.price_id, s.price, s.access, s.tax_class, s.status, s.collection, s.provider, s.method_id,
  s.started_at, s.anchor_local, s.anchor_zone, s.anchor_number, s.zones, s.current_number, s.current_from, s.current_until,
  s.trial_days, s.trial_end, s.next_charge_at, s.cancel_at, s.canceled_at, s.cancel_reason, s.credit_on_end, s.ends_at, s.paused_at,
  s.resumes_at, s.pause_access, s.payments_made, s.credit::double precision as credit, s.coupon_id, s.code_id, s.code,
  s.code_periods_left, s.past_due_since, s.retry_at, s.retries, s.gives_up_at, s.trial_noticed_at, s.order_id, s.source,
  s.external_id, s.revision, s.changed_in, s.created_at, s.updated_at, a.state as access_state, a.until as access_until,
  (select o.billing from orders o where o.school_id = ${schoolId} and o.subscription_id = s.id order by o.id desc limit 1)
    as billing`

const joined = (schoolId: string): Statement => sql`join members m on m.school_id = ${schoolId} and m.id = s.member_id
  cross join ${buildAccess(schoolId)}`

/** A subscription `s` with its member and what it gives. */
export const subscriptionTables = (schoolId: string): Statement => sql`subscriptions s ${joined(schoolId)}`

/** Which subscriptions a list has; what is undefined does not matter. Ids are UUIDs. */
export type SubscriptionFilter = {
  readonly memberId?: string | undefined
  readonly itemType?: string | undefined
  readonly itemId?: string | undefined
  readonly priceId?: string | undefined
  readonly statuses?: readonly string[] | undefined
  readonly collection?: string | undefined
  readonly provider?: string | undefined
  readonly chargeFrom?: Date | undefined
  readonly chargeBefore?: Date | undefined
  readonly cancelFrom?: Date | undefined
  readonly cancelBefore?: Date | undefined
  readonly createdFrom?: Date | undefined
  readonly createdBefore?: Date | undefined
}

const matching = (schoolId: string, filter: SubscriptionFilter): Statement =>
  joinConditions(
    sql`s.school_id = ${schoolId}`,
    when(filter.memberId, id => sql`s.member_id = ${id}`),
    when(filter.itemType, type => sql`s.item_type = ${type}`),
    when(filter.itemId, id => sql`s.item_id = ${id}`),
    when(filter.priceId, id => sql`s.price_id = ${id}`),
    when(filter.statuses, words => sql`s.status = any (${[...words]}::text[])`),
    when(filter.collection, word => sql`s.collection = ${word}`),
    when(filter.provider, word => sql`s.provider = ${word}`),
    when(filter.createdFrom, at => createdFrom({ at: sql`s.created_at`, id: sql`s.id` }, at)),
    when(filter.createdBefore, at => createdBefore({ at: sql`s.created_at`, id: sql`s.id` }, at)),
  )

// What is not charged again is after all that is.
const nextCharge = sql`case when s.next_charge_at is null then 'infinity'::timestamptz else s.next_charge_at end`

const ranges = (schoolId: string, filter: SubscriptionFilter): readonly Range[] =>
  listRanges(sql`s.school_id = ${schoolId}`, [
    { column: nextCharge, from: filter.chargeFrom, before: filter.chargeBefore ?? (filter.chargeFrom && 'infinity') },
    { column: sql`s.cancel_at`, from: filter.cancelFrom, before: filter.cancelBefore },
  ])

/** The subscriptions of a filter, the newest first unless sorted otherwise. */
export const subscriptionList = (schoolId: string, filter: SubscriptionFilter): List<SubscriptionRow> => ({
  columns: subscriptionColumns(schoolId),
  from: subscriptionTables(schoolId),
  where: matching(schoolId, filter),
  checked: { table: sql`subscriptions`, alias: sql`s`, joins: joined(schoolId), ranges: ranges(schoolId, filter) },
  id: sql`s.id`,
  keys: {
    next_charge_at: lastInstantKey(nextCharge, row => row.next_charge_at),
  },
  sort: '-created_at',
  changedIn: sql`s.changed_in`,
  hasClock: true,
  counted: { from: sql`subscriptions s`, where: matching(schoolId, filter) },
})
