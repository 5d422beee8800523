import type { Static } from 'typebox'
import { problem, Refusal } from '#src/contract/problem.ts'
import { refuseInvalid, slugTaken } from '#src/contract/problems.ts'
import { cleanLine } from '#src/kit/text.ts'
import type { PostCategoryRow, PostCategoryValues } from './queries.ts'
import type { PostCategorySettings } from './schema.ts'

/** The school has the maximum number of categories of posts. */
export const tooManyPostCategories = problem(
  409,
  'too_many_post_categories',
  'The school has too many categories of posts',
  'A school has at most two hundred categories of posts. Remove some, or use tags.',
)

/** Something opens what is in the category. */
export const postCategoryInUse = problem(
  409,
  'post_category_in_use',
  'The category is still in use',
  'A category that a membership plan opens cannot be deleted. `in_use` lists everything that uses it. Take it out of the plan first. Posts do not prevent the deletion: they are only removed from the category.',
)

/** How many categories of posts a school may have. */
export const MAX_POST_CATEGORIES = 200

/** The input of a category, as values. */
export type PostCategoryInput = Partial<Static<typeof PostCategorySettings>>

/** A category as it is stored after a change. */
export const postCategoryValuesOf = (before: PostCategoryValues, input: PostCategoryInput): PostCategoryValues => ({
  name: input.name === undefined ? before.name : cleanLine(input.name, 120),
  slug: input.slug ?? before.slug,
  description: input.description ?? before.description,
})

/** Refuses a category without a visible name, or whose slug another of the locked categories has. */
export const checkPostCategory = (
  all: readonly PostCategoryRow[],
  id: string | undefined,
  values: PostCategoryValues,
): void => {
  refuseInvalid(values.name === '' ? [{ pointer: '/name', code: 'empty', message: 'has no visible characters' }] : [])
  if (all.some(one => one.slug === values.slug && one.id !== id))
    throw new Refusal(slugTaken, 'Another category has this slug.')
}
