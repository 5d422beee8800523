import type { Db, Statement } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'
import type { Hold, HoldRow, Item, NamedItem, SourceRef } from '../rules.ts'

const columns = sql`h.id, h.member_id, h.item_type, h.item_id, h.source, h.source_id, h.reason, h.note, h.starts_at,
  h.ends_at, h.created_at`

/** Every hold on the access of a member to an item or to everything, and on any source of theirs. */
export const listHolds = (db: Db, schoolId: string, memberId: string, item: Item) =>
  db.all(sql<HoldRow>`
    select ${columns} from holds h
    where h.school_id = ${schoolId} and h.member_id = ${memberId}
      and (h.item_type is null or (h.item_type = ${item.type} and h.item_id = ${item.id}))
    order by h.starts_at, h.id`)

/** Every hold of some members. */
export const listMemberHolds = (db: Db, schoolId: string, memberIds: readonly string[]) =>
  db.all(sql<HoldRow>`
    select ${columns} from holds h
    where h.school_id = ${schoolId} and h.member_id = any (${memberIds}::uuid[])
    order by h.starts_at, h.id`)

/** A new hold. */
export type NewHold = {
  readonly id: string
  readonly memberId: string
  /** An item, or a source whose entitlements alone are suspended; unset: everything. */
  readonly on?: NamedItem | SourceRef | undefined
  readonly reason: Hold['reason']
  readonly endsAt?: Date | undefined
  readonly note?: string | undefined
}

/** Places a hold from now on, and returns it. */
export const insertHold = (db: Db, schoolId: string, hold: NewHold): Promise<HoldRow> => {
  const { type, id, source, sourceId }: Partial<NamedItem & SourceRef> = hold.on ?? {}
  return db.one(sql<HoldRow>`
    with clock as materialized (select stoa.now() as now)
    insert into holds as h (school_id, id, member_id, item_type, item_id, source, source_id, reason, note, starts_at,
      ends_at, created_at)
    select ${schoolId}, ${hold.id}, ${hold.memberId}, ${type}, ${id}, ${source}, ${sourceId}, ${hold.reason},
      ${hold.note}, now, ${hold.endsAt}, now
    from clock
    returning ${columns}`)
}

/** A source, and the reason of the holds on it that are meant; unset: all. */
export type HeldSource = SourceRef & { readonly reason?: Hold['reason'] | undefined }

/** Locks the holds on a source, so that each is lifted once, and returns their ids. */
export const lockHoldsOn = async (db: Db, schoolId: string, held: HeldSource): Promise<string[]> => {
  const rows = await db.all(sql<{ id: string }>`
    select id from holds where ${joinConditions(
      sql`school_id = ${schoolId} and source = ${held.source} and source_id = ${held.sourceId}`,
      when(held.reason, reason => sql`reason = ${reason}`),
    )} order by id for no key update`)
  return rows.map(({ id }) => id)
}

/** Lifts holds; returns the ids of those that were active. */
export const endHolds = async (db: Db, schoolId: string, ids: readonly string[]) =>
  db.all(sql<{ id: string; member_id: string }>`
    with clock as materialized (select stoa.now() as now)
    update holds set ends_at = (select now from clock)
    where school_id = ${schoolId} and id = any (${ids}::uuid[]) and coalesce(ends_at, 'infinity') > (select now from clock)
    returning id, member_id`)

const isOn = (item: NamedItem | undefined): Statement =>
  item === undefined ? sql`h.item_type is null` : sql`h.item_type = ${item.type} and h.item_id = ${item.id}`

/** The active holds that staff placed on an item or on everything; those on a source are lifted with it. */
export const listActiveHolds = (db: Db, schoolId: string, memberId: string, item: NamedItem | undefined) =>
  db.all(sql<HoldRow>`
    select ${columns} from holds h
    where h.school_id = ${schoolId} and h.member_id = ${memberId} and h.reason = 'staff'
      and h.source is null and ${isOn(item)}
      and coalesce(h.ends_at, 'infinity') > (select stoa.now())
    order by h.starts_at, h.id`)

/** A hold as its member sees it, without the note of the staff. */
export type OwnHold = {
  readonly id: string
  readonly reason: string
  readonly note: string | null
  readonly source: string | null
  readonly starts_at: Date
  readonly ends_at: Date | null
}

/** Every hold on a member, in the order in which they began. */
export const listOwnHolds = (db: Db, schoolId: string, memberId: string) =>
  db.all(sql<OwnHold>`
    select id, reason, note, source, starts_at, ends_at from holds
    where school_id = ${schoolId} and member_id = ${memberId} order by starts_at, id`)
