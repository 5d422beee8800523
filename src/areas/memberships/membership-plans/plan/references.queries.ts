import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** A file that a plan shows. */
type FileReference = {
  readonly file_id: string
  readonly plan_id: string
  readonly name: string
  readonly is_public: boolean
}

/** The plans that refer to some files as their images. */
export const listImages = (db: Db, schoolId: string, fileIds: readonly string[]) =>
  db.all(sql<FileReference>`
    select m.image_file_id as file_id, m.id as plan_id, m.name, m.status = 'active' as is_public
    from membership_plans m
    where m.school_id = ${schoolId} and m.image_file_id = any (${fileIds}::uuid[]) and m.deleted_at is null`)

/** Whether anybody holds, held or will hold a plan. */
export const wasEverHeld = async (db: Db, schoolId: string, id: string): Promise<boolean> =>
  (await db.first(sql`
    select from entitlements e
    where e.school_id = ${schoolId} and e.item_type = 'membership_plan' and e.item_id = ${id} limit 1`)) !== undefined

/** Whether a price of a plan is on sale that a plan of another kind has: a subscription, or anything else. */
export const hasOtherPrices = async (db: Db, schoolId: string, id: string, isRecurring: boolean): Promise<boolean> =>
  (await db.first(sql`
    select from plan_prices p
    where p.school_id = ${schoolId} and p.plan_id = ${id} and p.status = 'active'
      and (p.payment_type = 'subscription') <> ${isRecurring}::boolean limit 1`)) !== undefined

/** The day in the zone of a school. */
export const findToday = async (db: Db, schoolId: string): Promise<string> =>
  (
    await db.one(sql<{ today: string }>`
      select ((select stoa.now()) at time zone s.time_zone)::date as today from schools s where s.id = ${schoolId}`)
  ).today
