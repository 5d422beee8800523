import type { Static } from 'typebox'
import type { Db } from '#src/contract/db.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound, refuseInvalid, slugTaken } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import { fromId, newUuid, toId } from '#src/kit/ids.ts'
import { cleanLine, slugFor } from '#src/kit/text.ts'
import {
  type CategoryRow,
  type CategoryValues,
  findCategory,
  freeCategorySlug,
  insertCategory,
  listCategoriesById,
  lockTree,
} from './queries.ts'
import { faultsOfPlace, MAX_CATEGORIES, tooManyCategories } from './rules.ts'
import type { Category, CategorySettings } from './schema.ts'

/** A category as everybody sees it. */
export const categoryView = (row: CategoryRow): Static<typeof Category> => ({
  id: toId('cat', row.id),
  name: row.name,
  slug: row.slug,
  description: row.description,
  parent_id: row.parent_id === null ? null : toId('cat', row.parent_id),
  position: row.position,
  revision: row.revision,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

type Where = { readonly db: Db; readonly school: Pick<School, 'id'> }

/** Some categories by their ids, as everybody sees them. */
export const categoryViewsById = async (
  { db, school }: Where,
  ids: readonly string[],
): Promise<Static<typeof Category>[]> => (await listCategoriesById(db, school.id, ids)).map(categoryView)

/** The category a path names; refuses when there is none. */
export const getNamedCategory = async ({ db, school }: Where, ref: string): Promise<CategoryRow> => {
  const row = await findCategory(db, school.id, ref)
  if (row === undefined) throw new Refusal(notFound, 'There is no such category.')
  return row
}

/** What is said of a category, as values. */
export type CategoryInput = Partial<Static<typeof CategorySettings>>

/** A category as it is stored after what somebody said of it. */
export const categoryValuesOf = (before: CategoryValues, said: CategoryInput): CategoryValues => ({
  name: said.name === undefined ? before.name : cleanLine(said.name, 120),
  slug: said.slug ?? before.slug,
  description: said.description ?? before.description,
  parent_id: said.parent_id === undefined ? before.parent_id : said.parent_id && (fromId('cat', said.parent_id) ?? ''),
})

/** Refuses a category that cannot stand in the tree, which is held, or whose slug another has. */
export const checkCategory = (tree: readonly CategoryRow[], id: string | undefined, values: CategoryValues): void => {
  refuseInvalid([
    ...(values.name === '' ? [{ pointer: '/name', code: 'empty', message: 'has nothing visible' }] : []),
    ...faultsOfPlace(tree, id, values.parent_id),
  ])
  if (tree.some(one => one.slug === values.slug && one.id !== id))
    throw new Refusal(slugTaken, 'Another category has this slug.')
}

/** Makes a category of what somebody said of it; without a slug one is made of the name. */
export const addCategory = async (
  { db, school, now }: Where & { readonly now: Date },
  said: CategoryInput & { readonly name: string },
): Promise<CategoryRow> => {
  const tree = await lockTree(db, school.id)
  if (tree.length >= MAX_CATEGORIES)
    throw new Refusal(tooManyCategories, `A school has at most ${MAX_CATEGORIES} categories.`)
  const id = newUuid(now.getTime())
  const wanted = slugFor(cleanLine(said.name, 120), id)
  const slug = said.slug ?? (await freeCategorySlug(db, school.id, wanted, id))
  const values = categoryValuesOf({ name: '', slug, description: '', parent_id: null }, said)
  checkCategory(tree, undefined, values)
  return insertCategory(db, school.id, id, values)
}
