import { hook } from '#src/contract/hook.ts'

/** Called before a category is deleted: what is in it leaves it; returns the ids, on the wire, of what did. */
export const categoryDeletion = hook<{ readonly categoryId: string }, readonly string[]>('categoryDeletion')
