import type { BufferedWrite } from '#src/contract/buffered-write.ts'
import { type NewPosition, storePositions } from '../progress/queries.ts'

/** How far into recordings people are: told every few seconds, and stored now and then. */
export const positionTrace: BufferedWrite<NewPosition> = {
  name: 'lesson_positions',
  keyOf: ({ member_id, lesson_id }) => `${member_id} ${lesson_id}`,
  store: storePositions,
}
