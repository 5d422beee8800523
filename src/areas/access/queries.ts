import { groupOpenings } from '#src/areas/groups/index.ts'
import type { Db, Statement } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import { allOf, when } from '#src/db/where.ts'
import type { Access, Reason } from './rules.ts'

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

const columns = sql`given.id, given.member_id, given.item_type, given.item_id, given.source, given.source_id, given.reason,
  given.starts_at, given.ends_at, given.revoked_at, given.created_at`

/** A thing in a statement: its kind, and the column or value that has its id. */
export type ItemIn = { readonly type: Item['type']; readonly id: Statement | string }

// Of a bundle, the stretches in which the thing was in it: each makes the entitlement reach it once.
const reaching = (schoolId: string, item: ItemIn, memberId?: Statement | string): Statement => {
  const { type, id } = item
  const ofMember = when(memberId, member => sql`given.member_id = ${member}`)
  return sql`
    select ${columns}, null::timestamptz as opened_at, null::timestamptz as closed_at
    from entitlements given
    where ${allOf(sql`given.school_id = ${schoolId} and given.item_type = ${type} and given.item_id = ${id}`, ofMember)}
    union all
    select ${columns}, g.opened_at, g.closed_at
    from entitlements given join (${groupOpenings(schoolId)}) g on g.group_id = given.item_id
    where ${allOf(
      sql`given.school_id = ${schoolId} and given.item_type = 'group' and g.item_type = ${type} and g.item_id = ${id}`,
      ofMember,
    )}`
}

/** Every entitlement of a member that ever reached a thing, in the order they were made. */
export const listReaching = (db: Db, schoolId: string, memberId: string, item: Item): Promise<EntitlementRow[]> =>
  db.all(sql<EntitlementRow>`
    select * from (${reaching(schoolId, item, memberId)}) as e order by e.created_at, e.id, e.opened_at`)

/** A member and a thing of a kind. */
export type Pair = { readonly memberId: string; readonly itemId: string }

/** The same of many members and things of one kind, with the thing that each reaches. */
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

const isLiving = (at: Statement): Statement => sql`
  e.starts_at <= ${at} and coalesce(e.ends_at, 'infinity') > ${at} and coalesce(e.revoked_at, 'infinity') > ${at}
  and coalesce(e.opened_at, '-infinity') <= ${at} and coalesce(e.closed_at, 'infinity') > ${at}`

// What ended before it began was never.
const began = sql`greatest(e.starts_at, e.opened_at)`
const wasEver = sql`least(coalesce(e.ends_at, 'infinity'), coalesce(e.revoked_at, 'infinity'),
  coalesce(e.closed_at, 'infinity')) > ${began}`

type Conditions = { readonly [name in 'living' | 'held' | 'coming' | 'ever']: Statement }

// The parts of the fold as conditions on the member and the thing in columns of a statement.
const conditions = (schoolId: string, memberId: Statement, item: ItemIn, at: Statement): Conditions => {
  const some = (condition: Statement): Statement =>
    sql`exists (select from (${reaching(schoolId, item, memberId)}) as e where ${condition})`
  return {
    living: some(isLiving(at)),
    held: sql`exists (
      select from holds h
      where h.school_id = ${schoolId} and h.member_id = ${memberId}
        and (h.item_type is null or (h.item_type = ${item.type} and h.item_id = ${item.id}))
        and h.starts_at <= ${at} and coalesce(h.ends_at, 'infinity') > ${at})`,
    coming: some(sql`${began} > ${at} and ${wasEver}`),
    ever: some(wasEver),
  }
}

const now = sql`(select now from clock)`

/** The condition that the member in a column may use a thing at an instant: a living reason, and no hold. */
export const mayUse = (schoolId: string, memberId: Statement, item: ItemIn, at: Statement): Statement => {
  const { living, held } = conditions(schoolId, memberId, item, at)
  return sql`(${living} and not ${held})`
}

/** The condition that the access of the member in a column to a thing is now in a state; the same as the fold says. */
export const accessIs = (state: Access['state'], schoolId: string, memberId: Statement, item: ItemIn): Statement => {
  const { living, held, coming, ever } = conditions(schoolId, memberId, item, now)
  const by: Readonly<Record<Access['state'], Statement>> = {
    active: sql`(${living} and not ${held})`,
    held: sql`(${living} and ${held})`,
    upcoming: sql`(not ${living} and ${coming})`,
    ended: sql`(${ever} and not ${living} and not ${coming})`,
    none: sql`not ${ever}`,
  }
  return by[state]
}

/** The state of the access of the member in a column to a thing now; the same as the fold says. */
export const accessState = (schoolId: string, memberId: Statement, item: ItemIn): Statement => {
  const { living, held, coming, ever } = conditions(schoolId, memberId, item, now)
  return sql`case when ${living} then case when ${held} then 'held' else 'active' end
    when ${coming} then 'upcoming' when ${ever} then 'ended' else 'none' end`
}

/** How many members who are still there may use each of some things now or will, by themselves or through a bundle. */
export const countEntitled = async (
  db: Db,
  schoolId: string,
  type: Item['type'],
  itemIds: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const rows = await db.all(sql<{ id: string; count: number }>`
    with clock as materialized (select stoa.now() as now)
    select i.id, count(distinct e.member_id)::integer as count
    from unnest(${itemIds}::uuid[]) as i (id)
    cross join lateral (${reaching(schoolId, { type, id: sql`i.id` })}) as e
    join members m on m.school_id = ${schoolId} and m.id = e.member_id and m.status <> 'deleted'
    where coalesce(e.ends_at, 'infinity') > (select now from clock) and e.revoked_at is null
      and coalesce(e.closed_at, 'infinity') > (select now from clock)
    group by i.id`)
  return new Map(rows.map(({ id, count }) => [id, count]))
}

/** The members with a living entitlement to a thing or bundle, by their ids, behind one of them. */
export const listEntitled = async (
  db: Db,
  schoolId: string,
  named: Named,
  { after, most }: { readonly after: string | undefined; readonly most: number },
): Promise<string[]> => {
  const rows = await db.all(sql<{ member_id: string }>`
    select distinct e.member_id from entitlements e
    where ${allOf(
      sql`e.school_id = ${schoolId} and e.item_type = ${named.type} and e.item_id = ${named.id} and e.revoked_at is null`,
      sql`coalesce(e.ends_at, 'infinity') > (select stoa.now())`,
      when(after, id => sql`e.member_id > ${id}`),
    )} order by e.member_id limit ${most}`)
  return rows.map(({ member_id }) => member_id)
}

/** The instant of the database's clock. */
export const clockNow = async (db: Db): Promise<Date> =>
  (await db.one(sql<{ now: Date }>`select stoa.now() as now`)).now
