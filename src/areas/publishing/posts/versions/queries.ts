import { buildPerson } from '#src/areas/people/index.ts'
import { isKept } from '#src/areas/school/index.ts'
import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import { defineVersions } from '#src/db/versions.ts'
import type { PostBody } from '../content/rules.ts'
import type { PostTexts } from '../post/queries.ts'

/** A version of a post. */
type VersionRow = PostTexts &
  PostBody & {
    readonly id: string
    readonly number: number
    readonly is_current: boolean
    readonly restores: number | null
    readonly author: { readonly id: string; readonly name: string } | null
    readonly created_at: Date
    readonly files: readonly string[]
  }

/** A version to be stored; `id` is that of its row. */
type NewVersion = PostTexts &
  PostBody & {
    readonly id: string
    readonly postId: string
    readonly number: number
    readonly authorId: string | undefined
    /** The ids of the rows of the files that the body names. */
    readonly files: readonly string[]
    readonly restores?: number | undefined
  }

const MAX_VERSIONS = 100

const putVersion = (db: Db, schoolId: string, version: NewVersion) =>
  db.run(sql`
    insert into post_versions (school_id, id, post_id, number, title, subtitle, excerpt, opening, body, body_format,
      body_html, teaser_html, body_allowed, reading_minutes, restores, author_id, created_at)
    values (${schoolId}, ${version.id}, ${version.postId}, ${version.number}, ${version.title}, ${version.subtitle},
      ${version.excerpt}, ${version.opening}, ${version.body}, ${version.body_format}, ${version.body_html},
      ${version.teaser_html}, ${version.body_allowed}, ${version.reading_minutes}, ${version.restores ?? null},
      ${version.authorId ?? null}, (select stoa.now()))`)

/** Stores a version of a locked post with its files, and deletes those that are too many. */
export const insertVersion = async (db: Db, schoolId: string, version: NewVersion): Promise<void> => {
  await putVersion(db, schoolId, version)
  await db.run(sql`
    insert into post_files (school_id, version_id, file_id)
    select ${schoolId}::uuid, ${version.id}::uuid, f.id from unnest(${version.files}::uuid[]) as f (id)`)
  await db.run(sql`
    delete from post_versions
    where school_id = ${schoolId} and post_id = ${version.postId} and number <= ${version.number - MAX_VERSIONS}`)
}

/** How the versions of posts are stored. */
export const postVersions = defineVersions<VersionRow>({
  from: sql`post_versions v join posts p on p.school_id = v.school_id and p.id = v.post_id`,
  of: sql`v.post_id`,
  line: schoolId => sql`v.title, v.number = p.version as is_current, v.restores, v.created_at,
    ${buildPerson(schoolId, sql`v.author_id`)} as author`,
  content:
    schoolId => sql`v.subtitle, v.excerpt, v.opening, v.body, v.body_format, v.body_html, v.teaser_html, v.body_allowed,
    v.reading_minutes, array(select f.file_id from post_files f
      where f.school_id = ${schoolId} and f.version_id = v.id order by f.file_id) as files`,
})

/** A post that shows a file. */
type PostFile = { readonly file_id: string; readonly post_id: string; readonly is_public: boolean }

/**
 * The posts, those in the bin too, that show some files, as their cover or in their current version, and whether everybody may see the file there; a
 * superseded version does not keep its files.
 */
export const listPostFiles = (db: Db, schoolId: string, fileIds: readonly string[]) =>
  db.all(sql<PostFile>`
    select f.file_id, p.id as post_id, p.status = 'published' and p.access = 'public' and p.deleted_at is null as is_public
    from post_files f
      join post_versions v on v.school_id = ${schoolId} and v.id = f.version_id
      join all_posts p on p.school_id = ${schoolId} and p.id = v.post_id and p.version = v.number and p.${isKept}
    where f.school_id = ${schoolId} and f.file_id = any (${fileIds}::uuid[])
    union all
    select c.cover_file_id, c.id, c.status = 'published' and c.deleted_at is null from all_posts c
    where c.school_id = ${schoolId} and c.cover_file_id = any (${fileIds}::uuid[]) and c.${isKept}`)

/** Removes the name of a member from what they wrote: posts that are a draft too stay, for staff. */
export const eraseAuthor = async (db: Db, schoolId: string, memberId: string): Promise<void> => {
  await db.run(sql`
    update all_posts set author_id = null, revision = revision + 1, updated_at = (select stoa.now())
    where school_id = ${schoolId} and author_id = ${memberId}`)
  await db.run(sql`
    update post_versions set author_id = null where school_id = ${schoolId} and author_id = ${memberId}`)
}

/** Moves what one member wrote to another. */
export const moveAuthor = async (db: Db, schoolId: string, fromId: string, intoId: string): Promise<void> => {
  await db.run(sql`
    update all_posts set author_id = ${intoId}, revision = revision + 1, updated_at = (select stoa.now())
    where school_id = ${schoolId} and author_id = ${fromId}`)
  await db.run(sql`
    update post_versions set author_id = ${intoId} where school_id = ${schoolId} and author_id = ${fromId}`)
}

/** A post as the export of its author has it. */
type WrittenPost = {
  readonly id: string
  readonly title: string
  readonly body: string
  readonly status: string
  readonly created_at: Date
}

/** The posts that a member wrote, as they are now, with those in the bin. */
export const listWritten = (db: Db, schoolId: string, memberId: string) =>
  db.all(sql<WrittenPost>`
    select p.id, v.title, v.body, p.status, p.created_at
    from all_posts p join post_versions v on v.school_id = p.school_id and v.post_id = p.id and v.number = p.version
    where p.school_id = ${schoolId} and p.author_id = ${memberId} and p.${isKept} order by p.id`)

/** The versions of posts that a member saved, by whomever the post is. */
export const listSavedVersions = (
  db: Db,
  schoolId: string,
  memberId: string,
): Promise<{ post_id: string; number: number; created_at: Date }[]> =>
  db.all(sql<{ post_id: string; number: number; created_at: Date }>`
    select post_id, number, created_at from post_versions
    where school_id = ${schoolId} and author_id = ${memberId} order by created_at, id`)

/** How many posts name a plan, with those in the bin. */
export const countPostsOfPlan = async (db: Db, schoolId: string, planId: string): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
      select count(*)::integer as count from all_posts p
      where p.school_id = ${schoolId} and ${planId}::uuid = any (p.plan_ids) and p.${isKept}`)
  ).count
