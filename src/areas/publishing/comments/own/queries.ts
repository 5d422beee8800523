import type { Db } from '#src/contract/db.ts'
import type { Subject } from '#src/contract/subject.ts'
import { sql } from '#src/db/sql.ts'
import type { Body } from '#src/kit/body/render.ts'
import { type CommentRow, commentColumns } from '../comment/queries.ts'

/** A comment to be stored. */
export type NewCommentValues = Pick<Body, 'body' | 'body_html' | 'body_allowed'> & {
  readonly id: string
  readonly subject: Subject
  /** The comment that it replies to; undefined for a root. */
  readonly parent: Pick<CommentRow, 'id' | 'root_id' | 'depth'> | undefined
  readonly memberId: string
  readonly role: CommentRow['author_role']
  readonly hash: Buffer
  readonly status: 'published' | 'pending'
}

/** Stores a new comment; returns 0 when the member has written the same at the same place. */
export const insertComment = (db: Db, schoolId: string, comment: NewCommentValues) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    insert into comments (school_id, id, subject_type, subject_id, root_id, parent_id, depth, member_id, author_role, body,
      body_html, body_allowed, body_hash, status, published_at, created_at, updated_at)
    select ${schoolId}, ${comment.id}::uuid, ${comment.subject.type}, ${comment.subject.id}::uuid,
      ${comment.parent?.root_id ?? comment.id}::uuid, ${comment.parent?.id}::uuid, ${(comment.parent?.depth ?? 0) + 1}::smallint,
      ${comment.memberId}::uuid, ${comment.role}, ${comment.body}, ${comment.body_html}, ${comment.body_allowed}::integer,
      ${comment.hash}::bytea, ${comment.status}, case when ${comment.status} = 'published' then now end, now, now
    from clock
    on conflict (school_id, member_id, (coalesce(parent_id, subject_id)), body_hash)
      where status in ('published', 'pending') do nothing`)

/** Counts a new comment in the thread of a root; returns 0 when the thread is full. */
export const growThread = (db: Db, schoolId: string, rootId: string, most: number) =>
  db.run(sql`
    update comments set thread_size = thread_size + 1
    where school_id = ${schoolId} and id = ${rootId} and thread_size < ${most}`)

/** How many comments of a member were ever published, counted up to a number. */
export const countPublishedBy = async (db: Db, schoolId: string, memberId: string, most: number): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
      select count(*)::integer as count from (
        select from comments where school_id = ${schoolId} and member_id = ${memberId} and published_at is not null
        limit ${most}) as published`)
  ).count

/** Whether a member may not comment now. */
export const isMuted = async (db: Db, schoolId: string, memberId: string): Promise<boolean> =>
  (await db.first(sql`
    with clock as materialized (select stoa.now() as now)
    select from comment_mutes
    where school_id = ${schoolId} and member_id = ${memberId} and (until is null or until > (select now from clock))`)) !==
  undefined

/** Whether anybody replied to a comment, whatever became of the reply. */
export const hasReplies = async (db: Db, schoolId: string, id: string): Promise<boolean> =>
  (await db.first(sql`select from comments where school_id = ${schoolId} and parent_id = ${id} limit 1`)) !== undefined

/** Stores the edited text of a comment. */
export const storeText = (
  db: Db,
  schoolId: string,
  id: string,
  text: Pick<NewCommentValues, 'body' | 'body_html' | 'body_allowed' | 'hash'>,
) =>
  db.one(sql<CommentRow>`
    with clock as materialized (select stoa.now() as now)
    update comments c set body = ${text.body}, body_html = ${text.body_html}, body_allowed = ${text.body_allowed}::integer,
      body_hash = ${text.hash}::bytea, edited_at = (select now from clock), revision = revision + 1,
      updated_at = (select now from clock)
    where c.school_id = ${schoolId} and c.id = ${id}
    returning ${commentColumns(schoolId)}`)

/** Deletes the words of a comment; its place stays. */
export const storeDeletion = (db: Db, schoolId: string, id: string) =>
  db.one(sql<CommentRow>`
    update comments c set status = 'deleted', hidden_reason = null, body = '', body_html = '', body_hash = null,
      revision = revision + 1, updated_at = (select stoa.now())
    where c.school_id = ${schoolId} and c.id = ${id}
    returning ${commentColumns(schoolId)}`)
