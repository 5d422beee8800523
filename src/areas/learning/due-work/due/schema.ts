import Type, { type Static } from 'typebox'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { Closed, Id, Instant, Nullable, OneOf } from '#src/kit/shapes.ts'

/** The kinds of due work. */
const dueKinds = ['assignment', 'quiz'] as const

/** The states of due work. */
export const dueStates = ['not_started', 'started', 'returned', 'not_accepted', 'not_passed', 'missed'] as const

/** Work that a learner has to do now. */
export const DueWork = Closed('DueWork', {
  course: Type.Object({ id: Id('crs'), name: Type.String(), slug: Type.String() }, { additionalProperties: false }),
  lesson: Type.Object({ id: Id('les'), name: Type.String() }, { additionalProperties: false }),
  kind: OneOf(dueKinds, 'The kind of work'),
  state: OneOf(
    dueStates,
    'not_started: nothing was done; started: an attempt is in progress; returned, not_accepted: the work is to be submitted again; not_passed: the quiz can be tried again; missed: nothing was submitted, and nothing is accepted any more without an extension',
  ),
  due_at: Nullable({ ...Instant, description: 'With the extension of the learner; a quiz has none' }),
  ends_at: Nullable({ ...Instant, description: 'When the attempt in progress times out' }),
})

/** One page of due work. */
export const DuePage = PageOf(DueWork, 'DueWorkPage')

/** The query of a list of due work. */
export const DueQuery = Type.Object({
  ...PageQuery,
  course_id: Type.Optional(Id('crs')),
  kind: Type.Optional(OneOf(dueKinds, 'Only this kind')),
  'due_at[gte]': Type.Optional(Instant),
  'due_at[lt]': Type.Optional(Instant),
})

/** The values of the query of a list of due work. */
export type ListDueParams = Static<typeof DueQuery>
