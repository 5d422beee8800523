import { texts } from '#src/texts/index.ts'

/** The texts of the editor of an assignment. */
export const assignmentText = texts.staff.lessons.assignment
