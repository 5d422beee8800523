import Type, { type Static } from 'typebox'
import { FileView } from '#src/areas/storage/index.ts'
import { AfterQuery, PageOf, PageQuery, SortQuery } from '#src/contract/pagination.ts'
import { MergePatch } from '#src/kit/patch.ts'
import {
  AllowedActions,
  Id,
  Instant,
  Line,
  Nullable,
  OneOf,
  Person,
  Personal,
  Revision,
  Text,
  Words,
} from '#src/kit/shapes.ts'

/** How far work has got. */
export const submissionStatuses = ['submitted', 'returned', 'graded'] as const

const points = Type.Integer({ minimum: 0, maximum: 10_000, description: 'The points the work got' })

/** The points that work got, measured by what the assignment asked when they were given. */
export const Grade = Type.Object(
  {
    points,
    max_points: Type.Integer({ description: 'The most that it could have got' }),
    passing_points: Type.Integer({ description: 'From how many on it was accepted' }),
    accepted: Type.Boolean({ description: 'Whether that was enough' }),
  },
  { additionalProperties: false, title: 'Grade' },
)

const entry = {
  id: Id('sbm'),
  lesson_id: Id('les'),
  course_id: Id('crs'),
  attempt_number: Type.Integer({
    minimum: 1,
    description: 'Which handing in it is, counted for the person and the lesson',
  }),
  status: OneOf(submissionStatuses, 'Handed in and waiting, returned to be done again, or graded'),
  submitted_at: Instant,
  due_at: Nullable(Instant),
  late: Type.Boolean({ description: 'Whether it came after due_at; that stays as it was at that moment' }),
  grade: Nullable(Personal(Grade)),
  decided_at: Nullable(Instant),
}

const work = {
  text: Nullable(Personal(Text(50_000, 'What was written, as it was sent'))),
  link: Nullable(Personal(Type.String({ description: 'An http(s) address with the work' }))),
  files: Personal(Type.Array(FileView, { description: 'What was handed in as files' })),
  feedback: Nullable(Personal(Type.String({ description: 'What was answered to the work, as plain text' }))),
  feedback_files: Personal(Type.Array(FileView)),
  grader: Nullable(Person),
}

const rest = { revision: Revision, created_at: Instant, updated_at: Instant }

/** Work that was handed in, as it stands in a list. */
export const SubmissionEntry = Type.Object(
  { ...entry, student: Person, ...rest },
  { additionalProperties: false, title: 'SubmissionEntry' },
)

/** Work that was handed in, for those who grade it. */
export const Submission = Type.Object(
  { ...entry, student: Person, ...work, allowed_actions: Type.Optional(AllowedActions), ...rest },
  { additionalProperties: false, title: 'Submission' },
)

/** Work that one handed in oneself, as it stands in a list. */
export const OwnSubmissionEntry = Type.Object(
  { ...entry, ...rest },
  { additionalProperties: false, title: 'OwnSubmissionEntry' },
)

/** Work that one handed in oneself. */
export const OwnSubmission = Type.Object(
  { ...entry, ...work, allowed_actions: Type.Optional(AllowedActions), ...rest },
  { additionalProperties: false, title: 'OwnSubmission' },
)

const fileIds = (description: string) => Type.Array(Id('fil'), { maxItems: 20, uniqueItems: true, description })

const Work = Type.Object({
  text: Nullable(Personal(Text(50_000, 'What is handed in as text; shown as it was written'))),
  link: Nullable(Personal(Line(2000, 'An http(s) address with the work'))),
  file_ids: fileIds('Your own completed uploads for the purpose submission'),
})

/** Work to hand in for a lesson. */
export const NewSubmission = Type.Object(
  { lesson_id: Id('les'), ...Type.Partial(Work).properties },
  { additionalProperties: false, title: 'NewSubmission' },
)

/** A change of work that nobody has graded yet. */
export const SubmissionChanges = MergePatch(Work, 'SubmissionChanges')

const feedback = Text(20_000, 'What you answer to the work, as plain text')
const feedbackFiles = Type.Optional(fileIds('Your own completed uploads for the purpose submission'))

/** The points for work. */
export const NewGrade = Type.Object(
  { points, feedback: Type.Optional(Nullable(feedback)), file_ids: feedbackFiles },
  { additionalProperties: false, title: 'NewGrade' },
)

/** Why work is to be done again. */
export const NewReturn = Type.Object(
  { feedback: Words(20_000, 'What is to be done better, as plain text'), file_ids: feedbackFiles },
  { additionalProperties: false, title: 'NewReturn' },
)

/** Work in a path. */
export const SubmissionRef = Type.Object({ submission_id: Id('sbm') })

const asked = {
  ...PageQuery,
  lesson_id: Type.Optional(Id('les')),
  course_id: Type.Optional(Id('crs')),
  status: Type.Optional(OneOf(submissionStatuses, 'Only this status')),
}

/** What a list of work can be asked by those who grade it. */
export const SubmissionsQuery = Type.Object({
  ...asked,
  ...AfterQuery,
  ...SortQuery(['created_at']),
  graded: Type.Optional(Type.Boolean({ description: 'false: only what waits to be decided; true: only what was' })),
  member_id: Type.Optional(Id('mem')),
  lecturer_id: Type.Optional(Id('lec')),
})

/** What a list of one's own work can be asked. */
export const OwnSubmissionsQuery = Type.Object(asked)

/** One page of the work of students. */
export const SubmissionPage = PageOf(SubmissionEntry, 'SubmissionPage')

/** One page of one's own work. */
export const OwnSubmissionPage = PageOf(OwnSubmissionEntry, 'OwnSubmissionPage')

/** What is handed in, as values; what is undefined is left as it is. */
export type WorkInput = Partial<Static<typeof Work>>
