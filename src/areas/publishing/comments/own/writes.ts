import type { SignedIn } from '#src/contract/caller.ts'
import type { WriteContext } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { subjectId } from '#src/contract/subject.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { subjectIn } from '../comment/access.ts'
import type { CommentRow } from '../comment/queries.ts'
import { getOpenSubject, lockParent } from './access.ts'
import { countPublishedBy, growThread, insertComment } from './queries.ts'
import { chooseRole, commentRepeated, MAX_THREAD, statusOfNew, TRUSTED_AFTER, threadFull } from './rules.ts'
import type { NewCommentInput } from './schema.ts'
import { computeHash, renderComment } from './text.rules.ts'

/** The ids of a comment and of what it is about. */
export const buildIds = (row: Pick<CommentRow, 'id' | 'subject_type' | 'subject_id'>) => ({
  comment_id: toId('cmt', row.id),
  subject_id: subjectId(subjectIn(row)),
})

/** The payload of the facts about a comment, which name its author, where that is a member still. */
export const aboutComment = (row: Pick<CommentRow, 'id' | 'subject_type' | 'subject_id' | 'member_id'>) => ({
  ...buildIds(row),
  ...(row.member_id === null ? {} : { member_id: toId('mem', row.member_id) }),
})

/** Stores a comment of the caller; returns its UUID. */
export const addComment = async (
  context: Pick<WriteContext<SignedIn>, 'db' | 'school' | 'caller' | 'now'>,
  input: NewCommentInput,
): Promise<string> => {
  const { db, school, caller, now } = context
  const { subject, view } = await getOpenSubject(context, input.subject)
  const memberId = caller.member.id
  const { body, body_html, body_allowed } = renderComment(input.body)
  const role = chooseRole(caller, view)
  const publishedBefore = await countPublishedBy(db, school.id, memberId, TRUSTED_AFTER)
  const status = statusOfNew(view, { role, publishedBefore })
  const parent = await lockParent(context, input.parent_id, subject)
  if (parent !== undefined && (await growThread(db, school.id, parent.root_id, MAX_THREAD)) === 0)
    throw new Refusal(threadFull, `The thread has ${MAX_THREAD} comments.`)
  const id = newUuid(now.getTime())
  const text = { body, body_html, body_allowed, hash: computeHash(body) }
  if ((await insertComment(db, school.id, { id, subject, parent, memberId, role, status, ...text })) === 0)
    throw new Refusal(commentRepeated, 'You have already written the same here.')
  return id
}
