import { texts } from '#src/texts/index.ts'
import type { StaffSection } from '../../section.ts'
import { categoryDetails } from './category.ts'
import { categoryList } from './list.ts'

export { listTree, type PlacedCategory } from './tree.ts'

const { title: name, about } = texts.staff.categories.common

/** The pages of categories. */
export const categories: StaffSection = {
  entries: [{ path: '/staff/categories', name, about }],
  pages: [...categoryList, ...categoryDetails],
}
