import Type from 'typebox'
import { declareFor } from '#src/contract/operation.ts'
import { AfterQuery, PageQuery } from '#src/contract/pagination.ts'
import { readList } from '#src/db/list.ts'
import { submissionList } from './submission/queries.ts'
import { OwnFormSubmissionPage } from './submission/schema.ts'
import { ownSubmissionViews } from './submission/views.ts'

const listAccountFormSubmissions = declareFor('self', 'account', {
  id: 'listAccountFormSubmissions',
  route: 'GET /account/form-submissions',
  summary: 'List your submissions of forms',
  description: 'Lists what you submitted with forms while you were signed in, the newest first.',
  query: Type.Object({ ...PageQuery, ...AfterQuery }),
  returns: OwnFormSubmissionPage,
  handle(context) {
    const { school, caller } = context
    return readList(context, submissionList(school.id, { memberId: caller.member.id }), ownSubmissionViews)
  },
})

/** The operations on the caller's own submissions. */
export const accountSubmissionOperations = [listAccountFormSubmissions]
