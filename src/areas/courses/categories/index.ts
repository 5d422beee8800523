import { area } from '#src/contract/area.ts'
import { slugTaken } from '#src/contract/problems.ts'
import { categoryOperations } from './operations.ts'

export { withSubcategories } from './conditions.ts'
export { categoryDeletion } from './hooks.ts'
export { addCategory, Category, CategoryPage, categoryViewsById, errorsOfCategories } from './operations.ts'

/** The tree of course categories. */
export const categories = area({
  name: 'categories',
  operations: categoryOperations,
  constraints: { categories_slug: slugTaken },
})
