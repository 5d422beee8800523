import type { CategoryRow } from '#src/contract/category.ts'
import type { Db } from '#src/contract/db.ts'
import { defineCategories } from '#src/db/categories.ts'
import { sql } from '#src/db/sql.ts'

/** How the categories of courses are stored. */
export const storedCategories = defineCategories({ table: sql`categories`, lock: 'categories', isTree: true })

/** A category and its place in the tree, as a text that sorts. */
type PlacedCategory = CategoryRow & { readonly place: string }

/** The categories in tree order, each before its subcategories, after a position. */
export const listTree = (
  db: Db,
  schoolId: string,
  { rows, after }: { readonly rows: number; readonly after: readonly string[] | undefined },
) =>
  db.all(sql<PlacedCategory>`
    with recursive tree as (
      select id, lpad(position::text, 8, '0') || id::text collate "C" as place from categories
      where school_id = ${schoolId} and parent_id is null
      union all
      select k.id, (tree.place || '/' || lpad(k.position::text, 8, '0') || k.id::text) collate "C"
      from categories k join tree on k.parent_id = tree.id where k.school_id = ${schoolId}
    )
    select ${storedCategories.columns}, tree.place from tree join categories k on k.school_id = ${schoolId} and k.id = tree.id
    where ${after === undefined ? sql`true` : sql`tree.place > ${after[0]}`}
    order by tree.place limit ${rows}`)

/** How many categories a school has. */
export const countCategories = async (db: Db, schoolId: string): Promise<number> =>
  (
    await db.one(
      sql<{ count: number }>`select count(*)::integer as count from categories k where k.school_id = ${schoolId}`,
    )
  ).count
