import { hook } from '#src/contract/hook.ts'

/** Called for how many of some members get a certificate when they complete a course. */
export const certificatesDue = hook<{ readonly courseId: string; readonly memberIds: readonly string[] }, number>(
  'certificatesDue',
)
