import { area } from '#src/contract/area.ts'
import { versionOperations } from './operations.ts'

export { LessonVersionPage } from './operations.ts'

/** The versions of the content of lessons: who changed it and when, and the restoration of an earlier one. */
export const lessonVersions = area({ name: 'lesson-versions', operations: versionOperations })
