import { problem } from '#src/contract/problem.ts'
import type { LessonOpening } from './hooks.ts'

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

/** Why a lesson is not open, in words. */
export const whyLocked = ({ reason }: Pick<LessonOpening, 'reason'>): string =>
  reason === 'previous' ? 'The lesson opens when the one before it is completed.' : 'The lesson is not open yet.'
