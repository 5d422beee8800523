import type { Db, Statement } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import type { Hold, HoldRow, Item } from '../rules.ts'

const columns = sql`h.id, h.member_id, h.item_type, h.item_id, h.reason, h.note, h.starts_at, h.ends_at, h.created_at`

/** Every hold on the access of a member to an item. */
export const listHolds = (db: Db, schoolId: string, memberId: string, item: Item): Promise<HoldRow[]> =>
  db.all(sql<HoldRow>`
    select ${columns} from holds h
    where h.school_id = ${schoolId} and h.member_id = ${memberId}
      and (h.item_type is null or (h.item_type = ${item.type} and h.item_id = ${item.id}))
    order by h.starts_at, h.id`)

/** Every hold of some members. */
export const listHoldsOf = (db: Db, schoolId: string, memberIds: readonly string[]): Promise<HoldRow[]> =>
  db.all(sql<HoldRow>`
    select ${columns} from holds h
    where h.school_id = ${schoolId} and h.member_id = any (${memberIds}::uuid[])
    order by h.starts_at, h.id`)

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

/** Places a hold from now on, and returns it. */
export const insertHold = (db: Db, schoolId: string, hold: NewHold): Promise<HoldRow> =>
  db.one(sql<HoldRow>`
    with clock as materialized (select stoa.now() as now)
    insert into holds as h (school_id, id, member_id, item_type, item_id, reason, source_id, note, starts_at, ends_at, created_at)
    select ${schoolId}, ${hold.id}, ${hold.memberId}, ${hold.item?.type}, ${hold.item?.id}, ${hold.reason},
      ${hold.sourceId}, ${hold.note}, now, ${hold.endsAt}, now
    from clock
    returning ${columns}`)

/** Lifts a hold; returns 1 when it was active. */
export const endHold = (db: Db, schoolId: string, id: string): Promise<number> =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    update holds set ends_at = (select now from clock)
    where school_id = ${schoolId} and id = ${id} and coalesce(ends_at, 'infinity') > (select now from clock)`)

const isOn = (item: Item | undefined): Statement =>
  item === undefined ? sql`h.item_type is null` : sql`h.item_type = ${item.type} and h.item_id = ${item.id}`

/** The active holds that staff placed on an item or on everything. */
export const listActiveHolds = (
  db: Db,
  schoolId: string,
  memberId: string,
  item: Item | undefined,
): Promise<HoldRow[]> =>
  db.all(sql<HoldRow>`
    select ${columns} from holds h
    where h.school_id = ${schoolId} and h.member_id = ${memberId} and h.reason = 'staff' and ${isOn(item)}
      and coalesce(h.ends_at, 'infinity') > (select stoa.now())
    order by h.starts_at, h.id`)

/** A hold as its member sees it, without the note of the staff. */
export type OwnHold = {
  readonly id: string
  readonly reason: string
  readonly starts_at: Date
  readonly ends_at: Date | null
}

/** Every hold on a member, in the order in which they began. */
export const listOwnHolds = (db: Db, schoolId: string, memberId: string): Promise<OwnHold[]> =>
  db.all(sql<OwnHold>`
    select id, reason, starts_at, ends_at from holds
    where school_id = ${schoolId} and member_id = ${memberId} order by starts_at, id`)
