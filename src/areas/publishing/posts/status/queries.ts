import { sql } from '#src/db/sql.ts'
import { defineStatus } from '#src/db/status.ts'

/** The status of posts, which has the moves of courses (decision 39). */
export const postStatus = defineStatus({
  table: sql`posts`,
  fact: 'post',
  prefix: 'pst',
  id: 'Post',
  planned: { job: 'post_publication', status: 'scheduled' },
  isArchivable: true,
  sets: sql`
    listed_at = case when next.status = 'published' then date_trunc('milliseconds', clock.now) else r.listed_at end,
    archived_at = case when next.status = 'archived' then clock.now end`,
})
