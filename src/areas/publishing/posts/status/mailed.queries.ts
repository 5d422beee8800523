import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import { buildExcerpt } from '../content/rules.ts'
import type { PostLine } from '../post/queries.ts'

/** What a mail says of a post: nothing that is not for everybody. */
type MailedPost = { readonly title: string; readonly excerpt: string; readonly slug: string }

/** A published post as its mail shows it; undefined while it is not published. */
export const findMailedPost = async (db: Db, schoolId: string, id: string): Promise<MailedPost | undefined> => {
  const row = await db.first(sql<Pick<PostLine, 'title' | 'excerpt' | 'opening' | 'has_fold' | 'access' | 'slug'>>`
    select p.slug, p.access, v.title, v.excerpt, v.opening, v.teaser_html is not null as has_fold
    from posts p join post_versions v on v.school_id = p.school_id and v.post_id = p.id and v.number = p.version
    where p.school_id = ${schoolId} and p.id = ${id} and p.status = 'published' and p.deleted_at is null`)
  return row && { title: row.title, excerpt: buildExcerpt(row), slug: row.slug }
}

/** Stores when a post was or will be mailed, as its next revision; null: it was not. */
export const storeMailed = (db: Db, schoolId: string, id: string, at: Date | null) =>
  db.one(sql<{ revision: number }>`
    update posts set mailed_at = ${at}, revision = revision + 1, updated_at = (select stoa.now())
    where school_id = ${schoolId} and id = ${id}
    returning revision`)
