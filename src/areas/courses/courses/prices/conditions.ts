import { isKept, type PriceTable } from '#src/areas/school/index.ts'
import { sql } from '#src/db/sql.ts'

/** The prices of courses. */
export const coursePrices: PriceTable = {
  prices: sql`course_prices`,
  item: sql`course_id`,
  items: sql`courses`,
  kept: { items: sql`all_courses`, condition: isKept },
}
