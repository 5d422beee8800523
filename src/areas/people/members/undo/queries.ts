import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import { type LockedMember, lockedColumns } from '../member/queries.ts'

/** A member whose import is undone, and whether they were erased. */
export type UndoneMember = LockedMember & { readonly is_erased: boolean }

/** Some members, locked until the transaction ends. */
export const lockMembers = (db: Db, schoolId: string, ids: readonly string[]) =>
  db.all(sql<UndoneMember>`
    select ${lockedColumns(schoolId)}, m.erased_at is not null as is_erased from members m
    where m.school_id = ${schoolId} and m.id = any (${ids}::uuid[]) order by m.id for no key update of m`)

/** Those of some members to whom something refers that an import does not leave behind; notes besides these count. */
export const listReferred = async (
  db: Db,
  schoolId: string,
  ids: readonly string[],
  noteIds: readonly string[],
): Promise<ReadonlySet<string>> => {
  const rows = await db.all(sql<{ id: string }>`
    select id from stoa.referred_members(${schoolId}, ${ids}::uuid[]) as id
    union
    select n.member_id from member_notes n
    where n.school_id = ${schoolId} and n.member_id = any (${ids}::uuid[])
      and (n.id <> all (${noteIds}::uuid[]) or n.revision > 1)`)
  return new Set(rows.map(({ id }) => id))
}

/** Deletes members again who came back by an import. */
export const deleteAgain = (db: Db, schoolId: string, ids: readonly string[]) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    update members m set status = 'deleted', deleted_at = (select now from clock), revision = m.revision + 1,
      updated_at = (select now from clock)
    where m.school_id = ${schoolId} and m.id = any (${ids}::uuid[]) and m.status = 'invited'`)

/** Takes tags from members in one statement. */
export const deleteTags = (db: Db, schoolId: string, pairs: readonly { readonly id: string; readonly tag: string }[]) =>
  db.run(sql`
    delete from member_tags t using jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as r (id uuid, tag text)
    where t.school_id = ${schoolId} and t.member_id = r.id and t.tag = r.tag`)

/** Deletes notes that nobody changed since they were added. */
export const deleteUnchangedNotes = (db: Db, schoolId: string, ids: readonly string[]) =>
  db.run(sql`
    delete from member_notes where school_id = ${schoolId} and id = any (${ids}::uuid[]) and revision = 1`)
