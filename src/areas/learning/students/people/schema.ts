import Type, { type Static } from 'typebox'
import { accessStates, Note, Notify, staffSources } from '#src/areas/learning/access/index.ts'
import { MemberSettings, statuses } from '#src/areas/people/index.ts'
import { PageOf, PageQuery, SortQuery } from '#src/contract/pagination.ts'
import { AllowedActions, Closed, Id, Instant, Nullable, OneOf, Personal } from '#src/kit/shapes.ts'

const Count = (description: string) => Type.Integer({ minimum: 0, description })

/** A student with counts, for those who look after them. */
export const Student = Closed('Student', {
  id: Id('mem'),
  name: Type.String({ description: 'The name of the person' }),
  email: Personal(Type.String({ description: 'The e-mail address of the person' })),
  status: OneOf(statuses, 'The status of the membership'),
  enrollment_count: Count('In how many courses they are or were enrolled; only of those that the caller manages'),
  completed_count: Count('How many of these they have completed'),
  last_activity_at: Nullable(Instant),
  allowed_actions: Type.Optional(AllowedActions),
  created_at: Instant,
  updated_at: Instant,
})

/** One page of students. */
export const StudentPage = PageOf(Student, 'StudentPage')

/** The keys a list of students can be sorted by. */
const sortKeys = ['created_at', 'name'] as const

/** The query of a list of students. */
export const StudentsQuery = Type.Object({
  ...PageQuery,
  ...SortQuery(sortKeys),
  q: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Beginnings of words of name or address' }),
  ),
  course_id: Type.Optional(Id('crs')),
  state: Type.Optional(OneOf(accessStates, 'Only those whose access to course_id, or to any course, is in this state')),
})

/** The query of a list of students as values. */
export type ListStudentsParams = Static<typeof StudentsQuery>

/** Somebody to enroll by address: a member of the school, or a new one who is invited. */
export const NewStudent = Closed(
  'NewStudent',
  {
    email: MemberSettings.properties.email,
    name: Type.Optional(MemberSettings.properties.name),
    locale: Type.Optional(MemberSettings.properties.locale),
    course_ids: Type.Array(Id('crs'), { minItems: 1, maxItems: 20, uniqueItems: true }),
    starts_at: Type.Optional(Nullable(Instant)),
    ends_at: Type.Optional(Nullable(Instant)),
    source: Type.Optional(OneOf(staffSources, 'Where it comes from; the default is staff')),
    note: Type.Optional(Note),
    send_invitation: Type.Optional(
      Type.Boolean({ default: true, description: 'Whether a new person is invited by mail' }),
    ),
    notify: Notify,
  },
  'A new person needs a name',
)
