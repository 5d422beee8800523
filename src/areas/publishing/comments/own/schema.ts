import Type, { type Static } from 'typebox'
import { PageQuery, SortQuery } from '#src/contract/pagination.ts'
import { Id, Nullable, OneOf } from '#src/kit/shapes.ts'
import { Body, commentStatuses, SubjectRef } from '../comment/schema.ts'

const closed = { additionalProperties: false } as const

/** A new comment. */
export const NewComment = Type.Object(
  {
    subject: SubjectRef,
    parent_id: Type.Optional(Nullable({ ...Id('cmt'), description: 'The comment that it replies to' })),
    body: Body,
  },
  { ...closed, title: 'NewComment' },
)

/** A change of a comment by its author. */
export const CommentChanges = Type.Object({ body: Body }, { ...closed, title: 'CommentChanges' })

/** The query parameters of the list of one's own comments. */
export const OwnCommentsQuery = Type.Object({
  ...PageQuery,
  ...SortQuery(['created_at']),
  subject: Type.Optional(SubjectRef),
  status: Type.Optional(OneOf(commentStatuses, 'Only this status')),
})

/** A new comment, as values. */
export type NewCommentInput = Static<typeof NewComment>
