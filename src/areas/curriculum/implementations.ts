import { courseFigures } from '#src/areas/courses/index.ts'
import { implement } from '#src/contract/hook.ts'
import { countNodes } from './nodes/queries.ts'

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(courseFigures, ({ courseIds }, { db, school }) => countNodes(db, school.id, courseIds)),
]
