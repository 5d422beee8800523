import type { StaffSection } from '../../section.ts'
import { postCategoryList } from './categories.ts'
import { postCreation } from './create.ts'
import { postList } from './list.ts'
import { postEditor } from './post.ts'

/** The pages on which posts are written, published and mailed. */
export const posts: readonly StaffSection[] = [postList, postCreation, postCategoryList, postEditor]
