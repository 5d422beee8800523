import type { Static } from 'typebox'
import type { SchoolContext } from '#src/contract/context.ts'
import type { Db } from '#src/contract/db.ts'
import { type FieldError, Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { type CategoryRow, findCategory, listCategoriesById, lockCategories } from './queries.ts'
import type { Category } from './schema.ts'
import { categoryView } from './views.ts'

/** Some categories by their ids, as everybody sees them. */
export const categoryViewsById = async (
  { db, school }: SchoolContext,
  ids: readonly string[],
): Promise<Static<typeof Category>[]> => (await listCategoriesById(db, school.id, ids)).map(categoryView)

/** The errors of the `category_ids` of a body; those that exist are locked, so that they stay. */
export const errorsOfCategories = async (db: Db, schoolId: string, ids: readonly string[]): Promise<FieldError[]> => {
  const kept = await lockCategories(db, schoolId, ids)
  return ids.flatMap((id, index) =>
    kept.includes(id) ? [] : [{ pointer: `/category_ids/${index}`, code: 'unknown', message: 'is not a category' }],
  )
}

/** The category in a path; refuses when there is none. */
export const getNamedCategory = async ({ db, school }: SchoolContext, ref: string): Promise<CategoryRow> => {
  const row = await findCategory(db, school.id, ref)
  if (row === undefined) throw new Refusal(notFound, 'There is no such category.')
  return row
}

/** The category in a path, of the locked tree; refuses when there is none. */
export const getCategoryOf = (tree: readonly CategoryRow[], ref: string): CategoryRow => {
  const slug = ref.startsWith('slug:') ? ref.slice('slug:'.length) : undefined
  const row = tree.find(one => (slug === undefined ? one.id === ref : one.slug === slug))
  if (row === undefined) throw new Refusal(notFound, 'There is no such category.')
  return row
}
