import { hook } from '#src/contract/hook.ts'

/** Called when a course was copied, so that later areas copy what belongs to them. */
export const courseCopied = hook<{ readonly fromId: string; readonly intoId: string; readonly now: Date }, void>(
  'courseCopied',
)

/** The figures of a course that later areas have. */
export type CourseFigures = {
  readonly section_count: number
  readonly lesson_count: number
  readonly duration_seconds: number
  readonly enrollment_count: number
  readonly rating_average: number | null
  readonly rating_count: number
}

/** Called for the figures of some courses; each area returns those that it has. */
export const courseFigures = hook<
  { readonly courseIds: readonly string[] },
  ReadonlyMap<string, Partial<CourseFigures>>
>('courseFigures')

/** Called to find out whether a member is or was enrolled in a course. */
export const hasLearned = hook<{ readonly memberId: string; readonly courseId: string }, boolean>('hasLearned')

/**
 * Called for the number of taken seats of some courses: of members who may use each, now or from a later instant, and of
 * others for whom one is reserved. What is reserved for one member can be left out.
 */
export const seatsTaken = hook<
  { readonly courseIds: readonly string[]; readonly exceptFor?: string | undefined },
  ReadonlyMap<string, number>
>('seatsTaken')

/**
 * Called to find out whether the school ended a member's access to a course and has not given it again; free prices are
 * not for them.
 */
export const isRemovedFromCourse = hook<{ readonly memberId: string; readonly courseId: string }, boolean>(
  'isRemovedFromCourse',
)

/** Called to find out whether a member may use a course now. */
export const mayUseCourse = hook<{ readonly memberId: string; readonly courseId: string }, boolean>('mayUseCourse')
