import { hook } from '#src/contract/hook.ts'

/** Asks when the assignment of a lesson is due for a member, with what was granted to them alone; null: at any time. */
export const dueFor = hook<{ readonly memberId: string; readonly lessonId: string }, Date | null>('dueFor')
