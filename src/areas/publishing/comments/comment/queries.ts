import type { Db, Recorded, Statement } from '#src/contract/db.ts'
import type { Subject, SubjectSet, SubjectType } from '#src/contract/subject.ts'
import { createdBefore, createdFrom } from '#src/db/created.ts'
import type { List } from '#src/db/list.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'
import type { authorRoles, commentStatuses } from './schema.ts'

/** A stored comment, with the name and the picture of its author, who is null once erased. */
export type CommentRow = Recorded & {
  readonly id: string
  readonly subject_type: SubjectType
  readonly subject_id: string
  readonly root_id: string
  readonly parent_id: string | null
  readonly depth: number
  readonly member_id: string | null
  readonly member_name: string | null
  readonly avatar_file_id: string | null
  readonly author_role: (typeof authorRoles)[number]
  readonly body: string
  readonly body_html: string
  readonly body_allowed: number
  readonly status: (typeof commentStatuses)[number]
  readonly hidden_reason: string | null
  readonly published_at: Date | null
  readonly edited_at: Date | null
  readonly reply_count: number
  readonly below_count: number
  readonly open_reports: number
  readonly changed_in: string
}

/** The columns of a comment `c` of a school. */
export const commentColumns = (
  schoolId: string,
): Statement => sql`c.id, c.subject_type, c.subject_id, c.root_id, c.parent_id, c.depth, c.member_id, c.author_role, c.body,
  c.body_html, c.body_allowed, c.status, c.hidden_reason, c.published_at, c.edited_at, c.reply_count, c.below_count,
  c.open_reports, c.revision, c.changed_in, c.created_at, c.updated_at,
  (select m.name from members m where m.school_id = ${schoolId} and m.id = c.member_id) as member_name,
  (select m.avatar_file_id from members m where m.school_id = ${schoolId} and m.id = c.member_id) as avatar_file_id`

/** The filter of a list of comments; undefined fields do not filter. */
export type CommentFilter = {
  readonly subject?: Subject | undefined
  /** Only those on these subjects. */
  readonly among?: readonly SubjectSet[] | undefined
  /** Only those that every reader of the subject gets. */
  readonly isListed?: boolean | undefined
  readonly parentId?: string | undefined
  readonly rootId?: string | undefined
  readonly authorId?: string | undefined
  readonly status?: CommentRow['status'] | undefined
  readonly isUnanswered?: boolean | undefined
  readonly isReported?: boolean | undefined
  readonly createdFrom?: Date | undefined
  readonly createdBefore?: Date | undefined
}

const amongSubjects = (sets: readonly SubjectSet[]): Statement =>
  sets
    .map(({ type, ids }) => sql`c.subject_type = ${type} and c.subject_id in (${ids})`)
    .reduce((left, right) => sql`${left} or ${right}`, sql`false`)

const answeredIn = (schoolId: string): Statement => sql`exists (
  select from comments a where a.school_id = ${schoolId} and a.root_id = c.id and a.status = 'published'
    and a.author_role in ('staff', 'lecturer'))`

const unanswered = (schoolId: string): Statement =>
  sql`(c.depth = 1 and c.status = 'published' and not ${answeredIn(schoolId)})`

const matching = (schoolId: string, filter: CommentFilter): Statement =>
  joinConditions(
    sql`c.school_id = ${schoolId}`,
    when(filter.subject, ({ type, id }) => sql`c.subject_type = ${type} and c.subject_id = ${id}::uuid`),
    when(filter.among, sets => sql`(${amongSubjects(sets)})`),
    filter.isListed === true ? sql`(c.status = 'published' or c.below_count > 0)` : undefined,
    when(filter.parentId, id => sql`c.parent_id = ${id}::uuid`),
    when(filter.rootId, id => sql`c.root_id = ${id}::uuid`),
    when(filter.authorId, id => sql`c.member_id = ${id}::uuid`),
    when(filter.status, status => sql`c.status = ${status}`),
    when(filter.isUnanswered, is => (is ? unanswered(schoolId) : sql`not ${unanswered(schoolId)}`)),
    when(filter.isReported, is => (is ? sql`c.open_reports > 0` : sql`c.open_reports = 0`)),
    when(filter.createdFrom, at => createdFrom({ at: sql`c.created_at`, id: sql`c.id` }, at)),
    when(filter.createdBefore, at => createdBefore({ at: sql`c.created_at`, id: sql`c.id` }, at)),
  )

/** The comments of a filter, the oldest first unless `sort` says otherwise. */
export const commentList = (schoolId: string, filter: CommentFilter, sort = 'created_at'): List<CommentRow> => ({
  columns: commentColumns(schoolId),
  from: sql`comments c`,
  where: matching(schoolId, filter),
  id: sql`c.id`,
  sort,
  changedIn: sql`c.changed_in`,
})

/** One comment. */
export const findComment = (db: Db, schoolId: string, id: string | undefined) =>
  db.first(sql<CommentRow>`
    select ${commentColumns(schoolId)} from comments c where c.school_id = ${schoolId} and c.id = ${id}::uuid`)

/** Locks the root of the thread of a comment, which every write to the thread locks first; undefined when there is none. */
export const lockThread = (
  db: Db,
  schoolId: string,
  id: string | undefined,
): Promise<{ id: string; thread_size: number } | undefined> =>
  db.first(sql<{ id: string; thread_size: number }>`
    select r.id, r.thread_size from comments r
    where r.school_id = ${schoolId}
      and r.id = (select c.root_id from comments c where c.school_id = ${schoolId} and c.id = ${id}::uuid)
    for no key update of r`)

/** How many published comments each of some subjects of one kind has; those with none are left out. */
export const listCounts = (
  db: Db,
  schoolId: string,
  { type, ids }: { readonly type: Subject['type']; readonly ids: readonly string[] },
): Promise<{ id: string; count: number }[]> =>
  db.all(sql<{ id: string; count: number }>`
    select subject_id as id, count(*)::integer as count from comments
    where school_id = ${schoolId} and subject_type = ${type} and subject_id = any (${ids}::uuid[]) and status = 'published'
    group by subject_id`)

/** How many published comments a subject has. */
export const countPublished = async (db: Db, schoolId: string, { type, id }: Subject): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
      select count(*)::integer as count from comments
      where school_id = ${schoolId} and subject_type = ${type} and subject_id = ${id} and status = 'published'`)
  ).count
