import { hook } from '#src/contract/hook.ts'

/** Whether a lesson is open to a member at an instant, else when it opens, and what decides. */
export type LessonOpening = {
  readonly is_open: boolean
  readonly opens_at: Date | undefined
  readonly reason: 'open' | 'no_access' | 'drip' | 'previous'
}

/** Called for the availability of lessons of a course to a member, by the ids of the lessons; of all when none are named. */
export const lessonsOpen = hook<
  {
    readonly memberId: string
    readonly courseId: string
    readonly lessonIds?: readonly string[]
    readonly at?: Date
  },
  ReadonlyMap<string, LessonOpening>
>('lessonsOpen')

/** Called when a course was copied: each lesson of the copy with the one that it is a copy of. */
export const lessonsCopied = hook<
  {
    readonly courseId: string
    readonly pairs: readonly { readonly from: string; readonly into: string }[]
    readonly now: Date
  },
  void
>('lessonsCopied')
