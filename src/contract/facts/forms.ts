import { Id } from '#src/kit/shapes.ts'
import { Count, declareFacts, FieldNames } from './declaration.ts'

const scope = 'forms:read'
const form = { form_id: Id('frm') }
const aboutForm = { scope, subject: 'form_id', readBy: 'getForm' } as const

/** The facts about forms and what was submitted with them. */
export const formFacts = {
  ...declareFacts({ ...aboutForm, fields: form }, { 'form.closed': 'A form takes no more submissions.' }),
  ...declareFacts({ ...aboutForm, fields: { ...form, version: Count } }, { 'form.published': 'A form was published.' }),
  ...declareFacts(
    { ...aboutForm, fields: { ...form, fields: FieldNames } },
    { 'form.updated': 'The settings or the draft of a form changed.' },
  ),
  ...declareFacts(
    { scope, subject: 'form_id', fields: { ...form, count: Count } },
    { 'form.submissions_deleted': 'All submissions of a form were deleted.' },
  ),
  ...declareFacts(
    {
      scope,
      subject: 'submission_id',
      readBy: 'getFormSubmission',
      fields: { ...form, submission_id: Id('fsb'), version: Count },
    },
    { 'form.submitted': 'Somebody submitted a form.' },
  ),
}
