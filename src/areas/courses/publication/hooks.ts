import { hook } from '#src/contract/hook.ts'
import type { Warning } from '#src/contract/warning.ts'

/** Called for the warnings about what a published course lacks. */
export const publicationWarnings = hook<{ readonly courseId: string }, readonly Warning[]>('publicationWarnings')
