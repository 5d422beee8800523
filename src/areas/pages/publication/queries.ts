import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** Publishes the newest version of a locked page. */
export const storePublished = (db: Db, schoolId: string, id: string): Promise<number> =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    update pages set status = 'published', publish_at = null, published_version = version,
      published_at = coalesce(case when status = 'published' then published_at end, (select now from clock)),
      revision = revision + 1, updated_at = (select now from clock)
    where school_id = ${schoolId} and id = ${id}`)

/** Plans the publication of a locked page for an instant. */
export const storeScheduled = (db: Db, schoolId: string, id: string, at: Date): Promise<number> =>
  db.run(sql`
    update pages set status = 'scheduled', publish_at = ${at}, revision = revision + 1, updated_at = (select stoa.now())
    where school_id = ${schoolId} and id = ${id}`)

/** Makes a locked page a draft again. */
export const storeDraft = (db: Db, schoolId: string, id: string): Promise<number> =>
  db.run(sql`
    update pages set status = 'draft', publish_at = null, published_version = null, revision = revision + 1,
      updated_at = (select stoa.now())
    where school_id = ${schoolId} and id = ${id}`)

/** Publishes a page that is due; undefined when that is no longer planned. */
export const publishDue = (
  db: Db,
  schoolId: string,
  id: string,
): Promise<{ revision: number; version: number; updated_at: Date } | undefined> =>
  db.first(sql<{ revision: number; version: number; updated_at: Date }>`
    with clock as materialized (select stoa.now() as now)
    update pages set status = 'published', publish_at = null, published_version = version, published_at = (select now from clock),
      revision = revision + 1, updated_at = (select now from clock)
    where school_id = ${schoolId} and id = ${id} and status = 'scheduled' and publish_at <= (select now from clock)
    returning revision, version, updated_at`)
