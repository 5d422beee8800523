import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import type { Named, Source } from '../rules.ts'

/** The entitlement that one source gives a member to an item. */
type EntitlementKey = {
  readonly memberId: string
  readonly item: Named
  readonly source: Source
  readonly sourceId: string
}

/** When a source first gave a member an item, whether or not it was taken back; undefined when it never did. */
export const findFirstStart = async (db: Db, schoolId: string, key: EntitlementKey): Promise<Date | undefined> =>
  (
    await db.first(sql<{ starts_at: Date }>`
      select e.starts_at from entitlements e
      where e.school_id = ${schoolId} and e.member_id = ${key.memberId} and e.item_type = ${key.item.type}
        and e.item_id = ${key.item.id} and e.source = ${key.source} and e.source_id = ${key.sourceId}
      order by e.starts_at limit 1`)
  )?.starts_at

/** An entitlement that a line of an order gave. */
type LineEntitlement = { readonly id: string; readonly member_id: string }

/** What a line of an order gave of items of a type and was not taken back. */
export const listEntitlementsOfLine = (db: Db, schoolId: string, lineId: string, type: Named['type']) =>
  db.all(sql<LineEntitlement>`
    select e.id, e.member_id from entitlements e
    where e.school_id = ${schoolId} and e.source = 'order_line' and e.source_id = ${lineId} and e.item_type = ${type}
      and e.revoked_at is null
    order by e.id`)

/** The time zone of a school. */
export const findZone = async (db: Db, schoolId: string): Promise<string> =>
  (await db.one(sql<{ time_zone: string }>`select time_zone from schools where id = ${schoolId}`)).time_zone
