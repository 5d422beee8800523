import type { LinkTable } from '#src/db/links.ts'
import type { SlugTables } from '#src/db/slugs.ts'
import { sql } from '#src/db/sql.ts'

/** The slugs of events. */
export const eventSlugs: SlugTables = {
  called: 'event',
  rows: sql`events`,
  former: sql`event_slugs`,
  owner: sql`event_id`,
  isLive: sql`r.deleted_at is null`,
}

/** The hosts of events. */
export const eventLecturers: LinkTable = {
  links: sql`event_lecturers`,
  owner: sql`event_id`,
  value: sql`lecturer_id`,
  type: sql`uuid`,
}
