import { hook } from '#src/contract/hook.ts'

/** How many submissions a form has, by their status. */
export type SubmissionCounts = {
  readonly formId: string
  readonly received: number
  readonly suspected: number
  readonly spam: number
}

/** Called for the numbers of submissions of forms; a form without any may be left out. */
export const submissionCounts = hook<{ readonly formIds: readonly string[] }, readonly SubmissionCounts[]>(
  'submissionCounts',
)

/** Called when a form is deleted together with its submissions; returns how many there were. */
export const submissionsDeletion = hook<{ readonly formId: string }, number>('submissionsDeletion')
