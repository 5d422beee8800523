import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import type { SaleCounts } from './schema.ts'

/** How much a school has sold. */
export const countSales = (db: Db, schoolId: string) =>
  db.one(sql<SaleCounts>`
    select orders, payments, refunds, disputes, invoices, subscriptions, redemptions, registrations, entitlements
    from stoa.count_test_sales(${schoolId})`)

/** Whether a school is a test school now, and whether its sales are being deleted. */
export const readClearing = (db: Db, schoolId: string) =>
  db.one(sql<{ readonly is_test: boolean; readonly is_clearing: boolean }>`
    select is_test, exists (select from test_clearings where school_id = ${schoolId}) as is_clearing
    from schools where id = ${schoolId}`)

/** Closes selling until all that a school sold is deleted. */
export const startClearing = (db: Db, schoolId: string) =>
  db.run(sql`insert into test_clearings (school_id, asked_at) values (${schoolId}, (select stoa.now()))`)

/** Deletes at most so many orders and subscriptions, and says how many; 0: nothing is left. Null: not yet. */
export const clearSales = async (db: Db, schoolId: string, most: number): Promise<number | null> =>
  (await db.one(sql<{ count: number | null }>`select stoa.clear_test_sales(${schoolId}, ${most}) as count`)).count

/** Opens selling again. */
export const endClearing = (db: Db, schoolId: string) =>
  db.run(sql`delete from test_clearings where school_id = ${schoolId}`)
