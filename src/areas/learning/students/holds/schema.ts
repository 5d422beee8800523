import Type from 'typebox'
import { Note } from '#src/areas/learning/access/index.ts'
import { Closed, Id, Instant, Nullable, Ref } from '#src/kit/shapes.ts'

/** The student whose access is held, in a path. */
export const HoldRef = Type.Object({ student_id: Ref('mem', ['external']) })

/** The student and the course to which access is held, in a path. */
export const CourseHoldRef = Type.Object({ student_id: Ref('mem', ['external']), course_id: Id('crs') })

/** Why the access of a student is held, and until when. */
export const NewHold = Closed(
  'NewHold',
  { until: Type.Optional(Nullable(Instant)), note: Type.Optional(Note) },
  'The default is until it is lifted',
)
