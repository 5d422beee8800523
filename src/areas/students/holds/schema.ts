import Type from 'typebox'
import { idPattern } from '#src/kit/ids.ts'
import { Instant, Nullable, Ref } from '#src/kit/shapes.ts'
import { Note } from '../schema.ts'

/** What of a student is held back, in a path: a course, or all. */
export const HoldRef = Type.Object({
  student_id: Ref('mem', ['external']),
  item: Type.String({ pattern: `^all$|${idPattern('crs')}`, description: 'The id of a course (crs_…), or all' }),
})

/** Why a student is kept out, and until when. */
export const NewHold = Type.Object(
  { until: Type.Optional(Nullable(Instant)), note: Type.Optional(Note) },
  { additionalProperties: false, title: 'NewHold', description: 'Until it is lifted unless told' },
)
