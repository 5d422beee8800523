import { hook } from '#src/contract/hook.ts'
import type { Warning } from '#src/contract/warning.ts'

/** Whether a lesson is available to a member at an instant, else from when, and the reason. */
export type LessonAvailability = {
  readonly is_open: boolean
  readonly opens_at: Date | undefined
  readonly reason: 'open' | 'no_access' | 'drip' | 'previous'
}

/** Called for the availability of lessons of a course to a member, by the ids of the lessons; of all when none are named. */
export const lessonAvailability = hook<
  {
    readonly memberId: string
    readonly courseId: string
    readonly lessonIds?: readonly string[]
    readonly at?: Date
  },
  ReadonlyMap<string, LessonAvailability>
>('lessonAvailability')

/** Called when a course was copied: each lesson of the copy with the one that it is a copy of. */
export const lessonsCopied = hook<
  {
    readonly courseId: string
    readonly pairs: readonly { readonly from: string; readonly into: string }[]
    readonly now: Date
  },
  void
>('lessonsCopied')

/** Called after a write that may have changed which lessons a course requires, for the warnings about what it does to learners. */
export const requirementWarnings = hook<{ readonly courseId: string }, readonly Warning[]>('requirementWarnings')

/** Called for the warnings about what a lesson lacks. */
export const lessonWarnings = hook<{ readonly lessonId: string }, readonly Warning[]>('lessonWarnings')
