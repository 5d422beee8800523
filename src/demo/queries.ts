import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

const tables = {
  coupons: sql`coupons`,
  courses: sql`courses`,
  digital_products: sql`digital_products`,
  events: sql`events`,
  membership_plans: sql`membership_plans`,
  orders: sql`orders`,
  payment_providers: sql`payment_providers`,
  posts: sql`posts`,
  subscriptions: sql`subscriptions`,
  ticket_types: sql`ticket_types`,
  webhooks: sql`webhooks`,
}

/** Whether a school has a row in a table. */
export const hasRows = async (db: Db, schoolId: string, table: keyof typeof tables): Promise<boolean> =>
  (await db.first(sql`select school_id from ${tables[table]} where school_id = ${schoolId} limit 1`)) !== undefined

/** The id of the row that has a slug. */
export const findBySlug = async (
  db: Db,
  schoolId: string,
  table: 'courses' | 'digital_products' | 'events' | 'membership_plans' | 'posts',
  slug: string,
): Promise<string | undefined> =>
  (
    await db.first(sql<{ id: string }>`
      select id from ${tables[table]} where school_id = ${schoolId} and slug = ${slug} and deleted_at is null`)
  )?.id

/** The id of the member with an address. The owner of a school without Ada stands for her. */
export const findMemberId = async (db: Db, schoolId: string, email: string): Promise<string | undefined> =>
  (
    await db.first(sql<{ id: string }>`
      select id from members
      where school_id = ${schoolId} and (email_folded = ${email} or (${email} = 'ada@crumb.example' and role = 'owner'))
      order by email_folded = ${email} desc, created_at, id limit 1`)
  )?.id

/** Sets, for the rest of a transaction, how many minutes ago the clock of the demo is. */
export const setDemoMinutes = (db: Db, minutes: number): Promise<number> =>
  db.run(sql`select set_config('stoa.demo_minutes', ${String(minutes)}, true)`)
