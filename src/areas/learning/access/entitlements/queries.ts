import type { Db, Statement } from '#src/contract/db.ts'
import type { Item as AnyItem } from '#src/contract/items.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'
import type { EntitlementRow, Item, Named, Pair, Source, SourceRef } from '../rules.ts'
import { staffSources } from '../schema.ts'
import { entitledTo, type NamedIn, reaching } from './conditions.ts'

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

/** An entitlement that was granted, changed or revoked. */
export type Touched = {
  readonly id: string
  readonly member_id: string
  readonly item_type: Named['type']
  readonly item_id: string
  readonly source: Source
  readonly ends_at: Date | null
  readonly revoked_at: Date | null
}

const touched = sql`id, member_id, item_type, item_id, source, ends_at, revoked_at`

const serializeRecords = (all: readonly NewEntitlement[]): string =>
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

/** Adds entitlements in one statement, except those that their sources already granted; returns the new ones. */
export const insertEntitlements = (db: Db, schoolId: string, all: readonly NewEntitlement[]) =>
  db.all(sql<Touched>`
    with clock as materialized (select stoa.now() as now)
    insert into entitlements (school_id, id, member_id, item_type, item_id, source, source_id, starts_at, ends_at, reason,
      created_at)
    select ${schoolId}::uuid, r.id, r.member_id, r.item_type, r.item_id, r.source, r.source_id, coalesce(r.starts_at, now),
      r.ends_at, r.reason, now
    from jsonb_to_recordset(${serializeRecords(all)}::jsonb) as r (id uuid, member_id uuid, item_type text, item_id uuid,
        source text, source_id uuid, starts_at timestamptz, ends_at timestamptz, reason text),
      clock
    on conflict do nothing
    returning ${touched}`)

/** Who ends entitlements, and why; `by` is unset where they end with their source. */
export type RevocationCause = {
  readonly by?: 'member' | 'school' | 'undo' | undefined
  readonly reason?: string | undefined
}

/** Revokes entitlements that have not ended, and returns them. */
export const revokeEntitlements = (db: Db, schoolId: string, ids: readonly string[], { by, reason }: RevocationCause) =>
  db.all(sql<Touched>`
    with clock as materialized (select stoa.now() as now)
    update entitlements set revoked_at = (select now from clock), revoked_by = ${by}, reason = coalesce(${reason}, reason)
    where school_id = ${schoolId} and id = any (${ids}::uuid[]) and revoked_at is null
      and coalesce(ends_at, 'infinity') > (select now from clock)
    returning ${touched}`)

/** A source whose entitlements are revoked, of everybody or of some members. */
export type RevokedSource = SourceRef & { readonly memberIds?: readonly string[] | undefined }

/** Revokes the entitlements of a source that have not ended, and returns them. */
export const revokeSource = (db: Db, schoolId: string, of: RevokedSource, { by, reason }: RevocationCause) =>
  db.all(sql<Touched>`
    with clock as materialized (select stoa.now() as now)
    update entitlements set revoked_at = (select now from clock), revoked_by = ${by}, reason = coalesce(${reason}, reason)
    where ${joinConditions(
      sql`school_id = ${schoolId} and source = ${of.source} and source_id = ${of.sourceId}`,
      when(of.memberIds, ids => sql`member_id = any (${ids}::uuid[])`),
    )}
      and revoked_at is null and coalesce(ends_at, 'infinity') > (select now from clock)
    returning ${touched}`)

/** A new end of an entitlement; null is no end. */
export type NewEnd = { readonly id: string; readonly endsAt: Date | null }

/**
 * Changes the ends of entitlements in one statement; returns those that had not ended and whose new end is after now
 * and their start.
 */
export const moveEnds = (db: Db, schoolId: string, ends: readonly NewEnd[]) =>
  db.all(sql<Touched>`
    with clock as materialized (select stoa.now() as now)
    update entitlements e set ends_at = r.ends_at
    from jsonb_to_recordset(${JSON.stringify(ends.map(({ id, endsAt }) => ({ id, ends_at: endsAt })))}::jsonb)
      as r (id uuid, ends_at timestamptz)
    where e.school_id = ${schoolId} and e.id = r.id and e.revoked_at is null
      and coalesce(e.ends_at, 'infinity') > (select now from clock)
      and coalesce(r.ends_at, 'infinity') > greatest((select now from clock), e.starts_at)
    returning e.id, e.member_id, e.item_type, e.item_id, e.source, e.ends_at, e.revoked_at`)

/** An entitlement that an import granted, or whose end it moved: the end as it was, and as the import stored it. */
export type ImportedEnd = { readonly id: string; readonly before: string | null; readonly after: string | null }

const asRecords = (all: readonly ImportedEnd[]): Statement =>
  sql`jsonb_to_recordset(${JSON.stringify(all)}::jsonb) as r (id uuid, before timestamptz, after timestamptz)`

// A driver knows no microseconds.
const isAsImported = sql`date_trunc('milliseconds', e.ends_at) is not distinct from r.after and e.revoked_at is null`

/** Ends entitlements that an import granted and nobody changed since, with the notes about them; returns them. */
export const undoGranted = (db: Db, schoolId: string, all: readonly ImportedEnd[]) =>
  db.all(sql<Touched>`
    with clock as materialized (select stoa.now() as now)
    update entitlements e set revoked_at = (select now from clock), revoked_by = 'undo', reason = null
    from ${asRecords(all)}
    where e.school_id = ${schoolId} and e.id = r.id and ${isAsImported}
    returning e.id, e.member_id, e.item_type, e.item_id, e.source, e.ends_at, e.revoked_at`)

/** Moves the ends back that an import moved and nobody moved since; returns the entitlements. */
export const undoEnds = (db: Db, schoolId: string, all: readonly ImportedEnd[]) =>
  db.all(sql<Touched>`
    update entitlements e set ends_at = r.before
    from ${asRecords(all)}
    where e.school_id = ${schoolId} and e.id = r.id and ${isAsImported} and coalesce(r.before, 'infinity') > e.starts_at
    returning e.id, e.member_id, e.item_type, e.item_id, e.source, e.ends_at, e.revoked_at`)

/** Moves the entitlements and holds of one member to another; entitlements of the other with the same source stay. */
export const moveEntitlements = async (db: Db, schoolId: string, fromId: string, intoId: string): Promise<void> => {
  await Promise.all([
    db.run(sql`
      update entitlements e set member_id = ${intoId}
      where e.school_id = ${schoolId} and e.member_id = ${fromId}
        and (e.revoked_at is not null or e.source_id is null or not exists (
          select from entitlements o
          where o.school_id = ${schoolId} and o.member_id = ${intoId} and o.revoked_at is null and o.source = e.source
            and o.source_id = e.source_id and o.item_type = e.item_type and o.item_id = e.item_id))`),
    db.run(sql`update holds set member_id = ${intoId} where school_id = ${schoolId} and member_id = ${fromId}`),
  ])
}

/** Revokes every entitlement of a member who is erased, and deletes the reasons and notes of all of theirs. */
export const eraseEntitlements = async (db: Db, schoolId: string, memberId: string): Promise<Touched[]> => {
  const [ended] = await Promise.all([
    db.all(sql<Touched>`
      with clock as materialized (select stoa.now() as now)
      update entitlements set revoked_at = (select now from clock)
      where school_id = ${schoolId} and member_id = ${memberId} and revoked_at is null
        and coalesce(ends_at, 'infinity') > (select now from clock)
      returning ${touched}`),
    db.run(sql`update holds set note = null where school_id = ${schoolId} and member_id = ${memberId}`),
  ])
  await db.run(sql`update entitlements set reason = null where school_id = ${schoolId} and member_id = ${memberId}`)
  return ended
}

/** An entitlement by its id, with whether it has ended. */
export const findEntitlement = (
  db: Db,
  schoolId: string,
  id: string,
): Promise<(Touched & { readonly is_over: boolean }) | undefined> =>
  db.first(sql<Touched & { is_over: boolean }>`
    select ${touched}, revoked_at is not null or coalesce(ends_at, 'infinity') <= (select stoa.now()) as is_over
    from entitlements where school_id = ${schoolId} and id = ${id}`)

/** Every entitlement of a member that ever applied to an item, in the order of creation. */
export const listReaching = (db: Db, schoolId: string, memberId: string, item: Item) =>
  db.all(sql<EntitlementRow>`
    select * from (${reaching(schoolId, item, memberId)}) as e order by e.created_at, e.id, e.opened_at`)

/** The same for many members and items of one type, with the item of each. */
export const listReachingMany = (
  db: Db,
  schoolId: string,
  type: Item['type'],
  pairs: readonly Pair[],
): Promise<(EntitlementRow & { readonly reached_id: string })[]> =>
  db.all(sql<EntitlementRow & { reached_id: string }>`
    select e.*, p.reached_id
    from unnest(${pairs.map(({ memberId }) => memberId)}::uuid[], ${pairs.map(({ itemId }) => itemId)}::uuid[])
      as p (holder_id, reached_id)
    cross join lateral (${reaching(schoolId, { type, id: sql`p.reached_id` }, sql`p.holder_id`)}) as e
    order by e.created_at, e.id, e.opened_at`)

/** How many members who were not deleted may use each of some items now or later, directly or through a bundle. */
export const countEntitled = async (
  db: Db,
  schoolId: string,
  type: AnyItem['type'],
  itemIds: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const rows = await db.all(sql<{ id: string; count: number }>`
    with clock as materialized (select stoa.now() as now)
    select i.id, count(distinct e.member_id)::integer as count
    from unnest(${itemIds}::uuid[]) as i (id)
    cross join lateral (${reaching(schoolId, { type, id: sql`i.id` })}) as e
    where coalesce(e.ends_at, 'infinity') > (select now from clock) and e.revoked_at is null
      and coalesce(e.closed_at, 'infinity') > (select now from clock)
      and not exists (
        select from members m where m.school_id = ${schoolId} and m.id = e.member_id and m.status = 'deleted')
    group by i.id`)
  return new Map(rows.map(({ id, count }) => [id, count]))
}

/** Whether a member is entitled to one of some items or bundles now, or to any of a type. */
export const isEntitledTo = async (db: Db, schoolId: string, memberId: string, named: NamedIn): Promise<boolean> =>
  (
    await db.one(sql<{ is_entitled: boolean }>`
      with clock as materialized (select stoa.now() as now)
      select ${entitledTo(schoolId, memberId, named)} as is_entitled`)
  ).is_entitled

/**
 * Whether the school ended access of a member to an item that it had given or that was free, and has not given any since.
 */
export const isEndedBySchool = async (
  db: Db,
  schoolId: string,
  { memberId, item }: { readonly memberId: string; readonly item: Named },
): Promise<boolean> =>
  (await db.first(sql`
    select from entitlements e
    where e.school_id = ${schoolId} and e.member_id = ${memberId} and e.item_type = ${item.type} and e.item_id = ${item.id}
      and e.revoked_by = 'school' and not exists (
        select from entitlements later
        where later.school_id = ${schoolId} and later.member_id = ${memberId} and later.item_type = ${item.type}
          and later.item_id = ${item.id} and later.source = any (${[...staffSources]}::text[])
          and later.created_at >= e.revoked_at and coalesce(later.revoked_by, '') not in ('school', 'undo'))
    limit 1`)) !== undefined

/** An entitlement as its member sees it. */
export type OwnEntitlement = Omit<Touched, 'member_id'> & { readonly starts_at: Date; readonly reason: string | null }

/** Every entitlement of a member, in the order of their creation. */
export const listMemberEntitlements = (db: Db, schoolId: string, memberId: string) =>
  db.all(sql<OwnEntitlement>`
    select id, item_type, item_id, source, starts_at, ends_at, revoked_at, reason from entitlements
    where school_id = ${schoolId} and member_id = ${memberId} order by created_at, id`)

/** The instant of the database's clock. */
export const clockNow = async (db: Db): Promise<Date> =>
  (await db.one(sql<{ now: Date }>`select stoa.now() as now`)).now
