import { lessonWarnings, publicationWarnings } from '#src/areas/courses/index.ts'
import { area } from '#src/contract/area.ts'
import { implement } from '#src/contract/hook.ts'
import { findEmptyLessons, isEmptyLesson } from './queries.ts'
import { warningsOfCourse, warningsOfLesson } from './rules.ts'

/** What published courses and lessons lack: lessons, or the content that their type needs. */
export const warnings = area({
  name: 'warnings',
  operations: [],
  hooks: [
    implement(publicationWarnings, async ({ courseId }, { db, school }) => {
      const { lesson_count, empty_ids } = await findEmptyLessons(db, school.id, courseId)
      return warningsOfCourse(lesson_count, empty_ids)
    }),
    implement(lessonWarnings, async ({ lessonId }, { db, school }) =>
      warningsOfLesson(lessonId, await isEmptyLesson(db, school.id, lessonId)),
    ),
  ],
})
