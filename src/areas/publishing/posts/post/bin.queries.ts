import type { Db, Statement } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import type { PostLine } from './queries.ts'

/** A deleted post. */
type DeletedPost = {
  readonly id: string
  readonly slug: string
  readonly external_id: string | null
} & Pick<PostLine, 'status' | 'author_id'>

/** Hides a post; its slug and external id are free. */
export const hidePost = (db: Db, schoolId: string, id: string) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    update all_posts set deleted_at = clock.now, revision = revision + 1, updated_at = clock.now from clock
    where school_id = ${schoolId} and id = ${id} and deleted_at is null`)

const deleted = (schoolId: string, id: string) => sql<DeletedPost>`
  select id, slug, external_id, status, author_id from all_posts
  where school_id = ${schoolId} and id = ${id} and deleted_at is not null`

/** A deleted post, in the bin or not. */
export const findDeletedPost = (db: Db, schoolId: string, id: string) => db.first(deleted(schoolId, id))

/** A deleted post that was taken out of the bin. */
export const getDeletedPost = (db: Db, schoolId: string, id: string) => db.one(deleted(schoolId, id))

/** Shows a deleted post again, under a slug. */
export const showPost = (db: Db, schoolId: string, id: string, slug: string) =>
  db.run(sql`
    update all_posts set deleted_at = null, slug = ${slug}, revision = revision + 1, updated_at = (select stoa.now())
    where school_id = ${schoolId} and id = ${id}`)

/** The drafts that a member wrote, deleted ones too. */
export const draftsBy = (schoolId: string, memberId: string): Statement => sql`
  select p.id from all_posts p where p.school_id = ${schoolId} and p.author_id = ${memberId} and p.status = 'draft'`
