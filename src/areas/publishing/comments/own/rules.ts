import { isStaff, type SignedIn } from '#src/contract/caller.ts'
import { problem, Refusal } from '#src/contract/problem.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import type { OpenSubject } from '../comment/access.ts'
import type { CommentRow } from '../comment/queries.ts'

/** The subject takes no comments. */
export const commentsClosed = problem(
  409,
  'comments_closed',
  'Comments are closed',
  'The school, or whoever published this, accepts no comments here. Comments that exist may still be shown.',
)

/** The person may not comment. */
export const commentingMuted = problem(
  403,
  'commenting_muted',
  'You may not comment now',
  'The staff of the school have stopped this person from commenting, for some time or without an end. They can still read comments and delete their own.',
)

/** The comment can no longer be edited. */
export const commentNotEditable = problem(
  409,
  'comment_not_editable',
  'The comment can no longer be edited',
  'A comment can be edited for 15 minutes and until somebody replies to it, unless it is hidden or deleted. It can still be deleted.',
)

/** The person has already written this here. */
export const commentRepeated = problem(
  409,
  'comment_repeated',
  'The same comment is already here',
  'The person has already written the same text in this place. Nothing was stored.',
)

/** The thread has the maximum number of comments. */
export const threadFull = problem(
  409,
  'thread_full',
  'The thread is full',
  'A thread has at most 500 comments, deleted ones included. Write a comment that is not a reply.',
)

/** How many comments a thread has at most. */
export const MAX_THREAD = 500

/** How deep a reply can be; a root has the depth 1. */
const MAX_DEPTH = 3

const EDITABLE_MS = 15 * 60_000

/** How many comments of a member must have been published before new ones need no approval. */
export const TRUSTED_AFTER = 3

/** What an author is to a subject. */
export const chooseRole = (caller: SignedIn, subject: OpenSubject): CommentRow['author_role'] => {
  if (isStaff(caller)) return 'staff'
  if (subject.lecturerIds.includes(caller.member.id)) return 'lecturer'
  return subject.isLearner ? 'student' : 'member'
}

/** Refuses a comment where the subject takes none. */
export const checkOpen = ({ mode }: Pick<OpenSubject, 'mode'>): void => {
  if (mode === 'off' || mode === 'closed') throw new Refusal(commentsClosed, 'Comments are closed here.')
}

/** The status of a new comment: those of staff and lecturers, and of members whose comments were published, need no approval. */
export const statusOfNew = (
  { mode }: Pick<OpenSubject, 'mode'>,
  author: { readonly role: CommentRow['author_role']; readonly publishedBefore: number },
): 'published' | 'pending' => {
  const isTrusted = ['staff', 'lecturer'].includes(author.role) || author.publishedBefore >= TRUSTED_AFTER
  return mode === 'approval' && !isTrusted ? 'pending' : 'published'
}

type Parent = Pick<CommentRow, 'subject_type' | 'subject_id' | 'status' | 'depth'>

const wrong = (code: string, message: string) => refuseInvalid([{ pointer: '/parent_id', code, message }])

/** Refuses a parent that is unknown, of another subject, not published or too deep. */
export const checkParent = (
  parent: Parent | undefined,
  subject: { readonly type: string; readonly id: string },
): void => {
  const isHere = parent !== undefined && parent.subject_type === subject.type && parent.subject_id === subject.id
  if (!isHere || parent.status !== 'published') wrong('unknown', 'is not a published comment on the subject')
  else if (parent.depth >= MAX_DEPTH) wrong('too_deep', `cannot have replies; a thread has ${MAX_DEPTH} levels`)
}

/** Whether an author may still edit a comment at an instant. */
export const isEditable = (
  { status, created_at: at }: Pick<CommentRow, 'status' | 'created_at'>,
  { now, hasReplies }: { readonly now: Date; readonly hasReplies: boolean },
): boolean =>
  (status === 'published' || status === 'pending') && !hasReplies && now.getTime() - at.getTime() < EDITABLE_MS
