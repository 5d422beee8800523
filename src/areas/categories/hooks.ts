import { hook } from '#src/contract/hook.ts'

/** Called before a category is deleted: what is in it leaves it; returns the ids of the courses that did. */
export const categoryDeletion = hook<{ readonly categoryId: string }, readonly string[]>('categoryDeletion')
