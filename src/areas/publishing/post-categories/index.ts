import { area } from '#src/contract/area.ts'
import { slugTaken } from '#src/contract/problems.ts'
import { implementations } from './implementations.ts'
import { postCategoryOperations } from './operations.ts'

export { postCategoryDeletion } from './hooks.ts'
export { errorsOfPostCategories } from './lookups.ts'
export { PostCategory, PostCategoryPage } from './schema.ts'
export { addPostCategory } from './writes.ts'

/** The categories of posts. */
export const postCategories = area({
  name: 'post-categories',
  operations: postCategoryOperations,
  hooks: implementations,
  constraints: { post_categories_slug: slugTaken },
})
