import type { PriceTable } from '#src/areas/school/index.ts'
import type { SlugTables } from '#src/db/slugs.ts'
import { sql } from '#src/db/sql.ts'

/** The slugs of plans. */
export const planSlugs: SlugTables = {
  called: 'plan',
  rows: sql`membership_plans`,
  former: sql`plan_slugs`,
  owner: sql`plan_id`,
  isLive: sql`r.deleted_at is null`,
}

/** The prices of plans. */
export const planPrices: PriceTable = {
  prices: sql`plan_prices`,
  item: sql`plan_id`,
  items: sql`membership_plans`,
}
