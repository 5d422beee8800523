import { texts } from '#src/texts/index.ts'

/** The texts of the page of one enrollment, in every language; `{…}` is filled in. */
export const enrollmentText = texts.staff.students.enrollment
