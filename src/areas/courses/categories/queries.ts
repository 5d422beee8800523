import type { Db, Statement } from '#src/contract/db.ts'
import { isNamed, slugCandidates } from '#src/db/ref.ts'
import { sql } from '#src/db/sql.ts'

/** A category as it is stored. */
export type CategoryRow = {
  readonly id: string
  readonly parent_id: string | null
  readonly name: string
  readonly slug: string
  readonly description: string
  readonly position: number
  readonly revision: number
  readonly created_at: Date
  readonly updated_at: Date
}

const columns = sql`k.id, k.parent_id, k.name, k.slug, k.description, k.position, k.revision, k.created_at, k.updated_at`

/** A category and its place in the tree, as a text that sorts. */
type PlacedCategory = CategoryRow & { readonly place: string }

/** The categories in tree order, each before its subcategories, after a position. */
export const listTree = (
  db: Db,
  schoolId: string,
  { rows, after }: { readonly rows: number; readonly after: readonly string[] | undefined },
): Promise<PlacedCategory[]> =>
  db.all(sql<PlacedCategory>`
    with recursive tree as (
      select id, lpad(position::text, 8, '0') || id::text collate "C" as place from categories
      where school_id = ${schoolId} and parent_id is null
      union all
      select k.id, (tree.place || '/' || lpad(k.position::text, 8, '0') || k.id::text) collate "C"
      from categories k join tree on k.parent_id = tree.id where k.school_id = ${schoolId}
    )
    select ${columns}, tree.place from tree join categories k on k.school_id = ${schoolId} and k.id = tree.id
    where ${after === undefined ? sql`true` : sql`tree.place > ${after[0]}`}
    order by tree.place limit ${rows}`)

/** How many categories a school has. */
export const countCategories = async (db: Db, schoolId: string): Promise<number> =>
  (
    await db.one(
      sql<{ count: number }>`select count(*)::integer as count from categories k where k.school_id = ${schoolId}`,
    )
  ).count

/** Locks the tree, so that two changes of it run one after the other, and returns it. */
export const lockTree = async (db: Db, schoolId: string): Promise<CategoryRow[]> => {
  await db.one(sql`select id from schools where id = ${schoolId} for no key update`)
  return db.all(sql<CategoryRow>`
    select ${columns} from categories k where k.school_id = ${schoolId} order by k.position, k.id`)
}

const named = (schoolId: string, ref: string): Statement =>
  sql`k.school_id = ${schoolId} and ${isNamed(ref, { id: sql`k.id`, slug: sql`k.slug` })}`

/** The category a path names. */
export const findCategory = (db: Db, schoolId: string, ref: string): Promise<CategoryRow | undefined> =>
  db.first(sql<CategoryRow>`select ${columns} from categories k where ${named(schoolId, ref)}`)

/** Some categories by their ids. */
export const listCategoriesById = (db: Db, schoolId: string, ids: readonly string[]): Promise<CategoryRow[]> =>
  db.all(sql<CategoryRow>`
    select ${columns} from categories k
    where k.school_id = ${schoolId} and k.id = any (${ids}::uuid[]) order by k.name, k.id`)

/** The first free slug among the desired one and its alternatives; the tree is locked. */
export const freeCategorySlug = async (db: Db, schoolId: string, slug: string, id: string): Promise<string> =>
  (
    await db.one(sql<{ slug: string }>`
      select slug from unnest(${slugCandidates(slug, id)}::text[]) with ordinality as w (slug, place)
      where not exists (select from categories k where k.school_id = ${schoolId} and k.slug = w.slug)
      order by place limit 1`)
  ).slug

/** What is stored of a category by staff. */
export type CategoryValues = Pick<CategoryRow, 'name' | 'slug' | 'description' | 'parent_id'>

const lastPlace = (schoolId: string, parentId: string | null): Statement => sql`(
  select coalesce(max(o.position) + 1, 0) from categories o
  where o.school_id = ${schoolId} and o.parent_id is not distinct from ${parentId}::uuid)`

/** Stores a new category as the last one of its parent. */
export const insertCategory = (db: Db, schoolId: string, id: string, category: CategoryValues): Promise<CategoryRow> =>
  db.one(sql<CategoryRow>`
    with clock as materialized (select stoa.now() as now)
    insert into categories as k (school_id, id, parent_id, name, slug, description, position, created_at, updated_at)
    select ${schoolId}, ${id}, ${category.parent_id}::uuid, ${category.name}, ${category.slug}, ${category.description},
      ${lastPlace(schoolId, category.parent_id)}, now, now
    from clock
    returning ${columns}`)

/** Stores a changed category as its next revision; one that moved becomes the last one of its new parent. */
export const storeCategory = (db: Db, schoolId: string, id: string, category: CategoryValues): Promise<CategoryRow> =>
  db.one(sql<CategoryRow>`
    update categories k set name = ${category.name}, slug = ${category.slug}, description = ${category.description},
      position = case when k.parent_id is not distinct from ${category.parent_id}::uuid then k.position
        else ${lastPlace(schoolId, category.parent_id)} end,
      parent_id = ${category.parent_id}, revision = revision + 1, updated_at = (select stoa.now())
    where k.school_id = ${schoolId} and k.id = ${id}
    returning ${columns}`)

/** Deletes a category. */
export const deleteCategoryRow = (db: Db, schoolId: string, id: string): Promise<number> =>
  db.run(sql`delete from categories where school_id = ${schoolId} and id = ${id}`)

/** Puts the categories of one parent in this order; returns those that moved. */
export const storeCategoryOrder = async (db: Db, schoolId: string, ids: readonly string[]): Promise<string[]> =>
  (
    await db.all(sql<{ id: string }>`
      update categories k set position = place - 1, revision = revision + 1, updated_at = (select stoa.now())
      from unnest(${ids}::uuid[]) with ordinality as o (id, place)
      where k.school_id = ${schoolId} and k.id = o.id and k.position <> o.place - 1
      returning k.id`)
  ).map(({ id }) => id)

/** Those of some categories that exist, locked so that they stay. */
export const lockCategories = async (db: Db, schoolId: string, ids: readonly string[]): Promise<string[]> =>
  (
    await db.all(sql<{ id: string }>`
      select id from categories where school_id = ${schoolId} and id = any (${ids}::uuid[]) order by id for key share`)
  ).map(({ id }) => id)
