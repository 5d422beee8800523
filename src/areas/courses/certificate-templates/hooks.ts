import { hook } from '#src/contract/hook.ts'

/** Called for whether a lecturer teaches a course that uses a template. */
export const isTaughtWith = hook<{ readonly templateId: string; readonly lecturerId: string }, boolean>('isTaughtWith')

/** Called before a template is deleted: deleted courses no longer refer to it. */
export const templateDeletion = hook<{ readonly templateId: string }, void>('templateDeletion')
