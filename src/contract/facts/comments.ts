import Type from 'typebox'
import { Id } from '#src/kit/shapes.ts'
import { AnyId, declareFacts, Word } from './declaration.ts'

const scope = 'comments:read'
const comment = { comment_id: Id('cmt'), subject_id: AnyId }
// The author, unless they were erased.
const written = { ...comment, member_id: Type.Optional(Id('mem')) }
const about = { scope, subject: 'comment_id', readBy: 'getComment' } as const

/** The facts about comments; those about reports do not name who reported. */
export const commentFacts = {
  ...declareFacts({ ...about, fields: { ...written, status: Word } }, { 'comment.created': 'A comment was created.' }),
  ...declareFacts(
    { ...about, fields: written },
    {
      'comment.hidden': 'A comment was hidden.',
      'comment.reports_settled': 'Staff settled the reports of a comment.',
      'comment.updated': 'The author of a comment changed its text.',
    },
  ),
  ...declareFacts({ scope, subject: 'comment_id', fields: written }, { 'comment.deleted': 'A comment was deleted.' }),
  ...declareFacts(
    { ...about, fields: { ...written, is_first: Type.Boolean() } },
    { 'comment.restored': 'A comment was restored.' },
  ),
  ...declareFacts(
    { ...about, fields: { ...comment, is_first: Type.Boolean() } },
    { 'comment.reported': 'A member reported a comment.' },
  ),
  ...declareFacts(
    { ...about, fields: comment },
    { 'comment.report_withdrawn': 'A member withdrew their report of a comment.' },
  ),
}
