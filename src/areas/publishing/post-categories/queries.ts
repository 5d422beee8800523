import type { Db, Statement } from '#src/contract/db.ts'
import { integerKey, type List } from '#src/db/list.ts'
import { isNamed, slugCandidates } from '#src/db/ref.ts'
import { sql } from '#src/db/sql.ts'

/** What staff store of a category. */
export type PostCategoryValues = { readonly name: string; readonly slug: string; readonly description: string }

/** A category of posts as it is stored. */
export type PostCategoryRow = PostCategoryValues & {
  readonly id: string
  readonly position: number
  readonly revision: number
  readonly created_at: Date
  readonly updated_at: Date
}

const columns = sql`k.id, k.name, k.slug, k.description, k.position, k.revision, k.created_at, k.updated_at`

/** The categories of a school in their order. */
export const categoryList = (schoolId: string): List<PostCategoryRow> => ({
  columns,
  from: sql`post_categories k`,
  where: sql`k.school_id = ${schoolId}`,
  id: sql`k.id`,
  keys: { position: integerKey(sql`k.position`, row => row.position) },
  sort: 'position',
})

/** Waits until no other transaction changes the categories of a school, and returns them in their order. */
export const lockCategoryList = async (db: Db, schoolId: string): Promise<PostCategoryRow[]> => {
  await db.run(sql`select pg_advisory_xact_lock(hashtextextended(${`post categories ${schoolId}`}, 0))`)
  return db.all(sql<PostCategoryRow>`
    select ${columns} from post_categories k where k.school_id = ${schoolId} order by k.position, k.id`)
}

const named = (schoolId: string, ref: string): Statement =>
  sql`k.school_id = ${schoolId} and ${isNamed(ref, { id: sql`k.id`, slug: sql`k.slug` })}`

/** The category in a path. */
export const findCategory = (db: Db, schoolId: string, ref: string): Promise<PostCategoryRow | undefined> =>
  db.first(sql<PostCategoryRow>`select ${columns} from post_categories k where ${named(schoolId, ref)}`)

/** The names and slugs of some categories. */
export const listCategoryNames = (
  db: Db,
  schoolId: string,
  ids: readonly string[],
): Promise<Pick<PostCategoryRow, 'id' | 'name' | 'slug'>[]> =>
  db.all(sql<Pick<PostCategoryRow, 'id' | 'name' | 'slug'>>`
    select k.id, k.name, k.slug from post_categories k
    where k.school_id = ${schoolId} and k.id = any (${ids}::uuid[])`)

/** The first free slug among the wanted one and its alternatives; the categories are locked. */
export const freeCategorySlug = async (db: Db, schoolId: string, slug: string, id: string): Promise<string> =>
  (
    await db.one(sql<{ slug: string }>`
      select slug from unnest(${slugCandidates(slug, id)}::text[]) with ordinality as w (slug, place)
      where not exists (select from post_categories k where k.school_id = ${schoolId} and k.slug = w.slug)
      order by place limit 1`)
  ).slug

/** Stores a new category as the last one. */
export const insertCategory = (
  db: Db,
  schoolId: string,
  id: string,
  { name, slug, description }: PostCategoryValues,
): Promise<PostCategoryRow> =>
  db.one(sql<PostCategoryRow>`
    with clock as materialized (select stoa.now() as now)
    insert into post_categories as k (school_id, id, name, slug, description, position, created_at, updated_at)
    select ${schoolId}, ${id}, ${name}, ${slug}, ${description},
      (select coalesce(max(o.position) + 1, 0) from post_categories o where o.school_id = ${schoolId}), now, now
    from clock
    returning ${columns}`)

/** Stores a changed category as its next revision. */
export const storeCategory = (
  db: Db,
  schoolId: string,
  id: string,
  { name, slug, description }: PostCategoryValues,
): Promise<PostCategoryRow> =>
  db.one(sql<PostCategoryRow>`
    update post_categories k set name = ${name}, slug = ${slug}, description = ${description}, revision = revision + 1,
      updated_at = (select stoa.now())
    where k.school_id = ${schoolId} and k.id = ${id}
    returning ${columns}`)

/** Deletes a category. */
export const deleteCategoryRow = (db: Db, schoolId: string, id: string): Promise<number> =>
  db.run(sql`delete from post_categories where school_id = ${schoolId} and id = ${id}`)

/** Puts the categories in this order; returns those that moved. */
export const storeCategoryOrder = async (db: Db, schoolId: string, ids: readonly string[]): Promise<string[]> =>
  (
    await db.all(sql<{ id: string }>`
      update post_categories k set position = place - 1, revision = revision + 1, updated_at = (select stoa.now())
      from unnest(${ids}::uuid[]) with ordinality as o (id, place)
      where k.school_id = ${schoolId} and k.id = o.id and k.position <> o.place - 1
      returning k.id`)
  ).map(({ id }) => id)

/** Those of some categories that exist, with their names, locked so that they stay. */
export const shareCategories = (
  db: Db,
  schoolId: string,
  ids: readonly string[],
): Promise<{ id: string; name: string }[]> =>
  db.all(sql<{ id: string; name: string }>`
    select id, name from post_categories
    where school_id = ${schoolId} and id = any (${ids}::uuid[]) order by id for key share`)
