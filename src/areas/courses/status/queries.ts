import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import { type CourseRow, columnsFor, type Viewer } from '../course/queries.ts'

/** The kind of job that publishes a scheduled course. */
export const PUBLICATION_JOB = 'course_publication'

/** Stores the status of a course; `publishAt` is the instant at which a scheduled course is published. */
export const updateStatus = (
  db: Db,
  schoolId: string,
  viewer: Viewer,
  id: string,
  { status, publishAt }: { readonly status: CourseRow['status']; readonly publishAt: Date | undefined },
): Promise<CourseRow> =>
  db.one(sql<CourseRow>`
    with clock as materialized (select stoa.now() as now)
    update courses c set status = ${status}, publish_at = ${publishAt}::timestamptz,
      published_at = case when ${status} = 'published' then (select now from clock) else published_at end,
      archived_at = case when ${status} = 'archived' then (select now from clock) end,
      revision = revision + 1, updated_at = (select now from clock)
    where c.school_id = ${schoolId} and c.id = ${id}
    returning ${columnsFor(schoolId, viewer)}`)

/** Publishes a course that is due; returns its revision and the instant, or undefined when it is no longer scheduled. */
export const publishDue = (
  db: Db,
  schoolId: string,
  id: string,
): Promise<{ revision: number; updated_at: Date } | undefined> =>
  db.first(sql<{ revision: number; updated_at: Date }>`
    with clock as materialized (select stoa.now() as now)
    update courses set status = 'published', publish_at = null, published_at = (select now from clock),
      revision = revision + 1,
      updated_at = (select now from clock)
    where school_id = ${schoolId} and id = ${id} and status = 'scheduled' and publish_at <= (select now from clock)
      and deleted_at is null
    returning revision, updated_at`)
