import { texts } from '#src/texts/index.ts'

/** The texts of the list of students, in every language; `{…}` is filled in. */
export const listText = texts.staff.students.list
