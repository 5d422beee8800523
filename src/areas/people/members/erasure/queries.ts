import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import { fold, foldEmail } from '#src/kit/text.ts'

/** The name shown for an erased person. */
const ERASED_NAME = 'Erased member'

/** A member to blank, and the address that they have from then on. */
type Blanked = { readonly id: string; readonly address: string }

/** Removes everything personal from the rows of members; the rows stay, since accounting records refer to them. */
export const blankMembers = (db: Db, schoolId: string, members: readonly Blanked[]) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    update members m set email = r.address, email_folded = r.folded, email_verified = false,
      name = ${ERASED_NAME}, name_folded = ${fold(ERASED_NAME)}, phone = null, locale = null, time_zone = null,
      external_id = null, joined_at = null, custom_fields = '{}', marketing_granted = false, marketing_at = null,
      marketing_source = null, marketing_by_person = false, last_seen_at = null, suspended_at = null, suspended_for = null,
      status = 'deleted', role = 'member', deleted_at = coalesce(m.deleted_at, (select now from clock)),
      erased_at = (select now from clock), revision = m.revision + 1, updated_at = (select now from clock)
    from jsonb_to_recordset(${JSON.stringify(members.map(({ id, address }) => ({ id, address, folded: foldEmail(address) })))}::jsonb)
      as r (id uuid, address text, folded text)
    where m.school_id = ${schoolId} and m.id = r.id`)

/** Erases the data of members in this area. */
export const eraseMemberData = async (db: Db, schoolId: string, ids: readonly string[]): Promise<void> => {
  await Promise.all([
    db.run(sql`delete from member_notes where school_id = ${schoolId} and member_id = any (${ids}::uuid[])`),
    db.run(sql`delete from member_tags where school_id = ${schoolId} and member_id = any (${ids}::uuid[])`),
  ])
}

/** Whether a member was erased already. */
export const isErased = async (db: Db, schoolId: string, id: string): Promise<boolean> =>
  (
    await db.one(
      sql<{ erased: boolean }>`
        select erased_at is not null as erased from members where school_id = ${schoolId} and id = ${id}`,
    )
  ).erased

/** Moves the notes and tags of one member to another, and turns off the mails that the one had turned off. */
export const moveMember = async (db: Db, schoolId: string, fromId: string, intoId: string): Promise<void> => {
  await Promise.all([
    db.run(sql`update member_notes set member_id = ${intoId} where school_id = ${schoolId} and member_id = ${fromId}`),
    db.run(sql`
      insert into member_tags (school_id, member_id, tag, added_at)
      select school_id, ${intoId}, tag, added_at from member_tags where school_id = ${schoolId} and member_id = ${fromId}
      on conflict do nothing`),
    db.run(sql`
      update members i set muted_mails = array(
        select distinct key from members f, unnest(i.muted_mails || f.muted_mails) as key
        where f.school_id = ${schoolId} and f.id = ${fromId} order by key)
      where i.school_id = ${schoolId} and i.id = ${intoId}`),
  ])
}
