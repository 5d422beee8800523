import Type from 'typebox'
import { Id } from '#src/kit/shapes.ts'
import { Count, declareFacts, FieldNames, Word } from './declaration.ts'

const scope = 'curriculum:read'
const section = { section_id: Id('sec'), course_id: Id('crs') }
const aboutSection = { scope, subject: 'section_id', readBy: 'getSection' } as const
const lesson = { lesson_id: Id('les'), course_id: Id('crs') }
const aboutLesson = { scope, subject: 'lesson_id', readBy: 'getLesson' } as const
const attachment = { attachment_id: Id('atc'), lesson_id: Id('les') }
const aboutAttachment = { scope, subject: 'attachment_id', readBy: 'getAttachment' } as const

/** The facts about what courses consist of: sections, lessons, attachments, quizzes and assignments. */
export const curriculumFacts = {
  ...declareFacts(
    { scope, subject: 'course_id', readBy: 'getOutline', fields: { course_id: Id('crs'), change_count: Count } },
    { 'outline.updated': 'Sections and lessons of a course were replaced.' },
  ),
  ...declareFacts(
    { ...aboutSection, fields: section },
    {
      'section.created': 'A section was created.',
      'section.moved': 'A section was moved to another place in its outline.',
      'section.reordered': 'The order of sections changed.',
      'section.restored': 'A section was restored.',
    },
  ),
  ...declareFacts(
    { ...aboutSection, fields: { ...section, fields: FieldNames } },
    { 'section.updated': 'A section changed.' },
  ),
  ...declareFacts(
    { ...aboutSection, fields: { ...section, lesson_count: Count } },
    { 'section.archived': 'A section was archived.' },
  ),
  ...declareFacts(
    { ...aboutLesson, fields: lesson },
    {
      'lesson.archived': 'A lesson was archived.',
      'lesson.drip_updated': 'The release schedule of a lesson changed.',
      'lesson.moved': 'A lesson was moved to another place in its outline.',
      'lesson.restored': 'A lesson was restored.',
    },
  ),
  ...declareFacts(
    { ...aboutLesson, fields: { ...lesson, status: Word } },
    { 'lesson.created': 'A lesson was created.' },
  ),
  ...declareFacts(
    { ...aboutLesson, fields: { ...lesson, fields: FieldNames, restores: Type.Optional(Count) } },
    { 'lesson.updated': 'A lesson changed.' },
  ),
  ...declareFacts(
    { ...aboutAttachment, fields: attachment },
    { 'attachment.created': 'An attachment was created.', 'attachment.updated': 'An attachment changed.' },
  ),
  ...declareFacts(
    { scope, subject: 'attachment_id', fields: attachment },
    { 'attachment.deleted': 'An attachment was deleted.' },
  ),
  ...declareFacts(
    { ...aboutLesson, fields: { lesson_id: Id('les') } },
    { 'attachment.reordered': 'The order of attachments changed.' },
  ),
  ...declareFacts(
    { scope, subject: 'quiz_id', readBy: 'getQuiz', fields: { quiz_id: Id('quz'), ...lesson } },
    { 'quiz.updated': 'A quiz changed.' },
  ),
  ...declareFacts(
    { scope, subject: 'assignment_id', readBy: 'getAssignment', fields: { assignment_id: Id('asg'), ...lesson } },
    { 'assignment.created': 'An assignment was created.', 'assignment.updated': 'An assignment changed.' },
  ),
}
