import type { HookPlace } from '#src/contract/hook.ts'
import { Refusal } from '#src/contract/problem.ts'
import { newUuid } from '#src/kit/ids.ts'
import { cleanLine, slugFor } from '#src/kit/text.ts'
import { type CategoryRow, freeCategorySlug, insertCategory, lockTree } from './queries.ts'
import { type CategoryInput, categoryValuesOf, checkCategory, MAX_CATEGORIES, tooManyCategories } from './rules.ts'

/** Makes a category of what somebody said of it; without a slug one is made of the name. */
export const addCategory = async (
  { db, school, now }: HookPlace & { readonly now: Date },
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
