import Type from 'typebox'
import { DeclaredType } from '#src/areas/files/index.ts'
import { FieldId } from '#src/areas/publishing/forms/index.ts'
import { Closed, Id, Instant, Nullable } from '#src/kit/shapes.ts'
import { Answers } from '../answers/schema.ts'
import { FormSource } from '../submission/schema.ts'

const version = Type.Integer({
  minimum: 1,
  maximum: 1_000_000,
  description: 'The version of the form that is answered',
})

/** Answers to a form. */
export const NewFormSubmission = Closed('NewFormSubmission', {
  version,
  answers: Answers,
  source: Type.Optional(FormSource),
  token: Type.Optional(
    Type.String({
      pattern: '^[\\w.:-]{0,100}$',
      description: 'The token of the form of the page; what is sent twice with one token is one submission',
    }),
  ),
  trap: Type.Optional(
    Type.String({
      maxLength: 1000,
      description:
        'What a field has that people do not see; a submission with any text in it is suspected of being spam',
    }),
  ),
})

/** What the sender of a submission gets. */
export const FormReceipt = Closed('FormReceipt', {
  id: Id('fsb'),
  form_id: Id('frm'),
  done_text: Type.String({ description: 'What the school says to those who submitted it; Markdown, may be empty' }),
  redirect_path: Nullable(Type.String({ description: 'The path of the site that the page leads to' })),
  submitted_at: Instant,
})

/** What a file is sent for. */
export const FormUploadQuery = Type.Object({
  version: Type.Optional(version),
  field_id: Type.Optional(FieldId),
  filename: Type.Optional(Type.String({ minLength: 1, maxLength: 1000, description: 'The name of the file' })),
  content_type: Type.Optional(DeclaredType),
})

/** A file that was sent to a form. */
export const FormUpload = Closed('FormUpload', {
  file_id: Id('fil'),
  name: Type.String(),
  content_type: Type.String(),
  byte_size: Type.Integer({ minimum: 1 }),
})
