import Type from 'typebox'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { Closed, Id, Instant, Line, Nullable, Person } from '#src/kit/shapes.ts'

/** Why a comment is hidden. */
export const Hiding = Closed('CommentHiding', { reason: Line(300, 'Why it is hidden; its author can read it') })

/** The member whose comments are stopped. */
export const CommenterRef = Type.Object({ member_id: Id('mem') })

/** How a member is stopped from commenting. */
export const NewMute = Closed('NewCommentMute', {
  reason: Line(300, 'Why; for the staff'),
  until: Type.Optional(Nullable({ ...Instant, description: 'When they may comment again; null or left out: never' })),
})

/** A member who may not comment. */
export const Mute = Closed('CommentMute', {
  member: Person,
  reason: Type.String(),
  until: Nullable(Instant),
  created_at: Instant,
})

/** One page of members who may not comment. */
export const MutePage = PageOf(Mute, 'CommentMutePage')

/** The query parameters of the list of them. */
export const MutesQuery = Type.Object(PageQuery)
