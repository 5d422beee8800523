import type { SchoolContext } from '#src/contract/context.ts'
import { Refusal } from '#src/contract/problem.ts'
import { newUuid } from '#src/kit/ids.ts'
import { cleanLine, slugFor } from '#src/kit/text.ts'
import { freeCategorySlug, insertCategory, lockCategoryList, type PostCategoryRow } from './queries.ts'
import {
  checkPostCategory,
  MAX_POST_CATEGORIES,
  type PostCategoryInput,
  postCategoryValuesOf,
  tooManyPostCategories,
} from './rules.ts'

/** Creates a category of posts; without a slug one is derived from the name. */
export const addPostCategory = async (
  { db, school, now }: SchoolContext & { readonly now: Date },
  input: PostCategoryInput & { readonly name: string },
): Promise<PostCategoryRow> => {
  const all = await lockCategoryList(db, school.id)
  if (all.length >= MAX_POST_CATEGORIES)
    throw new Refusal(tooManyPostCategories, `A school has at most ${MAX_POST_CATEGORIES} categories of posts.`)
  const id = newUuid(now.getTime())
  const slug = input.slug ?? (await freeCategorySlug(db, school.id, slugFor(cleanLine(input.name, 120), id), id))
  const values = postCategoryValuesOf({ name: '', slug, description: '' }, input)
  checkPostCategory(all, undefined, values)
  return insertCategory(db, school.id, id, values)
}
