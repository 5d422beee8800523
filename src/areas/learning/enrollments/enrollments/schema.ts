import Type, { type Static } from 'typebox'
import { Course } from '#src/areas/courses/index.ts'
import {
  AccessView,
  accessStates,
  Note,
  Notify,
  StudentContact,
  sources,
  staffSources,
} from '#src/areas/learning/access/index.ts'
import { AfterQuery, PageOf, PageQuery, SortQuery } from '#src/contract/pagination.ts'
import { Closed, Id, Instant, Nullable, OneOf, Recorded } from '#src/kit/shapes.ts'

const Source = OneOf(sources, 'What first gave access')

/** The progress of somebody in a course, and whether they may use it now. */
export const Enrollment = Closed('Enrollment', {
  id: Id('enr'),
  member_id: Id('mem'),
  course_id: Id('crs'),
  course_name: Type.String({ description: 'What the course is called, whether or not it can be seen now' }),
  source: Source,
  access: AccessView,
  completed_at: Nullable(Instant),
  percent_complete: Type.Integer({
    minimum: 0,
    maximum: 100,
    description: 'How much of what is required is completed',
  }),
  current_lesson_id: Nullable(Id('les')),
  last_activity_at: Nullable(Instant),
  member: Type.Optional(StudentContact),
  course: Type.Optional(Course),
  ...Recorded,
})

/** One page of enrollments. */
export const EnrollmentPage = PageOf(Enrollment, 'EnrollmentPage')

/** An enrollment in a path. */
export const EnrollmentRef = Type.Object({ enrollment_id: Id('enr') })

const percent = Type.Integer({ minimum: 0, maximum: 100, description: 'By how much of what is required is completed' })

const filters = {
  state: Type.Optional(OneOf(accessStates, 'Only where access is in this state now')),
  completed: Type.Optional(Type.Boolean({ description: 'Only completed ones, or only others' })),
  'percent_complete[gte]': Type.Optional(percent),
  'percent_complete[lt]': Type.Optional(percent),
}

/** The query of a list of enrollments. */
export const EnrollmentsQuery = Type.Object({
  ...PageQuery,
  ...AfterQuery,
  ...SortQuery(['created_at'] as const),
  course_id: Type.Optional(Id('crs')),
  member_id: Type.Optional(Id('mem')),
  ...filters,
  'created_at[gte]': Type.Optional(Instant),
  'updated_at[gte]': Type.Optional(Instant),
})

/** The query of a list of the enrollments of one course. */
export const CourseEnrollmentsQuery = Type.Object({ ...PageQuery, ...SortQuery(['created_at'] as const), ...filters })

/** The query of a list of enrollments as values. */
export type ListEnrollmentsParams = Static<typeof EnrollmentsQuery>

const span = {
  starts_at: Type.Optional(Nullable(Instant)),
  ends_at: Type.Optional(Nullable(Instant)),
}

const StaffSource = Type.Optional(OneOf(staffSources, 'Where it comes from; the default is staff'))

/** A member to be enrolled in a course. */
export const NewEnrollment = Closed(
  'NewEnrollment',
  {
    member_id: Id('mem'),
    course_id: Id('crs'),
    ...span,
    source: StaffSource,
    note: Type.Optional(Note),
    notify: Notify,
  },
  'The default is from now on and without an end',
)

/** Another end of one reason for access. */
export const EnrollmentChanges = Closed(
  'EnrollmentChanges',
  {
    ends_at: Nullable(Instant),
    entitlement_id: Type.Optional(Id('ent')),
  },
  'The default is the only active entitlement that staff gave; null removes the end',
)

/** Which entitlements to revoke, and why. */
export const RevocationQuery = Type.Object({
  reason: Type.Optional(Note),
  'entitlement_id[in]': Type.Optional(
    Type.Array(Id('ent'), {
      minItems: 1,
      maxItems: 100,
      description: 'Only these, separated by commas, bought ones too; the default is all that staff gave',
    }),
  ),
})

/** The revoked entitlements of an enrollment, and those that remain. */
export const Revocation = Closed('Revocation', {
  enrollment: Enrollment,
  revoked: Type.Array(Id('ent'), { description: 'The entitlements that ended' }),
  kept: Type.Array(
    Type.Object(
      { entitlement_id: Id('ent'), source: OneOf(sources, 'Where it comes from') },
      { additionalProperties: false },
    ),
    { description: 'The entitlements that still give access' },
  ),
  explanation: Type.Array(Type.String(), { description: 'In sentences' }),
})
