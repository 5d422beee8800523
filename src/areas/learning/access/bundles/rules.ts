import { problem } from '#src/contract/problem.ts'

/** The item is not there to be opened. */
export const unknownItem = problem(
  422,
  'unknown_item',
  'There is no such item',
  'A group gives access to a course, a digital product or an event of this school. Create the item first, or find its id in the list of its type.',
)
