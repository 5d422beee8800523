import Type, { type Static } from 'typebox'
import { accessStates, givenSources, Note, Notify } from '#src/areas/access/index.ts'
import { MemberSettings, statuses } from '#src/areas/members/index.ts'
import { PageOf, PageQuery, SortQuery } from '#src/contract/pagination.ts'
import { AllowedActions, Id, Instant, Nullable, OneOf, Personal } from '#src/kit/shapes.ts'

const Count = (description: string) => Type.Integer({ minimum: 0, description })

/** A member as a learner, to those who look after them. */
export const Student = Type.Object(
  {
    id: Id('mem'),
    name: Type.String({ description: 'What the person is called' }),
    email: Personal(Type.String({ description: 'Where the person is reached' })),
    status: OneOf(statuses, 'How far the membership of the school has got'),
    enrollment_count: Count('In how many courses they are or were enrolled; of those that the caller looks after'),
    completed_count: Count('How many of these they have completed'),
    last_activity_at: Nullable(Instant),
    allowed_actions: Type.Optional(AllowedActions),
    created_at: Instant,
    updated_at: Instant,
  },
  { additionalProperties: false, title: 'Student' },
)

/** One page of students. */
export const StudentPage = PageOf(Student, 'StudentPage')

/** The keys a list of students can be sorted by. */
export const sortKeys = ['created_at', 'name'] as const

/** What a list of students can be asked. */
export const StudentsQuery = Type.Object({
  ...PageQuery,
  ...SortQuery(sortKeys),
  q: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Beginnings of words of name or address' }),
  ),
  course_id: Type.Optional(Id('crs')),
  state: Type.Optional(OneOf(accessStates, 'Only who has access in this state, to course_id or to any course')),
})

/** What a list of students was asked, as values. */
export type ListStudentsParams = Static<typeof StudentsQuery>

/** Somebody to be enrolled by address: a member of the school, or somebody who is invited to be one. */
export const NewStudent = Type.Object(
  {
    email: MemberSettings.properties.email,
    name: Type.Optional(MemberSettings.properties.name),
    locale: Type.Optional(MemberSettings.properties.locale),
    course_ids: Type.Array(Id('crs'), { minItems: 1, maxItems: 20, uniqueItems: true }),
    starts_at: Type.Optional(Nullable(Instant)),
    ends_at: Type.Optional(Nullable(Instant)),
    source: Type.Optional(OneOf(givenSources, 'Where it comes from; staff unless told')),
    note: Type.Optional(Note),
    send_invitation: Type.Optional(
      Type.Boolean({ default: true, description: 'Whether somebody who is new is invited by mail' }),
    ),
    notify: Notify,
  },
  { additionalProperties: false, title: 'NewStudent', description: 'name is needed for somebody who is new' },
)
