import type { CallingMember } from '#src/contract/caller.ts'
import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import type { CommentRow } from '../comment/queries.ts'

/** The kind of job that mails lecturers what waits for an answer. */
export const DIGEST_JOB = 'comment_digest'

/**
 * Plans the digest of a school in so many seconds, unless it is planned. The update waits for a run that is ending, which
 * may not have seen the comment.
 */
export const planDigest = (db: Db, schoolId: string, seconds: number) =>
  db.run(sql`
    insert into jobs as j (school_id, kind, id, due_at)
    values (${schoolId}, ${DIGEST_JOB}, ${schoolId}, (select stoa.now()) + make_interval(secs => ${seconds}))
    on conflict (school_id, kind, id) do update set due_at = j.due_at`)

/** A comment of which the lecturers were not told. */
export type UndigestedRow = Pick<CommentRow, 'id' | 'subject_type' | 'subject_id'> & { readonly is_answered: boolean }

/** The oldest published roots by members and students of which the lecturers were not told. */
export const listUndigested = (db: Db, schoolId: string, rows: number) =>
  db.all(sql<UndigestedRow>`
    select c.id, c.subject_type, c.subject_id, exists (
      select from comments a where a.school_id = ${schoolId} and a.root_id = c.id and a.status = 'published'
        and a.author_role in ('staff', 'lecturer')) as is_answered
    from comments c
    where c.school_id = ${schoolId} and c.digested_at is null and c.depth = 1 and c.status = 'published'
      and c.author_role in ('student', 'member')
    order by c.id limit ${rows}`)

/** Notes that the lecturers were told of some comments. */
export const storeDigested = (db: Db, schoolId: string, ids: readonly string[]) =>
  db.run(sql`
    update comments set digested_at = (select stoa.now()) where school_id = ${schoolId} and id = any (${ids}::uuid[])`)

/** A member who can sign in, with their role; undefined for others. */
export const findActive = (db: Db, schoolId: string, id: string) =>
  db.first(sql<CallingMember>`
    select m.id, m.role from members m where m.school_id = ${schoolId} and m.id = ${id} and m.status = 'active'`)

/** The owners and admins who can sign in. */
export const listStaff = async (db: Db, schoolId: string): Promise<string[]> => {
  const rows = await db.all(sql<{ id: string }>`
    select m.id from members m
    where m.school_id = ${schoolId} and m.role in ('admin', 'owner') and m.status = 'active' order by m.id`)
  return rows.map(({ id }) => id)
}
