import type { Static } from 'typebox'
import { enquiry, FormRef, getForm, listPublishedFields } from '#src/areas/publishing/forms/index.ts'
import type { Caller } from '#src/contract/caller.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { type AsCaller, type Cells, declareFor, operation } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { listStatement, readList } from '#src/db/list.ts'
import { toId } from '#src/kit/ids.ts'
import { formatCell, listColumns } from '../answers/columns.rules.ts'
import {
  findSubmission,
  type SubmissionFilter,
  type SubmissionRow,
  storeMark,
  submissionList,
  withIds,
} from './queries.ts'
import {
  DeletedSubmissions,
  FormSubmission,
  FormSubmissionPage,
  FormSubmissionRef,
  FormSubmissionsQuery,
  PersonQuery,
  SubmissionMark,
  SubmissionsDeletion,
} from './schema.ts'
import { type Place, submissionViews } from './views.ts'
import { deleteSubmissionsWhere } from './writes.ts'

const one = { ...enquiry, submission_id: exampleFrom('fsb', 'listFormSubmissions') }

const CELLS: Cells<SubmissionRow> = {
  id: row => row.id,
  form_version: row => row.form_version,
  member_id: row => row.member_id,
  status: row => row.status,
  source_page: row => row.source_page,
  source_campaign: row => row.source_campaign,
  submitted_at: row => row.submitted_at,
}

const readFilter = (formId: string, query: Static<typeof FormSubmissionsQuery>): SubmissionFilter => ({
  formId,
  memberId: query.member_id,
  version: query.version,
  status: query.status,
  since: query['submitted_at[gte]'],
  before: query['submitted_at[lt]'],
})

const listFormSubmissions = declareFor('staff', 'forms', {
  id: 'listFormSubmissions',
  route: 'GET /forms/:form_id/submissions',
  summary: 'List submissions of a form',
  description:
    'Lists what people submitted with a form, the newest first. As CSV it has a column for each field that any published version has, named by the label and the id of the field.',
  params: FormRef,
  query: FormSubmissionsQuery,
  returns: FormSubmissionPage,
  example: { params: enquiry },
  csv: {
    cells: CELLS,
    async moreCells(context) {
      const { db, school, params } = context
      const form = await getForm(context, params.form_id)
      const columns = listColumns(await listPublishedFields(db, school.id, form.id))
      const createAnswerCell = (id: string) => (row: SubmissionRow) => {
        const answer = row.answers.find(({ field_id: field }) => field === id)
        return answer === undefined ? null : formatCell(answer)
      }
      return Object.fromEntries(columns.map(({ id, name }) => [name, createAnswerCell(id)]))
    },
    async statement(context) {
      const form = await getForm(context, context.params.form_id)
      return listStatement(submissionList(context.school.id, readFilter(form.id, context.query)), context.query.sort)
    },
  },
  async handle(context) {
    const { school, params, query } = context
    const form = await getForm(context, params.form_id)
    return readList(context, submissionList(school.id, readFilter(form.id, query)), rows =>
      submissionViews(context, rows),
    )
  },
})

const noSubmission = (): Refusal => new Refusal(notFound, 'There is no such submission.')

type Named = AsCaller<Caller> & { readonly params: Static<typeof FormSubmissionRef> }

const getRow = async (context: Named): Promise<SubmissionRow> => {
  const { db, school, params } = context
  const form = await getForm(context, params.form_id)
  const row = await findSubmission(db, school.id, params.submission_id, { formId: form.id })
  if (row === undefined) throw noSubmission()
  return row
}

const renderView = async (context: Place, row: SubmissionRow) => {
  const [view] = await submissionViews(context, [row])
  if (view === undefined) throw noSubmission()
  return view
}

const getFormSubmission = declareFor('staff', 'forms', {
  id: 'getFormSubmission',
  route: 'GET /forms/:form_id/submissions/:submission_id',
  summary: 'Get a submission of a form',
  description: 'Returns what somebody submitted with a form. The links to its files expire within two hours.',
  params: FormSubmissionRef,
  returns: FormSubmission,
  example: { params: one },
  async handle(context) {
    const view = await renderView(context, await getRow(context))
    return {
      ...view,
      allowed_actions: context.allowedActions(['getFormSubmission', 'markSubmission', 'deleteSubmissions']),
    }
  },
})

const markSubmission = operation({
  id: 'markSubmission',
  summary: 'Mark a submission',
  description: 'Marks a submission as spam, or as received.',
  who: 'staff',
  mode: 'write',
  params: FormSubmissionRef,
  body: SubmissionMark,
  returns: FormSubmission,
  example: { params: one, body: { status: 'spam' } },
  async handle(context) {
    const { db, school, params, body, changed } = context
    const row = await getRow(context)
    if (row.status === body.status) return renderView(context, row)
    await storeMark(db, school.id, row.id, body.status)
    changed({ ids: [toId('fsb', params.submission_id)], fields: ['status'], revision: row.revision + 1 })
    return renderView(context, await getRow(context))
  },
})

const deleteSubmissions = operation({
  id: 'deleteSubmissions',
  summary: 'Delete submissions',
  description: 'Deletes submissions of a form with their files. Those that are not there any more are left out.',
  who: 'staff',
  mode: 'write',
  params: FormRef,
  body: SubmissionsDeletion,
  returns: DeletedSubmissions,
  example: { params: enquiry, body: { submission_ids: [exampleFrom('fsb', 'listFormSubmissions')] } },
  async handle(context) {
    const { db, school, params, body, changed, record } = context
    const form = await getForm(context, params.form_id)
    const ids = await deleteSubmissionsWhere(db, school.id, withIds(form.id, body.submission_ids))
    if (ids.length === 0) return { deleted: 0 }
    const formId = toId('frm', form.id)
    changed({ ids: [formId, ...ids.map(id => toId('fsb', id))], fields: [] })
    record({ type: 'form.submissions_deleted', payload: { form_id: formId, count: ids.length } })
    return { deleted: ids.length }
  },
})

const listPersonSubmissions = operation({
  id: 'listPersonSubmissions',
  summary: 'List submissions of a person',
  description:
    'Lists what was submitted with any form and has an e-mail address as an answer, for a person who asks for their data.',
  who: 'staff',
  mode: 'read',
  query: PersonQuery,
  returns: FormSubmissionPage,
  example: { query: { email: 'ines@example.com' } },
  handle(context) {
    const { school, query } = context
    return readList(context, submissionList(school.id, { email: query.email }), rows => submissionViews(context, rows))
  },
})

/** The operations of submissions, in the order of the documentation. */
export const submissionOperations = [
  listFormSubmissions,
  getFormSubmission,
  markSubmission,
  deleteSubmissions,
  listPersonSubmissions,
]
