import type { Db, Statement } from '#src/contract/db.ts'
import type { List } from '#src/db/list.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'
import {
  type NewSubscription,
  type SubscriptionRow,
  type SubscriptionValues,
  subscriptionColumns,
  subscriptionTables,
} from './conditions.ts'

type Named = { readonly id: string; readonly memberId?: string | undefined }

/** A subscription by its UUID, of a member if one is named. */
export const findSubscription = (db: Db, schoolId: string, { id, memberId }: Named) =>
  db.first(sql<SubscriptionRow>`
    with clock as materialized (select stoa.now() as now)
    select ${subscriptionColumns(schoolId)} from ${subscriptionTables(schoolId)}
    where ${joinConditions(
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
export const listMemberSubscriptions = (db: Db, schoolId: string, memberId: string, statuses: readonly string[]) =>
  db.all(sql<SubscriptionRow>`
    with clock as materialized (select stoa.now() as now)
    select ${subscriptionColumns(schoolId)} from ${subscriptionTables(schoolId)}
    where s.school_id = ${schoolId} and s.member_id = ${memberId} and s.status = any (${[...statuses]}::text[])
    order by s.id`)

const json = (value: object | null): Statement => sql`${value === null ? null : JSON.stringify(value)}::jsonb`

/** Stores a new subscription. */
export const insertSubscription = (db: Db, schoolId: string, row: NewSubscription, now: Date) =>
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
) =>
  db.run(sql`
    update subscriptions set item_id = ${row.item_id}, name = ${row.name}, tax_class = ${row.tax_class}, price_id = ${row.price_id}, price = ${json(row.price)}, access = ${json(row.access)},
      status = ${row.status}, collection = ${row.collection}, provider = ${row.provider}, method_id = ${row.method_id},
      started_at = ${row.started_at}, anchor_local = ${row.anchor_local}, anchor_zone = ${row.anchor_zone},
      anchor_number = ${row.anchor_number}, zones = ${row.zones}, current_number = ${row.current_number},
      current_from = ${row.current_from}, current_until = ${row.current_until}, trial_end = ${row.trial_end},
      next_charge_at = ${row.next_charge_at}, cancel_at = ${row.cancel_at}, canceled_at = ${row.canceled_at},
      cancel_reason = ${row.cancel_reason}, credit_on_end = ${row.credit_on_end}, ends_at = ${row.ends_at}, paused_at = ${row.paused_at},
      resumes_at = ${row.resumes_at}, pause_access = ${row.pause_access}, payments_made = ${row.payments_made},
      coupon_id = ${row.coupon_id}, code_id = ${row.code_id}, code = ${row.code},
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
export const countRunningSubscriptions = async (
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

/** The subscriptions that run and are charged through a provider. */
export const listChargedThrough = (db: Db, schoolId: string, provider: string) =>
  db.all(sql<{ id: string }>`
    select id from subscriptions
    where school_id = ${schoolId} and provider = ${provider} and collection = 'automatic'
      and status in ('trialing', 'active', 'past_due', 'paused')
    order by id`)

/** The names of what runs of a member and is charged with a saved method, by the id of the method. */
export const listUses = (db: Db, schoolId: string, memberId: string) =>
  db.all(sql<{ methodId: string; name: string }>`
    select method_id as "methodId", name from subscriptions
    where school_id = ${schoolId} and member_id = ${memberId} and method_id is not null and collection = 'automatic'
      and status in ('trialing', 'active', 'past_due', 'paused')
    order by created_at`)

/** How many subscriptions that run are charged through a provider. */
export const countChargedThrough = async (db: Db, schoolId: string, provider: string): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
      select count(*)::integer as count from subscriptions
      where school_id = ${schoolId} and provider = ${provider} and collection = 'automatic'
        and status in ('trialing', 'active', 'past_due', 'paused')`)
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
) =>
  db.run(sql`
    insert into subscription_changes (school_id, id, subscription_id, type, member_id, client_id, details, created_at)
    values (${schoolId}, ${change.id}, ${subscriptionId}, ${change.type}, ${change.member_id}, ${change.client_id},
      ${json(change.details)}, ${change.created_at})`)

/** The changes of the subscriptions of a member, and those that they made. */
export const listMemberChanges = (
  db: Db,
  schoolId: string,
  memberId: string,
): Promise<{ subscription_id: string; type: string; created_at: Date }[]> =>
  db.all(sql<{ subscription_id: string; type: string; created_at: Date }>`
    select c.subscription_id, c.type, c.created_at
    from subscription_changes c join subscriptions s on s.school_id = ${schoolId} and s.id = c.subscription_id
    where c.school_id = ${schoolId} and (s.member_id = ${memberId} or c.member_id = ${memberId}) order by c.created_at, c.id`)

/** The changes of a subscription, the newest first. */
export const changeList = (schoolId: string, subscriptionId: string): List<ChangeRow> => ({
  columns: sql`c.id, c.type, c.member_id, c.client_id, c.details, c.created_at,
    (select m.name from members m where m.school_id = ${schoolId} and m.id = c.member_id) as member_name`,
  from: sql`subscription_changes c`,
  where: sql`c.school_id = ${schoolId} and c.subscription_id = ${subscriptionId}`,
  id: sql`c.id`,
  sort: '-created_at',
})
