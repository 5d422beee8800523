import { lessonsCopied } from '#src/areas/courses/index.ts'
import { implement } from '#src/contract/hook.ts'
import { newUuid } from '#src/kit/ids.ts'
import { copyAssignments } from './assignments/queries.ts'

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(lessonsCopied, async ({ pairs, now }, { db, school }) => {
    await copyAssignments(
      db,
      school.id,
      pairs.map(pair => ({ ...pair, id: newUuid(now.getTime()) })),
    )
  }),
]
