import Type from 'typebox'
import { FormRef } from '#src/areas/publishing/forms/index.ts'
import { AfterQuery, PageOf, PageQuery, SortQuery } from '#src/contract/pagination.ts'
import { AllowedActions, Closed, Email, Id, Instant, Nullable, OneOf, OptionalLine, Revision } from '#src/kit/shapes.ts'
import { FormAnswer } from '../answers/schema.ts'

/** The status of a submission. */
export const submissionStatuses = ['received', 'suspected', 'spam'] as const

/** Where a submission came from, as the page or the app says. */
export const FormSource = Closed('FormSource', {
  page: Type.Optional(Nullable(OptionalLine(500, 'The path of the page'))),
  campaign: Type.Optional(Nullable(OptionalLine(100, 'The campaign that brought the person'))),
})

const answered = {
  id: Id('fsb'),
  form_id: Id('frm'),
  form_version: Type.Integer({ minimum: 1, description: 'The version of the form whose fields were answered' }),
  answers: Type.Array(FormAnswer),
  submitted_at: Instant,
}

/** What somebody answered, as staff see it. */
export const FormSubmission = Closed('FormSubmission', {
  ...answered,
  member_id: Nullable(Id('mem')),
  status: OneOf(
    submissionStatuses,
    'suspected: a field was filled that people do not see, which browsers do sometimes too',
  ),
  source: FormSource,
  revision: Revision,
  allowed_actions: Type.Optional(AllowedActions),
})

/** What somebody answered, as they see it themselves. */
export const OwnFormSubmission = Closed('OwnFormSubmission', {
  ...answered,
  form_title: Type.String({ description: 'The title of the form in that version' }),
})

/** One page of submissions. */
export const FormSubmissionPage = PageOf(FormSubmission, 'FormSubmissionPage')

/** One page of one's own submissions. */
export const OwnFormSubmissionPage = PageOf(OwnFormSubmission, 'OwnFormSubmissionPage')

/** The submission in a path. */
export const FormSubmissionRef = Type.Object({ ...FormRef.properties, submission_id: Id('fsb') })

/** The query parameters of the list of submissions. */
export const FormSubmissionsQuery = Type.Object({
  ...PageQuery,
  ...AfterQuery,
  ...SortQuery(['created_at'] as const),
  version: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Only answers to this version' })),
  member_id: Type.Optional(Id('mem')),
  status: Type.Optional(OneOf(submissionStatuses, 'Only this status')),
  'submitted_at[gte]': Type.Optional(Instant),
  'submitted_at[lt]': Type.Optional(Instant),
})

/** How a submission is marked. */
export const SubmissionMark = Closed('FormSubmissionMark', {
  status: OneOf(['received', 'spam'], 'received: somebody wrote it; spam: nobody wants it'),
})

/** Which submissions are deleted. */
export const SubmissionsDeletion = Closed('FormSubmissionsDeletion', {
  submission_ids: Type.Array(Id('fsb'), { minItems: 1, maxItems: 100, uniqueItems: true }),
})

/** How many were deleted. */
export const DeletedSubmissions = Closed('DeletedFormSubmissions', {
  deleted: Type.Integer({ minimum: 0, description: 'How many submissions were deleted' }),
})

/** The address of somebody whose submissions are exported. */
export const PersonQuery = Type.Object({
  ...PageQuery,
  email: Email('An e-mail address that somebody answered'),
})
