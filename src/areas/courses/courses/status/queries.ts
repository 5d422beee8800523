import { sql } from '#src/db/sql.ts'
import { defineStatus } from '#src/db/status.ts'

/** The status of courses (decision 39). */
export const courseStatus = defineStatus({
  table: sql`courses`,
  fact: 'course',
  prefix: 'crs',
  id: 'Course',
  planned: { job: 'course_publication', status: 'scheduled' },
  isArchivable: true,
  sets: sql`archived_at = case when next.status = 'archived' then clock.now end`,
})
