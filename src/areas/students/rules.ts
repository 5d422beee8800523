import type { LessonOpening } from '#src/areas/curriculum/index.ts'
import type { Access } from '#src/areas/entitlements/index.ts'
import { problem } from '#src/contract/problem.ts'

/** The person has no access to the course now. */
export const accessRequired = problem(
  403,
  'access_required',
  'There is no access to the course now',
  'Learning in a course needs access to it. GET /account/access tells whether it is yet to begin, has ended or is held back, and what it rests on.',
)

/** The lesson is not open yet. */
export const lessonLocked = problem(
  403,
  'lesson_locked',
  'The lesson is not open yet',
  'The course opens its lessons one after the other or at certain times. opens_at tells when this one opens, where that is known.',
)

const WHY: Readonly<Record<Access['state'], string>> = {
  active: 'There is access to the course.',
  held: 'The access to the course is held back.',
  upcoming: 'The access to the course has not begun yet.',
  ended: 'The access to the course has ended.',
  none: 'There is no access to the course.',
}

/** Why somebody may not use a course now, in words. */
export const whyNot = ({ state }: Pick<Access, 'state'>): string => WHY[state]

/** Why a lesson is not open, in words. */
export const whyLocked = ({ reason }: Pick<LessonOpening, 'reason'>): string =>
  reason === 'previous' ? 'The lesson opens when the one before it is completed.' : 'The lesson is not open yet.'
