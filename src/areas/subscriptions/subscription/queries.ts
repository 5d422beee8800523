// One thing: every statement on subscriptions and their changes.
import type { BillingValues, StoredAccess } from '#src/areas/orders/index.ts'
import type { Db, Statement } from '#src/contract/db.ts'
import type { PriceValues } from '#src/contract/price.ts'
import { instantKey, type List } from '#src/db/list.ts'
import { sql } from '#src/db/sql.ts'
import { allOf, when } from '#src/db/where.ts'
import type { collections, pauseAccesses, SubscribedType, SubscriptionStatus } from '../rules.ts'

/** The values of a price as JSON keeps them. */
export type StoredPrice = Omit<PriceValues, 'access_until'> & { readonly access_until: string | null }

/** What of a subscription may change. Amounts are in minor units. */
type SubscriptionValues = {
  readonly item_type: SubscribedType
  readonly item_id: string
  readonly name: string
  readonly tax_class: 'standard' | 'exempt'
  readonly price_id: string | null
  readonly price: StoredPrice | null
  readonly access: StoredAccess
  readonly status: SubscriptionStatus
  readonly collection: (typeof collections)[number]
  readonly provider: 'manual' | 'test' | 'stripe' | null
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
  readonly ends_at: Date | null
  readonly paused_at: Date | null
  readonly resumes_at: Date | null
  readonly pause_access: (typeof pauseAccesses)[number] | null
  readonly payments_made: number
  readonly credit: number
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
export type SubscriptionRow = NewSubscription & {
  readonly member_name: string
  readonly member_status: string
  /** The billing of its latest order. */
  readonly billing: BillingValues | null
  readonly access_state: 'active' | 'held' | 'upcoming' | 'ended' | 'none'
  readonly access_until: Date | null
  readonly revision: number
  readonly changed_in: string
  readonly created_at: Date
  readonly updated_at: Date
}

// What it gives: the entitlement that began last, unless the member or it is on hold.
const accessOf = (schoolId: string): Statement => sql`lateral (
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

const columns = (
  schoolId: string,
): Statement => sql`s.id, s.member_id, m.name as member_name, m.status as member_status,
  s.item_type, s.item_id, s.name, s.price_id, s.price, s.access, s.tax_class, s.status, s.collection, s.provider, s.method_id,
  s.started_at, s.anchor_local, s.anchor_zone, s.anchor_number, s.zones, s.current_number, s.current_from, s.current_until,
  s.trial_days, s.trial_end, s.next_charge_at, s.cancel_at, s.canceled_at, s.cancel_reason, s.ends_at, s.paused_at,
  s.resumes_at, s.pause_access, s.payments_made, s.credit::double precision as credit, s.coupon_id, s.code_id, s.code,
  s.code_periods_left, s.past_due_since, s.retry_at, s.retries, s.gives_up_at, s.trial_noticed_at, s.order_id, s.source,
  s.external_id, s.revision, s.changed_in, s.created_at, s.updated_at, a.state as access_state, a.until as access_until,
  (select o.billing from orders o where o.school_id = ${schoolId} and o.subscription_id = s.id order by o.id desc limit 1)
    as billing`

const tables = (schoolId: string): Statement => sql`subscriptions s
  join members m on m.school_id = ${schoolId} and m.id = s.member_id cross join ${accessOf(schoolId)}`

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
  allOf(
    sql`s.school_id = ${schoolId}`,
    when(filter.memberId, id => sql`s.member_id = ${id}`),
    when(filter.itemType, type => sql`s.item_type = ${type}`),
    when(filter.itemId, id => sql`s.item_id = ${id}`),
    when(filter.priceId, id => sql`s.price_id = ${id}`),
    when(filter.statuses, words => sql`s.status = any (${[...words]}::text[])`),
    when(filter.collection, word => sql`s.collection = ${word}`),
    when(filter.provider, word => sql`s.provider = ${word}`),
    when(filter.chargeFrom, at => sql`s.next_charge_at >= ${at}`),
    when(filter.chargeBefore, at => sql`s.next_charge_at < ${at}`),
    when(filter.cancelFrom, at => sql`s.cancel_at >= ${at}`),
    when(filter.cancelBefore, at => sql`s.cancel_at < ${at}`),
    when(filter.createdFrom, at => sql`s.created_at >= ${at}`),
    when(filter.createdBefore, at => sql`s.created_at < ${at}`),
  )

// What is not charged again is after all that is.
const nextCharge = sql`coalesce(s.next_charge_at, 'infinity'::timestamptz)`

/** The subscriptions of a filter, the newest first unless sorted otherwise. */
export const subscriptionList = (schoolId: string, filter: SubscriptionFilter): List<SubscriptionRow> => ({
  columns: columns(schoolId),
  from: tables(schoolId),
  where: matching(schoolId, filter),
  id: sql`s.id`,
  keys: {
    next_charge_at: {
      ...instantKey<SubscriptionRow>(nextCharge, row => row.created_at),
      cast: text => sql`${text}::timestamptz`,
      textOf: row => row.next_charge_at?.toISOString() ?? 'infinity',
    },
  },
  sort: '-created_at',
  changedIn: sql`s.changed_in`,
  hasClock: true,
  counted: { from: sql`subscriptions s`, where: matching(schoolId, filter) },
})

type Named = { readonly id: string; readonly memberId?: string | undefined }

/** A subscription by its UUID, of a member if one is named. */
export const findSubscription = (
  db: Db,
  schoolId: string,
  { id, memberId }: Named,
): Promise<SubscriptionRow | undefined> =>
  db.first(sql<SubscriptionRow>`
    with clock as materialized (select stoa.now() as now)
    select ${columns(schoolId)} from ${tables(schoolId)}
    where ${allOf(
      sql`s.school_id = ${schoolId} and s.id = ${id}`,
      when(memberId, member => sql`s.member_id = ${member}`),
    )}`)

/** The UUID of a subscription by its external id. */
export const findByExternalId = async (db: Db, schoolId: string, externalId: string): Promise<string | undefined> =>
  (
    await db.first(sql<{ id: string }>`
      select id from subscriptions where school_id = ${schoolId} and external_id = ${externalId}`)
  )?.id

/** Locks a subscription until the transaction ends. */
export const lockRow = (db: Db, schoolId: string, id: string): Promise<unknown> =>
  db.first(sql`select from subscriptions where school_id = ${schoolId} and id = ${id} for no key update`)

/** The subscriptions of a member that are in one of some statuses. */
export const listSubscriptionsOf = (
  db: Db,
  schoolId: string,
  memberId: string,
  statuses: readonly string[],
): Promise<SubscriptionRow[]> =>
  db.all(sql<SubscriptionRow>`
    with clock as materialized (select stoa.now() as now)
    select ${columns(schoolId)} from ${tables(schoolId)}
    where s.school_id = ${schoolId} and s.member_id = ${memberId} and s.status = any (${[...statuses]}::text[])
    order by s.id`)

const json = (value: object | null): Statement => sql`${value === null ? null : JSON.stringify(value)}::jsonb`

/** Stores a new subscription. */
export const insertSubscription = (db: Db, schoolId: string, row: NewSubscription, now: Date): Promise<number> =>
  db.run(sql`
    insert into subscriptions (school_id, id, member_id, item_type, item_id, name, price_id, price, access, tax_class, status,
      collection, provider, method_id, started_at, anchor_local, anchor_zone, anchor_number, zones, current_number,
      current_from, current_until, trial_days, trial_end, next_charge_at, ends_at, coupon_id, code_id, code,
      code_periods_left, order_id, source, external_id, created_at, updated_at)
    values (${schoolId}, ${row.id}, ${row.member_id}, ${row.item_type}, ${row.item_id}, ${row.name}, ${row.price_id},
      ${json(row.price)}, ${json(row.access)}, ${row.tax_class}, ${row.status}, ${row.collection}, ${row.provider},
      ${row.method_id}, ${row.started_at}, ${row.anchor_local}, ${row.anchor_zone}, ${row.anchor_number}, ${row.zones},
      ${row.current_number}, ${row.current_from}, ${row.current_until}, ${row.trial_days}, ${row.trial_end},
      ${row.next_charge_at}, ${row.ends_at}, ${row.coupon_id}, ${row.code_id}, ${row.code}, ${row.code_periods_left},
      ${row.order_id}, ${row.source}, ${row.external_id}, ${now}, ${now})`)

/** Stores a locked subscription as it is now. */
export const storeSubscription = (
  db: Db,
  schoolId: string,
  { id, ...row }: { readonly id: string } & SubscriptionValues,
  now: Date,
): Promise<number> =>
  db.run(sql`
    update subscriptions set item_id = ${row.item_id}, name = ${row.name}, tax_class = ${row.tax_class}, price_id = ${row.price_id}, price = ${json(row.price)}, access = ${json(row.access)},
      status = ${row.status}, collection = ${row.collection}, provider = ${row.provider}, method_id = ${row.method_id},
      started_at = ${row.started_at}, anchor_local = ${row.anchor_local}, anchor_zone = ${row.anchor_zone},
      anchor_number = ${row.anchor_number}, zones = ${row.zones}, current_number = ${row.current_number},
      current_from = ${row.current_from}, current_until = ${row.current_until}, trial_end = ${row.trial_end},
      next_charge_at = ${row.next_charge_at}, cancel_at = ${row.cancel_at}, canceled_at = ${row.canceled_at},
      cancel_reason = ${row.cancel_reason}, ends_at = ${row.ends_at}, paused_at = ${row.paused_at},
      resumes_at = ${row.resumes_at}, pause_access = ${row.pause_access}, payments_made = ${row.payments_made},
      credit = ${row.credit}::bigint, coupon_id = ${row.coupon_id}, code_id = ${row.code_id}, code = ${row.code},
      code_periods_left = ${row.code_periods_left}, past_due_since = ${row.past_due_since}, retry_at = ${row.retry_at},
      retries = ${row.retries}, gives_up_at = ${row.gives_up_at}, trial_noticed_at = ${row.trial_noticed_at},
      revision = revision + 1, updated_at = ${now}
    where school_id = ${schoolId} and id = ${id}`)

/** Whether a member had a trial of an item, or of anything. */
export const hadTrial = async (
  db: Db,
  schoolId: string,
  memberId: string,
  item: { readonly type: string; readonly id: string },
): Promise<boolean> =>
  (
    await db.one(sql<{ had: boolean }>`
      select exists (
        select from subscriptions s
        where s.school_id = ${schoolId} and s.member_id = ${memberId} and s.trial_end is not null
          and s.item_type = ${item.type} and s.item_id = ${item.id}) as had`)
  ).had

/** Moves the subscriptions of one member to another. */
export const moveSubscriptions = async (db: Db, schoolId: string, fromId: string, intoId: string): Promise<void> => {
  await db.run(sql`
    update subscriptions set member_id = ${intoId}, revision = revision + 1, updated_at = (select stoa.now())
    where school_id = ${schoolId} and member_id = ${fromId}`)
  await db.run(sql`
    update subscription_changes set member_id = ${intoId} where school_id = ${schoolId} and member_id = ${fromId}`)
}

/** How many subscriptions that run are of an item. */
export const countRunningOf = async (
  db: Db,
  schoolId: string,
  { type, id }: { readonly type: string; readonly id: string },
): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
      select count(*)::integer as count from subscriptions
      where school_id = ${schoolId} and item_type = ${type} and item_id = ${id}
        and status in ('incomplete', 'trialing', 'active', 'past_due', 'paused')`)
  ).count

/** How many subscriptions that run are in another currency. */
export const countInOtherCurrency = async (db: Db, schoolId: string, currency: string): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
      select count(*)::integer as count from subscriptions
      where school_id = ${schoolId} and status in ('incomplete', 'trialing', 'active', 'past_due', 'paused')
        and price ->> 'currency' <> ${currency}`)
  ).count

/** The time zone and the country of the school, and its currency. */
export const readSchool = (
  db: Db,
  schoolId: string,
): Promise<{ readonly time_zone: string; readonly currency: string; readonly country: string | null }> =>
  db.one(sql<{ time_zone: string; currency: string; country: string | null }>`
    select time_zone, currency, country from schools where id = ${schoolId}`)

/** A change of a subscription, and who made it; nobody where the worker did. */
export type ChangeRow = {
  readonly id: string
  readonly type: string
  readonly member_id: string | null
  readonly member_name: string | null
  readonly client_id: string | null
  readonly details: Readonly<Record<string, unknown>>
  readonly created_at: Date
}

/** Notes what was changed of a subscription. */
export const insertChange = (
  db: Db,
  schoolId: string,
  subscriptionId: string,
  change: Pick<ChangeRow, 'id' | 'type' | 'member_id' | 'client_id' | 'details' | 'created_at'>,
): Promise<number> =>
  db.run(sql`
    insert into subscription_changes (school_id, id, subscription_id, type, member_id, client_id, details, created_at)
    values (${schoolId}, ${change.id}, ${subscriptionId}, ${change.type}, ${change.member_id}, ${change.client_id},
      ${json(change.details)}, ${change.created_at})`)

/** The changes of a subscription, the newest first. */
export const changeList = (schoolId: string, subscriptionId: string): List<ChangeRow> => ({
  columns: sql`c.id, c.type, c.member_id, c.client_id, c.details, c.created_at,
    (select m.name from members m where m.school_id = ${schoolId} and m.id = c.member_id) as member_name`,
  from: sql`subscription_changes c`,
  where: sql`c.school_id = ${schoolId} and c.subscription_id = ${subscriptionId}`,
  id: sql`c.id`,
  sort: '-created_at',
})
