import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** Hides a page, whose paths are free; call it under `lockSite`. */
export const hidePage = async (db: Db, schoolId: string, id: string): Promise<void> => {
  await db.run(sql`delete from page_paths where school_id = ${schoolId} and page_id = ${id}`)
  await db.run(sql`
    with clock as materialized (select stoa.now() as now)
    update all_pages set deleted_at = clock.now, revision = revision + 1, updated_at = clock.now from clock
    where school_id = ${schoolId} and id = ${id} and deleted_at is null`)
}

/** The path of a deleted page that was taken out of the bin. */
export const getDeletedPath = async (db: Db, schoolId: string, id: string): Promise<string> =>
  (
    await db.one(sql<{ path: string }>`
      select path from all_pages where school_id = ${schoolId} and id = ${id} and deleted_at is not null`)
  ).path

/** Shows a deleted page again, at a path, and as the home page unless there is another one; call it under `lockSite`. */
export const showPage = (db: Db, schoolId: string, id: string, path: string) =>
  db.run(sql`
    update all_pages set deleted_at = null, path = ${path}, revision = revision + 1, updated_at = (select stoa.now()),
      is_home = is_home and not exists (select from pages h where h.school_id = ${schoolId} and h.is_home)
    where school_id = ${schoolId} and id = ${id}`)

/** Deleted pages that are not in the bin any more, at most so many. */
export const listEndedPages = async (db: Db, schoolId: string, most: number): Promise<string[]> =>
  (
    await db.all(sql<{ id: string }>`
      select id from all_pages where school_id = ${schoolId} and not is_kept limit ${most}`)
  ).map(({ id }) => id)

/** Deletes a page that is not in the bin any more, with its versions. */
export const deletePageRow = async (db: Db, schoolId: string, id: string): Promise<void> => {
  await db.run(sql`delete from page_versions where school_id = ${schoolId} and page_id = ${id}`)
  await db.run(sql`delete from all_pages where school_id = ${schoolId} and id = ${id} and deleted_at is not null`)
}
