import Type from 'typebox'
import { ownAccessStates } from '#src/areas/learning/access/index.ts'
import { PageQuery, SortQuery } from '#src/contract/pagination.ts'
import { Closed, Id, OneOf } from '#src/kit/shapes.ts'

/** The query of a list of one's own enrollments. */
export const OwnEnrollmentsQuery = Type.Object({
  ...PageQuery,
  ...SortQuery(['created_at'] as const),
  course_id: Type.Optional(Id('crs')),
  state: Type.Optional(OneOf(ownAccessStates, 'Only where access is in this state now')),
  completed: Type.Optional(Type.Boolean({ description: 'Only completed ones, or only others' })),
})

/** A free course to enroll in. */
export const OwnEnrollment = Closed('OwnEnrollment', {
  course_id: Id('crs'),
  price_id: Type.Optional({
    ...Id('prc'),
    description: 'A free price of the course: prc_…; the default is the oldest one with a seat left',
  }),
})
