import { area } from '#src/contract/area.ts'
import { publicationOperations } from './operations.ts'

export { publicationWarnings } from './hooks.ts'
export { PublishedCourse } from './operations.ts'

/** The publication, scheduling and archiving of courses. */
export const publication = area({ name: 'publication', operations: publicationOperations })
