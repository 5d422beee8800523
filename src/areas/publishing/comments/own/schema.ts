import Type, { type Static } from 'typebox'
import { PageQuery, SortQuery } from '#src/contract/pagination.ts'
import { Closed, Id, Nullable, OneOf } from '#src/kit/shapes.ts'
import { Body, commentStatuses, SubjectRef } from '../comment/schema.ts'

/** A new comment. */
export const NewComment = Closed('NewComment', {
  subject: SubjectRef,
  parent_id: Type.Optional(Nullable({ ...Id('cmt'), description: 'The comment that it replies to' })),
  body: Body,
})

/** A change of a comment by its author. */
export const CommentChanges = Closed('CommentChanges', { body: Body })

/** The query parameters of the list of one's own comments. */
export const OwnCommentsQuery = Type.Object({
  ...PageQuery,
  ...SortQuery(['created_at']),
  subject: Type.Optional(SubjectRef),
  status: Type.Optional(OneOf(commentStatuses, 'Only this status')),
})

/** A new comment, as values. */
export type NewCommentInput = Static<typeof NewComment>
