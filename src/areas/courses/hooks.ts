import { hook } from '#src/contract/hook.ts'
import type { Warning } from '#src/contract/warning.ts'

/** Asks how many members may use a course now; a course that somebody may use is not deleted. */
export const holdsOf = hook<{ readonly courseId: string }, number>('holdsOf')

/** Called when a course was copied, so that later areas copy what belongs to them. */
export const courseCopied = hook<{ readonly fromId: string; readonly intoId: string; readonly now: Date }, void>(
  'courseCopied',
)

/** The figures of a course that later areas know. */
export type CourseFigures = {
  readonly section_count: number
  readonly lesson_count: number
  readonly duration_seconds: number
  readonly enrollment_count: number
  readonly rating_average: number | null
  readonly rating_count: number
}

/** Asks later areas for the figures of some courses; each gives those it has. */
export const courseFigures = hook<
  { readonly courseIds: readonly string[] },
  ReadonlyMap<string, Partial<CourseFigures>>
>('courseFigures')

/** Asks what a course that is published lacks. */
export const publicationWarnings = hook<{ readonly courseId: string }, readonly Warning[]>('publicationWarnings')

/** Asks whether a member is or ever was enrolled in a course. */
export const hasLearned = hook<{ readonly memberId: string; readonly courseId: string }, boolean>('hasLearned')

/** Asks how many seats of some courses are taken: how many members may use each of them, now or from a later instant. */
export const seatsTaken = hook<{ readonly courseIds: readonly string[] }, ReadonlyMap<string, number>>('seatsTaken')

/** Asks whether a member may use a course now. */
export const mayUseCourse = hook<{ readonly memberId: string; readonly courseId: string }, boolean>('mayUseCourse')
