import { anonymous } from '#src/contract/caller.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import type { FactHandler } from '#src/contract/fact.ts'
import { recordMail } from '#src/identity/index.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import { findSubject, subjectIn } from '../comment/access.ts'
import { type CommentRow, findComment } from '../comment/queries.ts'
import { commentMails } from './mails.ts'
import { findActive, listStaff, planDigest } from './queries.ts'

type Where = TransactionContext

const DAY = 24 * 3600

const findFactComment = (
  { payload }: { readonly payload: { readonly comment_id: string } },
  { db, school }: Where,
): Promise<CommentRow | undefined> => findComment(db, school.id, fromId('cmt', payload.comment_id))

// Only who can still read the comment learns of it.
const mailParent = async (context: Where, reply: CommentRow): Promise<void> => {
  const { db, school, now } = context
  const parent = reply.parent_id === null ? undefined : await findComment(db, school.id, reply.parent_id)
  const authorId = parent?.member_id ?? null
  if (authorId === null || authorId === reply.member_id) return
  const member = await findActive(db, school.id, authorId)
  const subject = member && (await findSubject({ db, school, caller: { ...anonymous, member } }, subjectIn(reply)))
  if (subject === undefined || subject.mode === 'off') return
  const plan = {
    kind: commentMails.comment_replied,
    values: { subject: subject.name },
    link: `${subject.path}#${toId('cmt', reply.id)}`,
  }
  await recordMail(db, school.id, authorId, plan, now)
}

const announce = async (context: Where, comment: CommentRow | undefined): Promise<void> => {
  if (comment?.status !== 'published') return
  await mailParent(context, comment)
  const wantsAnswer = comment.depth === 1 && ['student', 'member'].includes(comment.author_role)
  if (wantsAnswer) await planDigest(context.db, context.school.id, DAY)
}

/** Mails the author of the comment that was replied to, and plans the digest of those who may answer. */
export const onCommentCreated: FactHandler<'comment.created'> = async (fact, where) =>
  announce(where, await findFactComment(fact, where))

/** The same for a comment that was approved; one that was shown before is no news. */
export const onCommentRestored: FactHandler<'comment.restored'> = async (fact, where) => {
  if (fact.payload.is_first === true) await announce(where, await findFactComment(fact, where))
}

/** Mails the staff the first open report of a comment. */
export const onCommentReported: FactHandler<'comment.reported'> = async (fact, where) => {
  const { db, school, now } = where
  const comment = fact.payload.is_first === true ? await findFactComment(fact, where) : undefined
  if (comment === undefined || comment.open_reports === 0) return
  const link = `/staff/comments?reported=true#${toId('cmt', comment.id)}`
  for (const id of await listStaff(db, school.id))
    await recordMail(db, school.id, id, { kind: commentMails.comment_reported, link }, now)
}
