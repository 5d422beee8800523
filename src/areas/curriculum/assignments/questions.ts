import { question } from '#src/contract/question.ts'

/** Asks when the assignment of a lesson is due for a member, with what was granted to them alone; null: at any time. */
export const dueFor = question<{ readonly memberId: string; readonly lessonId: string }, Date | null>('dueFor')
