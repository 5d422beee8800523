import { question } from '#src/contract/question.ts'

/** Whether a lesson is open to a member at an instant, and why or when. */
export type LessonOpening = {
  readonly is_open: boolean
  readonly opens_at: Date | undefined
  readonly reason: 'open' | 'no_access' | 'drip' | 'previous'
}

/**
 * Asks which lessons of a course are open to a member; unset, all of them and now. Nobody's answer about a lesson means
 * that it is not open.
 */
export const lessonsOpen = question<
  {
    readonly memberId: string
    readonly courseId: string
    readonly lessonIds?: readonly string[]
    readonly at?: Date
  },
  ReadonlyMap<string, LessonOpening>
>('lessonsOpen')
