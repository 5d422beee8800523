import { entitledTo } from '#src/areas/learning/index.ts'
import type { Db, Statement } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'

/** To whom a post is mailed. */
export type Audience = {
  readonly audience: 'all' | 'plans' | 'tags'
  readonly plan_ids: readonly string[]
  readonly tags: readonly string[]
}

/** The mailing of a post, and how far it got. */
export type MailingRow = Audience & {
  readonly post_id: string
  readonly due_at: Date
  readonly after_id: string | null
}

const columns = sql`post_id, audience, plan_ids, tags, due_at, after_id`

/** The mailing of a post. */
export const findMailing = (db: Db, schoolId: string, postId: string) =>
  db.first(sql<MailingRow>`
    select ${columns} from post_mailings where school_id = ${schoolId} and post_id = ${postId}`)

/** Stores the mailing of a locked post. */
export const insertMailing = (
  db: Db,
  schoolId: string,
  postId: string,
  { audience, plan_ids: planIds, tags, dueAt }: Audience & { readonly dueAt: Date },
) =>
  db.one(sql<MailingRow>`
    insert into post_mailings (school_id, post_id, audience, plan_ids, tags, due_at, created_at)
    values (${schoolId}, ${postId}, ${audience}, ${planIds}, ${tags}, ${dueAt}, (select stoa.now()))
    returning ${columns}`)

// Marketing goes to active members who agreed to it, alone.
const receives = (schoolId: string, { audience, plan_ids: planIds, tags }: Audience): Statement =>
  joinConditions(
    sql`m.school_id = ${schoolId} and m.status = 'active' and m.marketing_granted`,
    audience === 'plans' ? entitledTo(schoolId, sql`m.id`, { type: 'membership_plan', ids: planIds }) : undefined,
    audience === 'tags'
      ? sql`m.id in (
          select t.member_id from member_tags t where t.school_id = ${schoolId} and t.tag = any (${tags}::text[]))`
      : undefined,
  )

/** How many members of an audience would get a mail now. */
export const countRecipients = async (db: Db, schoolId: string, audience: Audience): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
      with clock as materialized (select stoa.now() as now)
      select count(*)::integer as count from members m where ${receives(schoolId, audience)}`)
  ).count

/** The next members of an audience, in the order of their ids. */
export const listRecipients = async (
  db: Db,
  schoolId: string,
  audience: Audience,
  { after, most }: { readonly after: string | null; readonly most: number },
): Promise<string[]> =>
  (
    await db.all(sql<{ id: string }>`
      with clock as materialized (select stoa.now() as now)
      select m.id from members m
      where ${joinConditions(
        receives(schoolId, audience),
        when(after ?? undefined, id => sql`m.id > ${id}`),
      )}
      order by m.id limit ${most}`)
  ).map(({ id }) => id)

/** Records how far a mailing got. */
export const moveMailing = (
  db: Db,
  schoolId: string,
  postId: string,
  { after, recorded, isLast }: { readonly after: string | null; readonly recorded: number; readonly isLast: boolean },
) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    update post_mailings set after_id = coalesce(${after}::uuid, after_id), recorded_count = recorded_count + ${recorded},
      started_at = coalesce(started_at, (select now from clock)),
      ended_at = case when ${isLast}::boolean then (select now from clock) end
    where school_id = ${schoolId} and post_id = ${postId}`)

/** Deletes a mailing that did not begin; returns 0 when it did. */
export const dropMailing = (db: Db, schoolId: string, postId: string) =>
  db.run(sql`
    delete from post_mailings where school_id = ${schoolId} and post_id = ${postId} and started_at is null`)
