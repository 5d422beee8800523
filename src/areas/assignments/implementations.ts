import { lessonsCopied } from '#src/areas/curriculum/index.ts'
import { implement } from '#src/contract/hook.ts'
import { copyAssignmentsOf } from './actions.ts'

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(lessonsCopied, async ({ pairs, now }, place) => {
    await copyAssignmentsOf(place, pairs, now)
  }),
]
