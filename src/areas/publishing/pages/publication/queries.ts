import { sql } from '#src/db/sql.ts'
import { defineStatus } from '#src/db/status.ts'

/** The status of pages; a published page shows the version that was the newest when it was published last. */
export const pageStatus = defineStatus({
  table: sql`pages`,
  fact: 'page',
  prefix: 'pag',
  id: 'Page',
  planned: { job: 'page_publication', status: 'scheduled' },
  named: 'version',
  sets: sql`published_version = case when next.status = 'published' then r.version end`,
})
