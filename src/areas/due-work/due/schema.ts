import Type, { type Static } from 'typebox'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { Id, Instant, Nullable, OneOf } from '#src/kit/shapes.ts'

/** What can be due. */
export const dueKinds = ['assignment', 'quiz'] as const

/** How far one has got with what is due. */
export const dueStates = ['not_started', 'started', 'returned', 'not_accepted', 'not_passed', 'missed'] as const

/** Work that one has to do now. */
export const DueWork = Type.Object(
  {
    course: Type.Object({ id: Id('crs'), name: Type.String(), slug: Type.String() }, { additionalProperties: false }),
    lesson: Type.Object({ id: Id('les'), name: Type.String() }, { additionalProperties: false }),
    kind: OneOf(dueKinds, 'What it is'),
    state: OneOf(
      dueStates,
      'not_started: nothing was done; started: an attempt is under way; returned, not_accepted: the work is to be handed in again; not_passed: the quiz can be tried again; missed: nothing was handed in, and nothing is taken any more without an extension',
    ),
    due_at: Nullable({ ...Instant, description: 'With what was granted to the person alone; a quiz has none' }),
    ends_at: Nullable({ ...Instant, description: 'When the attempt that is under way ends by itself' }),
  },
  { additionalProperties: false, title: 'DueWork' },
)

/** One page of what is due. */
export const DuePage = PageOf(DueWork, 'DueWorkPage')

/** What a list of what is due can be asked. */
export const DueQuery = Type.Object({
  ...PageQuery,
  course_id: Type.Optional(Id('crs')),
  kind: Type.Optional(OneOf(dueKinds, 'Only this kind')),
  'due_at[gte]': Type.Optional(Instant),
  'due_at[lt]': Type.Optional(Instant),
})

/** What a list of what is due was asked, as values. */
export type ListDueParams = Static<typeof DueQuery>
