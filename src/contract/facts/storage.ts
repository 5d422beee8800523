import { Id } from '#src/kit/shapes.ts'
import { declareFacts } from './declaration.ts'

const internal = { scope: 'internal' } as const

/** The facts about files; none of them leaves the school. */
export const storageFacts = {
  ...declareFacts(
    { ...internal, subject: 'upload_id', fields: { upload_id: Id('upl') } },
    { 'upload.created': 'An upload was created.', 'upload.deleted': 'An upload was deleted.' },
  ),
  ...declareFacts(
    { ...internal, subject: 'file_id', fields: { upload_id: Id('upl'), file_id: Id('fil') } },
    { 'file.ready': 'An upload is complete and can be used.' },
  ),
  ...declareFacts(
    { ...internal, subject: 'file_id', fields: { file_id: Id('fil') } },
    {
      'file.replaced': 'The bytes of a file were replaced by those of an upload.',
      'file.updated': 'The name or the alternative text of a file changed.',
    },
  ),
}
