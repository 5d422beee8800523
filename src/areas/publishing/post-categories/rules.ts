import { problem } from '#src/contract/problem.ts'

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
