import Type, { type Static } from 'typebox'
import { ZonedTimeInput, ZonedTimeView } from '#src/kit/local-time.ts'
import { AllowedActions, Id, Instant, Nullable, OneOf, Revision, Text } from '#src/kit/shapes.ts'

/** The kinds of work that learners can submit. */
export const kinds = ['text', 'files', 'link'] as const

/** What happens to work after the deadline. */
export const latePolicies = ['allowed', 'refused'] as const

const DAYS = 'Instead of a moment: the end of so many days after the enrollment, in the time zone of the school'

const settings = {
  due_days_after_enrollment: Nullable(Type.Integer({ minimum: 0, maximum: 3650, description: DAYS })),
  late: OneOf(latePolicies, 'Whether work may come late; it is marked as late then'),
  max_points: Type.Integer({ minimum: 1, maximum: 10_000, description: 'The most points that work can get' }),
  passing_points: Type.Integer({ minimum: 0, maximum: 10_000, description: 'From how many points work is accepted' }),
  kinds: Type.Array(OneOf(kinds, 'A kind of work'), {
    minItems: 1,
    maxItems: 3,
    uniqueItems: true,
    description: 'The kinds that can be submitted, each alone or together',
  }),
  max_files: Type.Integer({ minimum: 1, maximum: 20, description: 'How many files at most' }),
  max_resubmissions: Nullable(
    Type.Integer({ minimum: 0, maximum: 100, description: 'How often work can be submitted again; null: no limit' }),
  ),
  required: Type.Boolean({ description: 'Whether the lesson is completed only by work that was accepted' }),
}

const instructions = Text(
  200_000,
  'What is to be done, in Markdown (CommonMark) as it was written; it is not safe to show, instructions_html is',
)

/** The work that learners submit for a lesson. */
export const Assignment = Type.Object(
  {
    id: Id('asg'),
    lesson_id: Id('les'),
    course_id: Id('crs'),
    instructions,
    instructions_html: Type.String({ description: 'The instructions as HTML, cleaned: safe to show in a page' }),
    due_at: Nullable(ZonedTimeView),
    ...settings,
    your_due_at: Type.Optional(
      Nullable(Type.Unsafe<string>({ ...Instant, description: 'When it is due for you, with your own extension' })),
    ),
    revision: Revision,
    allowed_actions: Type.Optional(AllowedActions),
    created_at: Instant,
    updated_at: Instant,
  },
  { additionalProperties: false, title: 'Assignment' },
)

/** A whole new assignment; fields that are left out get their defaults. */
export const NewAssignment = Type.Object(
  {
    instructions,
    due_at: Type.Optional(Nullable(ZonedTimeInput)),
    ...Type.Partial(Type.Object(settings)).properties,
  },
  { additionalProperties: false, title: 'NewAssignment' },
)

/** The values of a new assignment. */
export type AssignmentInput = Static<typeof NewAssignment>

/** A lesson in a path. */
export const AssignmentRef = Type.Object({ lesson_id: Id('les') })
