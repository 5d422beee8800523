import { groupOpenings } from '#src/areas/members/index.ts'
import type { Db, Statement } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import { allOf, when } from '#src/db/where.ts'
import type { Hold, Reason } from './rules.ts'

/** A thing a member may be entitled to. */
export type Item = { readonly type: 'course' | 'digital_product' | 'event'; readonly id: string }

/** What an entitlement names: a thing, or a bundle of things. */
export type Named = { readonly type: Item['type'] | 'group' | 'membership_plan'; readonly id: string }

/** Where an entitlement comes from. */
export type Source = 'order_line' | 'subscription' | 'gift' | 'staff' | 'group' | 'import' | 'free'

/** An entitlement that reaches a thing, by itself or through a bundle. */
export type EntitlementRow = Reason & {
  readonly member_id: string
  readonly item_type: Named['type']
  readonly item_id: string
  readonly source: Source
  readonly source_id: string | null
  readonly reason: string | null
  readonly created_at: Date
}

/** A hold as it is stored. */
export type HoldRow = Hold & {
  readonly member_id: string
  readonly item_type: Item['type'] | null
  readonly item_id: string | null
  readonly note: string | null
}

const columns = sql`e.id, e.member_id, e.item_type, e.item_id, e.source, e.source_id, e.reason, e.starts_at, e.ends_at,
  e.revoked_at, e.created_at`

// Of a bundle, the stretches in which the thing was in it: each makes the entitlement reach it once.
const reaching = (schoolId: string, item: Item): Statement => sql`
  select ${columns}, null::timestamptz as opened_at, null::timestamptz as closed_at
  from entitlements e
  where e.school_id = ${schoolId} and e.item_type = ${item.type} and e.item_id = ${item.id}
  union all
  select ${columns}, g.opened_at, g.closed_at
  from entitlements e join (${groupOpenings(schoolId)}) g on g.group_id = e.item_id
  where e.school_id = ${schoolId} and e.item_type = 'group' and g.item_type = ${item.type} and g.item_id = ${item.id}`

/** Every entitlement of a member that ever reached a thing, in the order they were made. */
export const listReaching = (db: Db, schoolId: string, memberId: string, item: Item): Promise<EntitlementRow[]> =>
  db.all(sql<EntitlementRow>`
    select * from (${reaching(schoolId, item)}) as e where e.member_id = ${memberId} order by e.created_at, e.id`)

/** Every hold that ever kept a member from a thing. */
export const listHolds = (db: Db, schoolId: string, memberId: string, item: Item): Promise<HoldRow[]> =>
  db.all(sql<HoldRow>`
    select id, member_id, item_type, item_id, reason, note, starts_at, ends_at from holds
    where school_id = ${schoolId} and member_id = ${memberId}
      and (item_type is null or (item_type = ${item.type} and item_id = ${item.id}))
    order by starts_at, id`)

/** The condition that the member in a column may use a thing at an instant: a living reason, and no hold. */
export const mayUse = (schoolId: string, memberId: Statement, item: Item, at: Statement): Statement => sql`(
  exists (
    select from (${reaching(schoolId, item)}) as e
    where e.member_id = ${memberId} and e.starts_at <= ${at} and coalesce(e.ends_at, 'infinity') > ${at}
      and coalesce(e.revoked_at, 'infinity') > ${at} and coalesce(e.opened_at, '-infinity') <= ${at}
      and coalesce(e.closed_at, 'infinity') > ${at})
  and not exists (
    select from holds h
    where h.school_id = ${schoolId} and h.member_id = ${memberId}
      and (h.item_type is null or (h.item_type = ${item.type} and h.item_id = ${item.id}))
      and h.starts_at <= ${at} and coalesce(h.ends_at, 'infinity') > ${at}))`

/** Whether anybody has a living entitlement to a thing, by itself or through a bundle. */
export const isAnybodyEntitled = async (db: Db, schoolId: string, item: Item): Promise<boolean> =>
  (await db.first(sql`
    select from (${reaching(schoolId, item)}) as e
    where coalesce(e.ends_at, 'infinity') > stoa.now() and e.revoked_at is null
      and coalesce(e.closed_at, 'infinity') > stoa.now()
    limit 1`)) !== undefined

/** How many members have a living entitlement to a thing, by itself or through a bundle; counted up to `most`. */
export const countEntitled = async (db: Db, schoolId: string, item: Item, most: number): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
      select count(*)::integer as count from (
        select distinct e.member_id from (${reaching(schoolId, item)}) as e, (select stoa.now() as t offset 0) as moment
        where coalesce(e.ends_at, 'infinity') > t and e.revoked_at is null and coalesce(e.closed_at, 'infinity') > t
        limit ${most}
      ) as living`)
  ).count

/** A new entitlement. */
export type NewEntitlement = {
  readonly id: string
  readonly memberId: string
  readonly named: Named
  readonly source: Source
  readonly sourceId?: string | undefined
  /** Unset: from now on. */
  readonly startsAt?: Date | undefined
  readonly endsAt?: Date | undefined
  readonly reason?: string | undefined
}

/** An entitlement that was given, changed or withdrawn. */
export type Touched = {
  readonly id: string
  readonly member_id: string
  readonly item_type: Named['type']
  readonly item_id: string
  readonly source: Source
}

const touched = sql`id, member_id, item_type, item_id, source`

const recordsOf = (all: readonly NewEntitlement[]): string =>
  JSON.stringify(
    all.map(one => ({
      id: one.id,
      member_id: one.memberId,
      item_type: one.named.type,
      item_id: one.named.id,
      source: one.source,
      source_id: one.sourceId,
      starts_at: one.startsAt,
      ends_at: one.endsAt,
      reason: one.reason,
    })),
  )

/** Adds entitlements in one statement, but those that their sources gave already; gives the ones that are new. */
export const insertEntitlements = (db: Db, schoolId: string, all: readonly NewEntitlement[]): Promise<Touched[]> =>
  db.all(sql<Touched>`
    insert into entitlements (school_id, id, member_id, item_type, item_id, source, source_id, starts_at, ends_at, reason,
      created_at)
    select ${schoolId}::uuid, r.id, r.member_id, r.item_type, r.item_id, r.source, r.source_id, coalesce(r.starts_at, t),
      r.ends_at, r.reason, t
    from jsonb_to_recordset(${recordsOf(all)}::jsonb) as r (id uuid, member_id uuid, item_type text, item_id uuid,
        source text, source_id uuid, starts_at timestamptz, ends_at timestamptz, reason text),
      (select stoa.now() as t) as moment
    on conflict do nothing
    returning ${touched}`)

/** Ends entitlements early, each once; gives those that lived. */
export const revokeEntitlements = (
  db: Db,
  schoolId: string,
  ids: readonly string[],
  reason: string | undefined,
): Promise<Touched[]> =>
  db.all(sql<Touched>`
    update entitlements set revoked_at = stoa.now(), reason = coalesce(${reason}, reason)
    where school_id = ${schoolId} and id = any (${ids}::uuid[]) and revoked_at is null
      and coalesce(ends_at, 'infinity') > stoa.now()
    returning ${touched}`)

/** Ends everything that a source gave, early, each once; gives what lived. */
export const revokeSource = (
  db: Db,
  schoolId: string,
  of: { readonly source: Source; readonly sourceId: string; readonly memberIds?: readonly string[] | undefined },
  reason: string | undefined,
): Promise<Touched[]> =>
  db.all(sql<Touched>`
    update entitlements set revoked_at = stoa.now(), reason = coalesce(${reason}, reason)
    where ${allOf(
      sql`school_id = ${schoolId} and source = ${of.source} and source_id = ${of.sourceId}`,
      when(of.memberIds, ids => sql`member_id = any (${ids}::uuid[])`),
    )}
      and revoked_at is null and coalesce(ends_at, 'infinity') > stoa.now()
    returning ${touched}`)

/** Moves the end of an entitlement that has not ended; undefined when it has, or would not outlast now and its start. */
export const moveEnd = (db: Db, schoolId: string, id: string, endsAt: Date | null): Promise<Touched | undefined> =>
  db.first(sql<Touched>`
    update entitlements set ends_at = ${endsAt}
    where school_id = ${schoolId} and id = ${id} and revoked_at is null and coalesce(ends_at, 'infinity') > stoa.now()
      and coalesce(${endsAt}::timestamptz, 'infinity') > greatest(stoa.now(), starts_at)
    returning ${touched}`)

/** A new hold. */
export type NewHold = {
  readonly id: string
  readonly memberId: string
  /** Unset: everything. */
  readonly item?: Item | undefined
  readonly reason: Hold['reason']
  readonly sourceId?: string | undefined
  readonly endsAt?: Date | undefined
  readonly note?: string | undefined
}

/** Places a hold from now on. */
export const insertHold = (db: Db, schoolId: string, hold: NewHold): Promise<number> =>
  db.run(sql`
    insert into holds (school_id, id, member_id, item_type, item_id, reason, source_id, note, starts_at, ends_at, created_at)
    select ${schoolId}, ${hold.id}, ${hold.memberId}, ${hold.item?.type}, ${hold.item?.id}, ${hold.reason},
      ${hold.sourceId}, ${hold.note}, t, ${hold.endsAt}, t
    from (select stoa.now() as t) as moment`)

/** Lifts a hold; gives 1 when it stood. */
export const endHold = (db: Db, schoolId: string, id: string): Promise<number> =>
  db.run(sql`
    update holds set ends_at = stoa.now()
    where school_id = ${schoolId} and id = ${id} and coalesce(ends_at, 'infinity') > stoa.now()`)

/** The instant of the database's clock. */
export const clockNow = async (db: Db): Promise<Date> =>
  (await db.one(sql<{ now: Date }>`select stoa.now() as now`)).now

/** Every entitlement of a member, in the order they were made. */
export const listEntitlementsOf = (db: Db, schoolId: string, memberId: string): Promise<OwnEntitlement[]> =>
  db.all(sql<OwnEntitlement>`
    select id, item_type, item_id, source, starts_at, ends_at, revoked_at from entitlements
    where school_id = ${schoolId} and member_id = ${memberId} order by created_at, id`)

/** An entitlement as the person hears of it whose it is. */
export type OwnEntitlement = Pick<Touched, 'id' | 'item_type' | 'item_id' | 'source'> & {
  readonly starts_at: Date
  readonly ends_at: Date | null
  readonly revoked_at: Date | null
}

/** Every hold on a member, in the order in which they began. */
export const listHoldsOf = (db: Db, schoolId: string, memberId: string): Promise<HoldRow[]> =>
  db.all(sql<HoldRow>`
    select id, member_id, item_type, item_id, reason, note, starts_at, ends_at from holds
    where school_id = ${schoolId} and member_id = ${memberId} order by starts_at, id`)

/** Gives everything one member is entitled to, and kept from, to another. */
export const moveEntitlements = async (db: Db, schoolId: string, fromId: string, intoId: string): Promise<void> => {
  await Promise.all([
    db.run(sql`update entitlements set member_id = ${intoId} where school_id = ${schoolId} and member_id = ${fromId}`),
    db.run(sql`update holds set member_id = ${intoId} where school_id = ${schoolId} and member_id = ${fromId}`),
  ])
}
