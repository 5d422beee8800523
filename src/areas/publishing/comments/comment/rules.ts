import type { SubjectView } from '#src/contract/subject.ts'
import type { CommentView } from './schema.ts'

/** Where a comment may be: whose it is, and what is below it. */
type Placed = Pick<CommentView, 'status'> & { readonly member_id: string | null; readonly below_count: number }

/** The reader of comments: whether they moderate, and which member they are. */
export type CommentReader = { readonly isStaff: boolean; readonly memberId: string | undefined }

const isOwn = ({ member_id }: Placed, { memberId }: CommentReader): boolean =>
  memberId !== undefined && member_id === memberId

/** Whether a reader of its subject gets a comment, with its words or only as a place with replies. */
export const isListed = (comment: Placed, reader: CommentReader): boolean =>
  comment.status === 'published' || comment.below_count > 0 || reader.isStaff || isOwn(comment, reader)

/** Whether a reader gets the author and the words of a comment. */
export const hasWords = (comment: Placed, reader: CommentReader): boolean =>
  comment.status === 'published' || (comment.status !== 'deleted' && (reader.isStaff || isOwn(comment, reader)))

/** How a school takes comments on one kind of subject. */
type SchoolMode = 'open' | 'approval' | 'off'

/** Whether comments on a subject are accepted, at once or after approval, only shown, or neither. */
export type CommentMode = SchoolMode | 'closed'

/** The mode of a subject: the stricter of its own switch and the setting of the school. */
export const chooseMode = (school: SchoolMode, { comments }: Pick<SubjectView, 'comments'>): CommentMode => {
  if (school === 'off' || comments === 'off') return 'off'
  return comments === 'closed' ? 'closed' : school
}
