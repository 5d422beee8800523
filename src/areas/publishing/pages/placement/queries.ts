import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** The ids of all pages in their order; call it under `lockSite`. */
export const listOrder = async (db: Db, schoolId: string): Promise<string[]> =>
  (
    await db.all(sql<{ id: string }>`
      select p.id from pages p where p.school_id = ${schoolId} order by p.position, p.id`)
  ).map(({ id }) => id)

/** Puts the pages in this order; returns those that moved. */
export const storeOrder = async (db: Db, schoolId: string, ids: readonly string[]): Promise<string[]> =>
  (
    await db.all(sql<{ id: string }>`
      update pages p set position = place - 1, revision = revision + 1, updated_at = (select stoa.now())
      from unnest(${ids}::uuid[]) with ordinality as o (id, place)
      where p.school_id = ${schoolId} and p.id = o.id and p.position <> o.place - 1
      returning p.id`)
  ).map(({ id }) => id)

/** Makes a page the home page, or no page without an id; call it under `lockSite`. */
export const storeHome = async (db: Db, schoolId: string, id: string | undefined): Promise<void> => {
  await db.run(sql`
    update pages set is_home = false, revision = revision + 1, updated_at = (select stoa.now())
    where school_id = ${schoolId} and is_home and id is distinct from ${id}::uuid`)
  if (id === undefined) return
  await db.run(sql`
    update pages set is_home = true, revision = revision + 1, updated_at = (select stoa.now())
    where school_id = ${schoolId} and id = ${id} and not is_home`)
}
