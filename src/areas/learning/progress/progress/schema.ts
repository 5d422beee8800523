import Type from 'typebox'
import { lessonTypes } from '#src/areas/courses/index.ts'
import { Closed, Id, Instant, Nullable, OneOf } from '#src/kit/shapes.ts'
import { availabilityValues, basis } from '../availability/schema.ts'

/** Who can complete a lesson. */
const completers = ['self', 'staff', 'quiz', 'assignment', 'import'] as const

const completed = {
  completed_at: Nullable(Instant),
  completed_by: Nullable(
    OneOf(
      completers,
      'self: the student; staff: staff or a lecturer; quiz, assignment: by passing or being accepted; import: elsewhere, before an import',
    ),
  ),
}

const percent_complete = Type.Integer({
  minimum: 0,
  maximum: 100,
  description: 'The completed share of the currently required lessons; 0 when no lesson is required',
})

const current_lesson_id = Nullable({ ...Id('les'), description: 'The next lesson that is available and not completed' })

/** A lesson with the progress of one student in it. */
export const ProgressLesson = Closed('ProgressLesson', {
  lesson_id: Id('les'),
  section_id: Id('sec'),
  name: Type.String(),
  type: OneOf(lessonTypes, 'What the lesson is made of'),
  required_for_completion: Type.Boolean(),
  ...availabilityValues,
  ...completed,
  position_seconds: Nullable(Type.Integer({ minimum: 0, description: 'How far into a recording the student is' })),
})

/** The progress of one student in a course, by the lessons that learners currently see. */
export const Progress = Closed('Progress', {
  enrollment_id: Id('enr'),
  student_id: Id('mem'),
  course_id: Id('crs'),
  percent_complete,
  required_count: Type.Integer({ minimum: 0 }),
  completed_count: Type.Integer({ minimum: 0, description: 'The number of required lessons that are completed' }),
  completed_at: Nullable({
    ...Instant,
    description: 'When the course was completed; this does not change when more lessons become required later',
  }),
  current_lesson_id,
  lessons: Type.Array(ProgressLesson),
  at: Instant,
  basis,
})

/** Whether a student has completed a lesson, and their progress in its course. */
export const LessonCompletion = Closed('LessonCompletion', {
  lesson_id: Id('les'),
  enrollment_id: Id('enr'),
  ...completed,
  percent_complete,
  course_completed_at: Nullable(Instant),
  current_lesson_id,
})

/** For how many people a course was completed, because they lacked nothing. */
export const CourseCompletions = Closed('CourseCompletions', {
  course_id: Id('crs'),
  completed_count: Type.Integer({ minimum: 0, description: 'How many people completed the course by it' }),
  certificate_count: Type.Integer({ minimum: 0, description: 'How many of them are issued a certificate' }),
})

/** The playback position in a recording. */
export const LessonPosition = Closed('LessonPosition', {
  seconds: Type.Integer({ minimum: 0, maximum: 360_000, description: 'From the beginning of the recording' }),
})
