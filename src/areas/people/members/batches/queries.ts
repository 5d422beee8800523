import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import { fold, foldEmail } from '#src/kit/text.ts'
import { foldedFor, type LockedMember, lockedColumns, type MemberValues } from '../member/queries.ts'

/**
 * The members with one of these external ids, addresses or ids, deleted ones too, locked until the transaction ends.
 */
export const lockMatchingMembers = (
  db: Db,
  schoolId: string,
  externalIds: readonly string[],
  emails: readonly string[],
  ids: readonly string[] = [],
) =>
  db.all(sql<LockedMember>`
    select ${lockedColumns(schoolId)} from members m
    where m.school_id = ${schoolId} and m.id in (
      select x.id from members x where x.school_id = ${schoolId} and x.external_id = any (${externalIds}::text[])
      union
      select y.id from members y where y.school_id = ${schoolId} and y.email_folded = any (${emails}::text[])
      union
      select unnest(${ids}::uuid[]))
    order by m.id for no key update of m`)

/** A member of a batch with the id it has or will have. */
export type BatchMember = { readonly id: string; readonly values: MemberValues; readonly tags: readonly string[] }

const serializeRecords = (members: readonly BatchMember[]): string =>
  JSON.stringify(
    members.map(({ id, values }) => ({
      ...values,
      id,
      email_folded: foldEmail(values.email),
      name_folded: fold(values.name),
    })),
  )

const shape = sql`(id uuid, email text, email_folded text, email_verified boolean, name text, name_folded text, phone text,
  locale text, time_zone text, external_id text, joined_at timestamptz, custom_fields jsonb, marketing_granted boolean, marketing_source text,
  marketing_by_person boolean)`

/** Stores new members in one statement; returns the ids of those whose address and external id were still free. */
export const insertMany = async (db: Db, schoolId: string, members: readonly BatchMember[]): Promise<Set<string>> => {
  const rows = await db.all(sql<{ id: string }>`
    with clock as materialized (select stoa.now() as now)
    insert into members (school_id, id, email, email_folded, email_verified, name, name_folded, phone, locale, time_zone,
      external_id, joined_at, custom_fields, marketing_granted, marketing_at, marketing_source, role, status, invited_at,
      created_at, updated_at)
    select ${schoolId}::uuid, r.id, r.email, r.email_folded, false, r.name, r.name_folded, r.phone, r.locale, r.time_zone,
      r.external_id, r.joined_at, r.custom_fields, r.marketing_granted, case when r.marketing_source is not null then now end,
      r.marketing_source, 'member', 'invited', now, now, now
    from jsonb_to_recordset(${serializeRecords(members)}::jsonb) as r ${shape}, clock
    on conflict do nothing
    returning id`)
  return new Set(rows.map(({ id }) => id))
}

/** Stores changed members in one statement, each as its next revision. */
export const storeMany = (db: Db, schoolId: string, members: readonly BatchMember[]) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    update members m set email = r.email, email_folded = ${foldedFor(schoolId, { id: sql`r.id`, email: sql`r.email`, folded: sql`r.email_folded` })},
      email_verified = r.email_verified, name = r.name,
      name_folded = r.name_folded, phone = r.phone, locale = r.locale, time_zone = r.time_zone, external_id = r.external_id,
      joined_at = r.joined_at, custom_fields = r.custom_fields,
      marketing_at = case when m.marketing_granted = r.marketing_granted
        and m.marketing_source is not distinct from r.marketing_source then m.marketing_at else (select now from clock) end,
      marketing_granted = r.marketing_granted, marketing_source = r.marketing_source,
      marketing_by_person = r.marketing_by_person,
      revision = m.revision + 1, updated_at = (select now from clock)
    from jsonb_to_recordset(${serializeRecords(members)}::jsonb) as r ${shape}
    where m.school_id = ${schoolId} and m.id = r.id`)

/** Adds the tags of members of a batch in one statement. */
export const insertManyTags = (db: Db, schoolId: string, members: readonly BatchMember[]): Promise<number> => {
  const pairs = members.flatMap(({ id, tags }) => tags.map(tag => ({ id, tag })))
  return db.run(sql`
    insert into member_tags (school_id, member_id, tag, added_at)
    select ${schoolId}::uuid, r.id, r.tag, (select stoa.now())
    from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as r (id uuid, tag text)
    on conflict (school_id, member_id, tag) do nothing`)
}
