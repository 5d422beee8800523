import { hook } from '#src/contract/hook.ts'

/** Called when a category was deleted, with the courses that were filed under it. */
export const categoryDeleted = hook<{ readonly courseIds: readonly string[] }, void>('categoryDeleted')
