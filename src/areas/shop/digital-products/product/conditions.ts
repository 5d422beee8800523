import { isKept, type PriceTable } from '#src/areas/school/index.ts'
import type { Statement } from '#src/contract/db.ts'
import type { LinkTable } from '#src/db/links.ts'
import type { SlugTables } from '#src/db/slugs.ts'
import { sql } from '#src/db/sql.ts'

/** The slugs of products. */
export const productSlugs: SlugTables = {
  called: 'product',
  rows: sql`digital_products`,
  former: sql`product_slugs`,
  owner: sql`product_id`,
  isLive: sql`r.deleted_at is null`,
}

/** The tags of products. */
export const productTags: LinkTable = {
  links: sql`product_tags`,
  owner: sql`product_id`,
  value: sql`tag`,
  type: sql`text`,
}

/** The categories of products. */
export const productCategories: LinkTable = {
  links: sql`product_categories`,
  owner: sql`product_id`,
  value: sql`category_id`,
  type: sql`uuid`,
}

/** The prices of products. */
export const productPrices: PriceTable = {
  prices: sql`product_prices`,
  item: sql`product_id`,
  items: sql`digital_products`,
  kept: { items: sql`all_products`, condition: isKept },
}

/** The condition that holders can download the files of the product `d`: it is published or archived. */
export const isDelivered: Statement = sql`(d.status in ('published', 'archived') and d.deleted_at is null)`
