import { Id } from '#src/kit/shapes.ts'
import { Count, declareFacts, FieldNames } from './declaration.ts'

const scope = 'lecturers:read'
const lecturer = { lecturer_id: Id('lec') }
const aboutLecturer = { scope, subject: 'lecturer_id', readBy: 'getLecturer' } as const

/** The facts about the public profiles of lecturers. */
export const lecturerFacts = {
  ...declareFacts({ ...aboutLecturer, fields: lecturer }, { 'lecturer.created': 'A lecturer was created.' }),
  ...declareFacts(
    { scope, subject: 'lecturer_id', fields: lecturer },
    { 'lecturer.deleted': 'A lecturer was deleted.' },
  ),
  ...declareFacts(
    { ...aboutLecturer, fields: { ...lecturer, fields: FieldNames } },
    { 'lecturer.updated': 'A lecturer changed.' },
  ),
  ...declareFacts({ scope, fields: { count: Count } }, { 'lecturer.reordered': 'The order of lecturers changed.' }),
}
