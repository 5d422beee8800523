import type { Trace } from '#src/contract/trace.ts'
import { type NewPosition, storePositions } from '../progress/queries.ts'

/** How far into recordings people are: told every few seconds, and stored now and then. */
export const positionTrace: Trace<NewPosition> = {
  name: 'lesson_positions',
  keyOf: ({ member_id, lesson_id }) => `${member_id} ${lesson_id}`,
  store: storePositions,
}
