import type { Db, Statement } from '#src/contract/db.ts'
import type { List } from '#src/db/list.ts'
import { sql } from '#src/db/sql.ts'
import { type CommentRow, commentColumns } from '../comment/queries.ts'

/** Publishes a comment whose thread is locked, or hides it for a reason. */
export const storeStatus = (db: Db, schoolId: string, id: string, hiddenFor: string | undefined) =>
  db.one(sql<CommentRow>`
    with clock as materialized (select stoa.now() as now)
    update comments c set status = ${hiddenFor === undefined ? 'published' : 'hidden'}, hidden_reason = ${hiddenFor},
      published_at = ${hiddenFor === undefined ? sql`coalesce(c.published_at, (select now from clock))` : sql`c.published_at`},
      revision = revision + 1, updated_at = (select now from clock)
    where c.school_id = ${schoolId} and c.id = ${id}
    returning ${commentColumns(schoolId)}`)

/** A member who may not comment, with their name. */
export type MuteRow = {
  /** The member. */
  readonly id: string
  readonly name: string
  readonly reason: string
  readonly until: Date | null
  readonly created_at: Date
}

const columns = (schoolId: string): Statement => sql`t.member_id as id, t.reason, t.until, t.created_at,
  (select m.name from members m where m.school_id = ${schoolId} and m.id = t.member_id) as name`

/** The members who may not comment now. */
export const muteList = (schoolId: string): List<MuteRow> => ({
  columns: columns(schoolId),
  from: sql`comment_mutes t, clock`,
  where: sql`t.school_id = ${schoolId} and (t.until is null or t.until > clock.now)`,
  id: sql`t.member_id`,
  hasClock: true,
})

/** Stops a member from commenting, or replaces how they are stopped. */
export const putMute = (
  db: Db,
  schoolId: string,
  memberId: string,
  { reason, until }: Pick<MuteRow, 'reason' | 'until'>,
) =>
  db.one(sql<MuteRow>`
    insert into comment_mutes as t (school_id, member_id, reason, until, created_at)
    values (${schoolId}, ${memberId}, ${reason}, ${until}::timestamptz, (select stoa.now()))
    on conflict (school_id, member_id) do update set reason = excluded.reason, until = excluded.until
    returning ${columns(schoolId)}`)

/** How a member is or was stopped from commenting, if they are. */
export const findMute = (db: Db, schoolId: string, memberId: string) =>
  db.first(sql<MuteRow>`
    select ${columns(schoolId)} from comment_mutes t where t.school_id = ${schoolId} and t.member_id = ${memberId}`)

/** Lets a member comment again; returns 0 when nothing stopped them. */
export const deleteMute = (db: Db, schoolId: string, memberId: string) =>
  db.run(sql`delete from comment_mutes where school_id = ${schoolId} and member_id = ${memberId}`)

/** Keeps the mute of a merged member, where the other has none. */
export const moveMute = async (db: Db, schoolId: string, fromId: string, intoId: string): Promise<void> => {
  await db.run(sql`
    insert into comment_mutes (school_id, member_id, reason, until, created_at)
    select school_id, ${intoId}::uuid, reason, until, created_at from comment_mutes
    where school_id = ${schoolId} and member_id = ${fromId}
    on conflict (school_id, member_id) do nothing`)
  await deleteMute(db, schoolId, fromId)
}

/** Deletes the words and the author of all comments of a member; the places stay. */
export const eraseComments = (db: Db, schoolId: string, memberId: string) =>
  db.run(sql`
    update comments set member_id = null, status = 'deleted', hidden_reason = null, body = '', body_html = '', body_hash = null,
      revision = revision + 1, updated_at = (select stoa.now())
    where school_id = ${schoolId} and member_id = ${memberId}`)

/** Moves the comments of one member to another; the other may have written the same at the same place. */
export const moveComments = (db: Db, schoolId: string, fromId: string, intoId: string) =>
  db.run(sql`
    update comments set member_id = ${intoId}, body_hash = null, revision = revision + 1
    where school_id = ${schoolId} and member_id = ${fromId}`)
