import Type, { type Static } from 'typebox'
import { ZonedTimeInput, ZonedTimeView } from '#src/kit/local-time.ts'
import { Closed, Id, Instant, Nullable, OneOf, Recorded, Text } from '#src/kit/shapes.ts'

/** The kinds of work that learners can submit. */
const kinds = ['text', 'files', 'link'] as const

/** What happens to work after the deadline. */
const latePolicies = ['allowed', 'refused'] as const

const DAYS =
  'Instead of due_at: due at the end of the day this many days after the enrollment, in the time zone of the school'

const settings = {
  due_days_after_enrollment: Nullable(Type.Integer({ minimum: 0, maximum: 3650, description: DAYS })),
  late: OneOf(latePolicies, 'Whether work may be submitted late; it is then marked as late'),
  max_points: Type.Integer({ minimum: 1, maximum: 10_000, description: 'The most points that work can get' }),
  passing_points: Type.Integer({ minimum: 0, maximum: 10_000, description: 'The points required for acceptance' }),
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
  'The instructions in Markdown (CommonMark) as written; not safe to display, use instructions_html',
)

/** The work that learners submit for a lesson. */
export const Assignment = Closed('Assignment', {
  id: Id('asg'),
  lesson_id: Id('les'),
  course_id: Id('crs'),
  instructions,
  instructions_html: Type.String({ description: 'The instructions as sanitized HTML, safe to display in a page' }),
  due_at: Nullable(ZonedTimeView),
  ...settings,
  your_due_at: Type.Optional(
    Nullable(Type.Unsafe<Date>({ ...Instant, description: 'Your deadline, including your extension' })),
  ),
  ...Recorded,
})

/** A whole new assignment; fields that are left out get their defaults. */
export const NewAssignment = Closed('NewAssignment', {
  instructions,
  due_at: Type.Optional(Nullable(ZonedTimeInput)),
  ...Type.Partial(Type.Object(settings)).properties,
})

/** The values of a new assignment. */
export type AssignmentInput = Static<typeof NewAssignment>

/** A lesson in a path. */
export const AssignmentRef = Type.Object({ lesson_id: Id('les') })
