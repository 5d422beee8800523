import type { Static } from 'typebox'
import type { LessonAvailability } from '#src/areas/courses/index.ts'
import type { StudentLesson } from '../access.ts'
import type { CourseAvailability } from './lookups.ts'
import type { Override } from './rules.ts'
import type { StudentLessonAvailability } from './schema.ts'

const LOCKED: LessonAvailability = { is_open: false, opens_at: undefined, reason: 'drip' }

/** Whether a lesson is available, since or from when, and why. */
export const availabilityView = ({ is_open, opens_at, reason }: LessonAvailability = LOCKED) => ({
  is_open,
  opens_at: opens_at ?? null,
  reason,
})

/** The basis of an answer about an instant: what is recorded or, for the future, the rules of today. */
export const chooseBasis = (at: Date, now: Date): 'recorded' | 'planned' => (at > now ? 'planned' : 'recorded')

/** The availability of a lesson to one student, with the exception made for them. */
export const studentAvailabilityView = (
  { lesson, enrollment }: StudentLesson,
  { at, now, byLesson }: CourseAvailability,
  override: Override | undefined,
): Static<typeof StudentLessonAvailability> => ({
  student_id: enrollment.member_id,
  lesson_id: lesson.id,
  ...availabilityView(byLesson.get(lesson.id)),
  override: override === undefined ? null : { opens_at: override.opens_at, set_at: override.set_at },
  at,
  basis: chooseBasis(at, now),
})
