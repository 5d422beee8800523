import type { SchoolContext } from '#src/contract/context.ts'
import { Refusal } from '#src/contract/problem.ts'
import { newUuid } from '#src/kit/ids.ts'
import { cleanLine, slugFor } from '#src/kit/text.ts'
import { type CategoryRow, freeCategorySlug, insertCategory, lockTree } from './queries.ts'
import { type CategoryInput, categoryValuesOf, checkCategory, MAX_CATEGORIES, tooManyCategories } from './rules.ts'

/** Creates a category; without a slug one is derived from the name. */
export const addCategory = async (
  { db, school, now }: SchoolContext & { readonly now: Date },
  input: CategoryInput & { readonly name: string },
): Promise<CategoryRow> => {
  const tree = await lockTree(db, school.id)
  if (tree.length >= MAX_CATEGORIES)
    throw new Refusal(tooManyCategories, `A school has at most ${MAX_CATEGORIES} categories.`)
  const id = newUuid(now.getTime())
  const defaultSlug = slugFor(cleanLine(input.name, 120), id)
  const slug = input.slug ?? (await freeCategorySlug(db, school.id, defaultSlug, id))
  const values = categoryValuesOf({ name: '', slug, description: '', parent_id: null }, input)
  checkCategory(tree, undefined, values)
  return insertCategory(db, school.id, id, values)
}
