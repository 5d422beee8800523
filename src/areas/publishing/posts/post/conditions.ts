import type { LinkTable } from '#src/db/links.ts'
import type { SlugTables } from '#src/db/slugs.ts'
import { sql } from '#src/db/sql.ts'

/** The slugs of posts. */
export const postSlugs: SlugTables = {
  called: 'post',
  rows: sql`posts`,
  former: sql`post_slugs`,
  owner: sql`post_id`,
  isLive: sql`r.deleted_at is null`,
}

/** The tags of posts. */
export const postTags: LinkTable = {
  links: sql`post_tags`,
  owner: sql`post_id`,
  value: sql`tag`,
  type: sql`text`,
}

/** The categories of posts. */
export const postCategoryLinks: LinkTable = {
  links: sql`post_category_links`,
  owner: sql`post_id`,
  value: sql`category_id`,
  type: sql`uuid`,
}
