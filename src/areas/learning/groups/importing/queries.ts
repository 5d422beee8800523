import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import { fold } from '#src/kit/text.ts'

/** The groups with one of some names, in any case and with any accents, by the folded name; nobody changes them meanwhile. */
export const keepGroupsNamed = async (
  db: Db,
  schoolId: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, { readonly id: string; readonly name: string }>> => {
  const rows = await db.all(sql<{ id: string; name: string; name_folded: string }>`
    select id, name, name_folded from groups
    where school_id = ${schoolId} and deleted_at is null and name_folded = any (${names.map(fold)}::text[])
    order by id for share`)
  return new Map(rows.map(row => [row.name_folded, row]))
}

/** A new group without a description. */
export type ImportedGroup = { readonly id: string; readonly name: string }

/** Stores new groups in one statement; the names of the school are locked. */
export const insertGroups = (db: Db, schoolId: string, groups: readonly ImportedGroup[]) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    insert into groups (school_id, id, name, name_folded, description, external_id, created_at, updated_at)
    select ${schoolId}::uuid, r.id, r.name, r.folded, '', null, now, now
    from jsonb_to_recordset(${JSON.stringify(groups.map(one => ({ ...one, folded: fold(one.name) })))}::jsonb)
      as r (id uuid, name text, folded text), clock`)

/** Deletes those of some groups that nobody changed, that are empty and open nothing; returns their ids. */
export const deleteEmptyGroups = async (db: Db, schoolId: string, ids: readonly string[]): Promise<string[]> => {
  const rows = await db.all(sql<{ id: string }>`
    with clock as materialized (select stoa.now() as now)
    update groups g set deleted_at = (select now from clock), revision = g.revision + 1, updated_at = (select now from clock)
    where g.school_id = ${schoolId} and g.id = any (${ids}::uuid[]) and g.revision = 1 and g.deleted_at is null
      and not exists (select from group_members m where m.school_id = ${schoolId} and m.group_id = g.id)
      and not exists (select from bundle_items b where b.school_id = ${schoolId} and b.bundle_type = 'group'
        and b.bundle_id = g.id and b.closed_at is null)
    returning g.id`)
  return rows.map(({ id }) => id)
}
