import Type from 'typebox'
import { ZonedTimeInput, ZonedTimeView } from '#src/kit/local-time.ts'
import { Closed, Id, Nullable, Personal, Recorded, Text } from '#src/kit/shapes.ts'

const note = Nullable(Personal(Text(1000, 'Why, for those who teach')))

/** The deadline extension of a student. */
export const Extension = Closed('Extension', {
  student_id: Id('mem'),
  lesson_id: Id('les'),
  due_at: ZonedTimeView,
  note,
  ...Recorded,
})

/** More time as it is granted. */
export const NewExtension = Closed('NewExtension', { due_at: ZonedTimeInput, note: Type.Optional(note) })

/** A student and a lesson in a path. */
export const ExtensionRef = Type.Object({ student_id: Id('mem'), lesson_id: Id('les') })
