import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import type { PostLine } from '../post/queries.ts'

/** The kind of job that publishes a scheduled post. */
export const PUBLICATION_JOB = 'post_publication'

/** Stores the status of a locked post; `publishAt` is the instant at which a scheduled post is published. */
export const updateStatus = (
  db: Db,
  schoolId: string,
  id: string,
  { status, publishAt }: { readonly status: PostLine['status']; readonly publishAt: Date | undefined },
): Promise<number> =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    update posts set status = ${status}, publish_at = ${publishAt ?? null}::timestamptz,
      published_at = case when ${status} = 'published' then (select now from clock) else published_at end,
      listed_at = case when ${status} = 'published' then date_trunc('milliseconds', (select now from clock)) else listed_at end,
      archived_at = case when ${status} = 'archived' then (select now from clock) end,
      revision = revision + 1, updated_at = (select now from clock)
    where school_id = ${schoolId} and id = ${id}`)

/** Publishes a post that is due; returns its revision and the instant, or undefined when it is no longer scheduled. */
export const publishDue = (
  db: Db,
  schoolId: string,
  id: string,
): Promise<{ revision: number; updated_at: Date } | undefined> =>
  db.first(sql<{ revision: number; updated_at: Date }>`
    with clock as materialized (select stoa.now() as now)
    update posts set status = 'published', publish_at = null, published_at = (select now from clock),
      listed_at = date_trunc('milliseconds', (select now from clock)), revision = revision + 1,
      updated_at = (select now from clock)
    where school_id = ${schoolId} and id = ${id} and status = 'scheduled' and publish_at <= (select now from clock)
      and deleted_at is null
    returning revision, updated_at`)
