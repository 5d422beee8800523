import Type from 'typebox'
import { Id, Instant, Nullable, OneOf } from '#src/kit/shapes.ts'

/** Whether a member may use a course: now, not any more, not yet, or held back. */
export const accessStates = ['active', 'held', 'upcoming', 'ended', 'none'] as const

/** What first gave access, or what decides on it now. */
export const sources = ['order_line', 'subscription', 'gift', 'staff', 'group', 'import', 'free'] as const

/** How much of a course somebody has learned. */
export const learned = {
  completed_at: Nullable(Instant),
  percent_complete: Type.Integer({ minimum: 0, maximum: 100, description: 'How much of what is required is done' }),
  current_lesson_id: Nullable(Id('les')),
  last_learned_at: Nullable(Instant),
}

/** One of the sources of access. */
export const SourceOf = OneOf(sources, 'What first gave access')
