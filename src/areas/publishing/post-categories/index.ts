import { area } from '#src/contract/area.ts'
import { slugTaken } from '#src/contract/problems.ts'
import { implementations } from './implementations.ts'
import { postCategoryOperations } from './operations.ts'

export { postCategoryDeletion } from './hooks.ts'
export { addPostCategory, errorsOfPostCategories, PostCategory, PostCategoryPage } from './operations.ts'

/** The categories of posts. */
export const postCategories = area({
  name: 'post-categories',
  operations: postCategoryOperations,
  hooks: implementations,
  constraints: { post_categories_slug: slugTaken },
})
