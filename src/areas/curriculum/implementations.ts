import { courseCopied, courseFigures, publicationWarnings } from '#src/areas/courses/index.ts'
import { implement } from '#src/contract/hook.ts'
import { countNodes } from './outline/queries.ts'
import { copyCurriculum } from './outline/writes.ts'
import { findEmptyLessons } from './warnings/queries.ts'
import { courseWarnings } from './warnings/rules.ts'

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(courseFigures, ({ courseIds }, { db, school }) => countNodes(db, school.id, courseIds)),
  implement(publicationWarnings, async ({ courseId }, { db, school }) => {
    const { lesson_count, empty_ids } = await findEmptyLessons(db, school.id, courseId)
    return courseWarnings(lesson_count, empty_ids)
  }),
  implement(courseCopied, (copied, place) => copyCurriculum(place, copied)),
]
