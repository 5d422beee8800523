import { hook } from '#src/contract/hook.ts'

/** A course, as far as somebody must know it who cannot do what they wanted because of it. */
export type NamedCourse = { readonly id: string; readonly name: string }

/** Asks in how many published and listed courses each of some lecturers teaches. */
export const courseCounts = hook<{ readonly lecturerIds: readonly string[] }, ReadonlyMap<string, number>>(
  'courseCounts',
)

/** Asks which published courses would be left without a lecturer; holds them until the transaction ends. */
export const soleLecturerOf = hook<{ readonly lecturerId: string }, readonly NamedCourse[]>('soleLecturerOf')
