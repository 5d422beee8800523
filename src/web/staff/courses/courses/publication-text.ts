import { texts } from '#src/texts/index.ts'

/** The texts of the page on which a course is published, archived, copied and deleted. */
export const publicationText = texts.staff.courses.publication
