import { hook } from '#src/contract/hook.ts'

/** Called before a category of posts is deleted: its posts leave it; returns how many did. */
export const postCategoryDeletion = hook<{ readonly categoryId: string }, number>('postCategoryDeletion')
