import Type, { type Static } from 'typebox'
import { FileView } from '#src/areas/files/index.ts'
import { AfterQuery, PageOf, PageQuery, SortQuery } from '#src/contract/pagination.ts'
import { MergePatch } from '#src/kit/patch.ts'
import {
  AllowedActions,
  Closed,
  Id,
  Instant,
  Line,
  Markdown,
  Nullable,
  OneOf,
  Person,
  Personal,
  Revision,
  Text,
  Words,
} from '#src/kit/shapes.ts'

/** The status of a submission. */
const submissionStatuses = ['submitted', 'returned', 'graded'] as const

const points = Type.Integer({ minimum: 0, maximum: 10_000, description: 'The points the work got' })

/** The grade of a submission, by the points of the assignment when it was graded. */
const Grade = Closed('Grade', {
  points,
  max_points: Type.Integer({ description: 'The highest possible points' }),
  passing_points: Type.Integer({ description: 'The points required for acceptance' }),
  accepted: Type.Boolean({ description: 'Whether that was enough' }),
})

const entry = {
  id: Id('sbm'),
  lesson_id: Id('les'),
  course_id: Id('crs'),
  attempt_number: Type.Integer({
    minimum: 1,
    description: 'Which submission of the person for the lesson it is',
  }),
  status: OneOf(submissionStatuses, 'Submitted and waiting, returned for revision, or graded'),
  submitted_at: Instant,
  due_at: Nullable(Instant),
  late: Type.Boolean({
    description: 'Whether it was submitted after due_at; a later change of due_at does not change it',
  }),
  grade: Nullable(Personal(Grade)),
  decided_at: Nullable(Instant),
}

const work = {
  text: Nullable(Personal(Text(50_000, 'The text, as it was sent'))),
  link: Nullable(Personal(Type.String({ description: 'An http(s) address with the work' }))),
  files: Personal(Type.Array(FileView, { description: 'The submitted files' })),
  feedback: Nullable(Personal(Markdown(20_000, 'The feedback on the work'))),
  feedback_files: Personal(Type.Array(FileView)),
  grader: Nullable(Person),
}

const rest = { revision: Revision, created_at: Instant, updated_at: Instant }

/** A submission in a list. */
export const SubmissionEntry = Closed('SubmissionEntry', { ...entry, student: Person, ...rest })

/** A submission, for those who grade it. */
export const Submission = Closed('Submission', {
  ...entry,
  student: Person,
  ...work,
  allowed_actions: Type.Optional(AllowedActions),
  ...rest,
})

/** One's own submission in a list. */
export const OwnSubmissionEntry = Closed('OwnSubmissionEntry', { ...entry, ...rest })

/** One's own submission. */
export const OwnSubmission = Closed('OwnSubmission', {
  ...entry,
  ...work,
  allowed_actions: Type.Optional(AllowedActions),
  ...rest,
})

const fileIds = (description: string) => Type.Array(Id('fil'), { maxItems: 20, uniqueItems: true, description })

const Work = Type.Object({
  text: Nullable(Personal(Text(50_000, 'The text; shown as it was written'))),
  link: Nullable(Personal(Line(2000, 'An http(s) address with the work'))),
  file_ids: fileIds('Your own completed uploads for the purpose submission'),
})

/** Work to submit for a lesson. */
export const NewSubmission = Closed('NewSubmission', { lesson_id: Id('les'), ...Type.Partial(Work).properties })

/** A change of work that nobody has graded yet. */
export const SubmissionChanges = MergePatch(Work, 'SubmissionChanges')

const feedback = Markdown(20_000, 'Your feedback on the work')
const feedbackFiles = Type.Optional(fileIds('Your own completed uploads for the purpose submission'))

/** The points for work. */
export const NewGrade = Closed('NewGrade', {
  points,
  feedback: Type.Optional(Nullable(feedback)),
  file_ids: feedbackFiles,
})

/** Why work is returned for revision. */
export const NewReturn = Closed('NewReturn', {
  feedback: Words(20_000, 'What to improve, in Markdown'),
  file_ids: feedbackFiles,
})

/** A submission in a path. */
export const SubmissionRef = Type.Object({ submission_id: Id('sbm') })

const filters = {
  ...PageQuery,
  lesson_id: Type.Optional(Id('les')),
  course_id: Type.Optional(Id('crs')),
  status: Type.Optional(OneOf(submissionStatuses, 'Only this status')),
}

/** The query of a list of submissions, for those who grade them. */
export const SubmissionsQuery = Type.Object({
  ...filters,
  ...AfterQuery,
  ...SortQuery(['created_at']),
  graded: Type.Optional(Type.Boolean({ description: 'false: only undecided submissions; true: only decided ones' })),
  member_id: Type.Optional(Id('mem')),
  lecturer_id: Type.Optional(Id('lec')),
})

/** The query of a list of one's own submissions. */
export const OwnSubmissionsQuery = Type.Object(filters)

/** One page of the submissions of students. */
export const SubmissionPage = PageOf(SubmissionEntry, 'SubmissionPage')

/** One page of one's own submissions. */
export const OwnSubmissionPage = PageOf(OwnSubmissionEntry, 'OwnSubmissionPage')

/** The values of work to submit; undefined ones stay as they are. */
export type WorkInput = Partial<Static<typeof Work>>

/** The values of the query of a list of submissions. */
export type ListSubmissionsParams = Static<typeof SubmissionsQuery>
