import type { CategoryRow } from '#src/contract/category.ts'
import { defineCategories } from '#src/db/categories.ts'
import { integerKey, type List } from '#src/db/list.ts'
import { sql } from '#src/db/sql.ts'

/** How the categories of posts are stored. */
export const storedCategories = defineCategories({
  table: sql`post_categories`,
  lock: 'post categories',
  isTree: false,
})

/** The categories of a school in their order. */
export const categoryList = (schoolId: string): List<CategoryRow> => ({
  columns: storedCategories.columns,
  from: sql`post_categories k`,
  where: sql`k.school_id = ${schoolId}`,
  id: sql`k.id`,
  keys: { position: integerKey(sql`k.position`, row => row.position) },
  sort: 'position',
})
