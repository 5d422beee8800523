import { texts } from '#src/texts/index.ts'

/** The texts of the editor of a lesson. */
export const lessonText = texts.staff.lessons.lesson
