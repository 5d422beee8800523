import { lessonWarnings, listCoursePrices, publicationWarnings } from '#src/areas/courses/index.ts'
import { listSaleWarnings } from '#src/areas/school/index.ts'
import { area } from '#src/contract/area.ts'
import { implement } from '#src/contract/hook.ts'
import { findEmptyLessons, isEmptyLesson } from './queries.ts'
import { warningsOfCourse, warningsOfLesson } from './rules.ts'

/** What published courses and lessons lack: lessons, the content that their type needs, or a school that can be paid for them. */
export const warnings = area({
  name: 'warnings',
  operations: [],
  hooks: [
    implement(publicationWarnings, async ({ courseId }, { db, school }) => {
      const [{ lesson_count, empty_ids }, prices] = await Promise.all([
        findEmptyLessons(db, school.id, courseId),
        listCoursePrices(db, school.id, [courseId]),
      ])
      return [...warningsOfCourse(lesson_count, empty_ids), ...(await listSaleWarnings({ db, school }, prices))]
    }),
    implement(lessonWarnings, async ({ lessonId }, { db, school }) =>
      warningsOfLesson(lessonId, await isEmptyLesson(db, school.id, lessonId)),
    ),
  ],
})
