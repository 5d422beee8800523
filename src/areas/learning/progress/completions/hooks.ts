import { hook } from '#src/contract/hook.ts'

/** Called for how many of some members get a certificate when they complete a course. */
export const certificatesDue = hook<{ readonly courseId: string; readonly memberIds: readonly string[] }, number>(
  'certificatesDue',
)

/**
 * Called for those of some members who have a valid certificate of a course, as the ids of member and course with a space between
 * them.
 */
export const certificatesGiven = hook<
  { readonly pairs: readonly { readonly memberId: string; readonly courseId: string }[] },
  readonly string[]
>('certificatesGiven')
