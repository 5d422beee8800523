import type { Static } from 'typebox'
import type { LessonOpening } from '#src/areas/curriculum/index.ts'
import { toId } from '#src/kit/ids.ts'
import { instant } from '#src/kit/instant.ts'
import type { StudentLesson } from '../access.ts'
import type { LessonAvailability } from './lookups.ts'
import type { Override } from './rules.ts'
import type { StudentLessonAvailability } from './schema.ts'

const LOCKED: LessonOpening = { is_open: false, opens_at: undefined, reason: 'drip' }

/** Whether a lesson is available, since or from when, and why. */
export const availabilityView = ({ is_open, opens_at, reason }: LessonOpening = LOCKED) => ({
  is_open,
  opens_at: instant(opens_at),
  reason,
})

/** The basis of an answer about an instant: what is recorded or, for the future, the rules of today. */
export const basisOf = (at: Date, now: Date): 'recorded' | 'planned' => (at > now ? 'planned' : 'recorded')

/** The availability of a lesson to one student, with the exception made for them. */
export const studentAvailabilityView = (
  { lesson, enrollment }: StudentLesson,
  { at, now, byLesson }: LessonAvailability,
  override: Override | undefined,
): Static<typeof StudentLessonAvailability> => ({
  student_id: toId('mem', enrollment.member_id),
  lesson_id: toId('les', lesson.id),
  ...availabilityView(byLesson.get(lesson.id)),
  override:
    override === undefined
      ? null
      : { opens_at: override.opens_at.toISOString(), set_at: override.set_at.toISOString() },
  at: at.toISOString(),
  basis: basisOf(at, now),
})
