import { hook } from '#src/contract/hook.ts'

/** Asks for the deadline of a lesson's assignment for a member, including their extension; null: none. */
export const dueFor = hook<{ readonly memberId: string; readonly lessonId: string }, Date | null>('dueFor')
