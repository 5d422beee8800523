import { hook } from '#src/contract/hook.ts'

/** The id and name of a course, to name it in a refusal. */
export type NamedCourse = { readonly id: string; readonly name: string }

/** Called for the number of published and listed courses that each of some lecturers teaches. */
export const courseCounts = hook<{ readonly lecturerIds: readonly string[] }, ReadonlyMap<string, number>>(
  'courseCounts',
)

/** Called for the published courses that would have no lecturer left; locks them until the transaction ends. */
export const soleLecturerOf = hook<{ readonly lecturerId: string }, readonly NamedCourse[]>('soleLecturerOf')
