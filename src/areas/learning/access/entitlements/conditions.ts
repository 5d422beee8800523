import type { Statement } from '#src/contract/db.ts'
import type { Item as AnyItem } from '#src/contract/items.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'
import type { Access, Named } from '../rules.ts'

const columns = sql`given.id, given.member_id, given.item_type, given.item_id, given.source, given.source_id, given.reason,
  given.starts_at, given.ends_at, given.revoked_at, given.revoked_by, given.created_at`

/** An item in a statement: its type, and the column or value with its id. */
type ItemIn = { readonly type: AnyItem['type']; readonly id: Statement | string }

// When an item `b` of a bundle was closed for an entitlement `given`: one that began earlier may keep it.
const closedAt = sql`
  case when b.kept_by_earlier and given.starts_at < b.closed_at then null else b.closed_at end`

/** The entitlements that apply to an item, of one member or of all; through a bundle once for each period in it. */
export const reaching = (schoolId: string, item: ItemIn, memberId?: Statement | string): Statement => {
  const { type, id } = item
  const ofMember = when(memberId, member => sql`given.member_id = ${member}`)
  return sql`
    select ${columns}, null::timestamptz as opened_at, null::timestamptz as closed_at
    from entitlements given
    where ${joinConditions(sql`given.school_id = ${schoolId} and given.item_type = ${type} and given.item_id = ${id}`, ofMember)}
    union all
    select ${columns}, b.opened_at, ${closedAt} as closed_at
    from bundle_items b join entitlements given on given.item_type = b.bundle_type and given.item_id = b.bundle_id
    where ${joinConditions(
      sql`given.school_id = ${schoolId} and given.item_type in ('group', 'membership_plan')`,
      sql`b.school_id = ${schoolId} and b.item_type = ${type} and b.item_id = ${id}`,
      ofMember,
    )}`
}

/** The members to whom an entitlement to an item applies or applied, with an entry for each. For the statements of later areas. */
export const membersReached = (schoolId: string, item: ItemIn): Statement =>
  sql`select e.member_id from (${reaching(schoolId, item)}) as e`

const now = sql`(select now from clock)`

const isGiven = sql`
  e.starts_at <= ${now} and coalesce(e.ends_at, 'infinity') > ${now} and coalesce(e.revoked_at, 'infinity') > ${now}`

const isActive = sql`${isGiven}
  and coalesce(e.opened_at, '-infinity') <= ${now} and coalesce(e.closed_at, 'infinity') > ${now}`

// What ended before it began never counted.
const began = sql`greatest(e.starts_at, e.opened_at)`
const wasEver = sql`least(coalesce(e.ends_at, 'infinity'), coalesce(e.revoked_at, 'infinity'),
  coalesce(e.closed_at, 'infinity')) > ${began}`

const isHeld = (schoolId: string, memberId: Statement | string, on: Statement): Statement => sql`exists (
  select from holds h
  where h.school_id = ${schoolId} and h.member_id = ${memberId} and ${on}
    and h.starts_at <= ${now} and coalesce(h.ends_at, 'infinity') > ${now})`

// A hold on every source, of everything or of one item.
const onItem = (type: Statement | string, id: Statement | string): Statement =>
  sql`h.source is null and (h.item_type is null or (h.item_type = ${type} and h.item_id = ${id}))`

const onSource = sql`h.source = e.source and h.source_id = e.source_id`

type Conditions = { readonly [name in 'active' | 'open' | 'coming' | 'ever']: Statement }

// The parts of accessAt as conditions on the member and the thing in columns of a statement.
const conditions = (schoolId: string, memberId: Statement, item: ItemIn): Conditions => {
  const some = (condition: Statement): Statement =>
    sql`exists (select from (${reaching(schoolId, item, memberId)}) as e where ${condition})`
  const free = sql`${isActive} and not ${isHeld(schoolId, memberId, onSource)}`
  return {
    active: some(isActive),
    open: sql`(${some(free)} and not ${isHeld(schoolId, memberId, onItem(item.type, item.id))})`,
    coming: some(sql`${began} > ${now} and ${wasEver}`),
    ever: some(wasEver),
  }
}

/** The condition that the access of the member in a column to an item is now in a state, as accessAt decides it. */
export const accessIs = (state: Access['state'], schoolId: string, memberId: Statement, item: ItemIn): Statement => {
  const { active, open, coming, ever } = conditions(schoolId, memberId, item)
  const by: Readonly<Record<Access['state'], Statement>> = {
    active: open,
    held: sql`(${active} and not ${open})`,
    upcoming: sql`(not ${active} and ${coming})`,
    ended: sql`(${ever} and not ${active} and not ${coming})`,
    none: sql`not ${ever}`,
  }
  return by[state]
}

const onHold = (schoolId: string): Statement => sql`
  select h.member_id from holds h
  where h.school_id = ${schoolId} and h.starts_at <= ${now} and coalesce(h.ends_at, 'infinity') > ${now}`

// With an offset the holders of a bundle are looked up, and not all entitlements joined.
const withAccessToCome = (schoolId: string): Statement => sql`
  select g.member_id from entitlements g where g.school_id = ${schoolId} and g.starts_at > ${now}
  union all
  select g.member_id from bundle_items b cross join lateral (
    select e.member_id from entitlements e
    where e.school_id = ${schoolId} and e.item_type = b.bundle_type and e.item_id = b.bundle_id offset 0) as g
  where b.school_id = ${schoolId} and b.opened_at > ${now}`

/**
 * The members in a column whose access to anything can be in a state, where indexes find them: whoever is on hold, or has
 * access that is yet to begin. Undefined where that can be everybody. In a statement with the `clock`.
 */
export const candidatesFor = (state: Access['state'] | undefined, schoolId: string, column: Statement) => {
  if (state === 'held') return { column, ids: onHold(schoolId) }
  if (state === 'upcoming') return { column, ids: withAccessToCome(schoolId) }
  return undefined
}

/** The state of the access of the member in a column to an item now, as accessAt decides it. */
export const accessState = (schoolId: string, memberId: Statement, item: ItemIn): Statement => {
  const { active, open, coming, ever } = conditions(schoolId, memberId, item)
  return sql`case when ${open} then 'active' when ${active} then 'held'
    when ${coming} then 'upcoming' when ${ever} then 'ended' else 'none' end`
}

/** The members with access to an item now, with an entry for each reason; in a statement with the `clock`. */
export const membersWithAccess = (schoolId: string, item: ItemIn): Statement => sql`
  select e.member_id from (${reaching(schoolId, item)}) as e
  where ${isActive} and not ${isHeld(schoolId, sql`e.member_id`, onSource)}
    and not ${isHeld(schoolId, sql`e.member_id`, onItem(item.type, item.id))}`

/** What an entitlement must name: one of some rows of a type, or any; no row at all for an empty list. */
export type NamedIn = { readonly type: Named['type']; readonly ids?: Statement | readonly string[] | undefined }

/**
 * The condition that the member in a column or value has an entitlement that names one of some items or bundles, is
 * active and not on hold; in a statement with the `clock`.
 */
export const entitledTo = (schoolId: string, memberId: Statement | string, { type, ids }: NamedIn): Statement => sql`
  exists (
    select from entitlements e
    where ${joinConditions(
      sql`e.school_id = ${schoolId} and e.member_id = ${memberId} and e.item_type = ${type}`,
      when(ids, some => sql`e.item_id = any (${some}::uuid[])`),
    )}
      and ${isGiven} and not ${isHeld(schoolId, memberId, onSource)}
      and not ${isHeld(schoolId, memberId, onItem(sql`e.item_type`, sql`e.item_id`))})`
