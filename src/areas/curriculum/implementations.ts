import { courseCopied, courseFigures, publicationWarnings } from '#src/areas/courses/index.ts'
import { implement } from '#src/contract/hook.ts'
import { copyCurriculum } from './outline/actions.ts'
import { countNodes } from './outline/queries.ts'
import { warningsOfCourse } from './warnings/actions.ts'

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(courseFigures, ({ courseIds }, { db, school }) => countNodes(db, school.id, courseIds)),
  implement(publicationWarnings, ({ courseId }, { db, school }) => warningsOfCourse(db, school.id, courseId)),
  implement(courseCopied, (copied, place) => copyCurriculum(place, copied)),
]
