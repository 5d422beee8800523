import type { StaffSection } from '../../section.ts'
import { categoryDetails } from './category.ts'
import { categoryList } from './list.ts'

export { listTree, type PlacedCategory } from './tree.ts'

/** The pages of categories. */
export const categories: StaffSection = {
  pages: [...categoryList, ...categoryDetails],
}
