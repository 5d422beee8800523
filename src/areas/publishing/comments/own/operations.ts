import { clockNow } from '#src/areas/learning/index.ts'
import type { SignedIn } from '#src/contract/caller.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { declareFor, type WriteContext } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { rateLimited } from '#src/contract/problems.ts'
import { parseSubject } from '#src/contract/subject.ts'
import { readList } from '#src/db/list.ts'
import { toId } from '#src/kit/ids.ts'
import { findSubject, noComment, subjectIn } from '../comment/access.ts'
import { type CommentRow, commentList, findComment } from '../comment/queries.ts'
import { Comment, CommentPage, CommentRef } from '../comment/schema.ts'
import { commentView, commentViews } from '../comment/views.ts'
import { settleOpen } from '../reports/queries.ts'
import { getOwnComment, lockOwnComment } from './access.ts'
import { countComment } from './limits.writes.ts'
import { hasReplies, storeDeletion, storeText } from './queries.ts'
import {
  checkOpen,
  commentingMuted,
  commentNotEditable,
  commentRepeated,
  commentsClosed,
  isEditable,
  threadFull,
} from './rules.ts'
import { CommentChanges, NewComment, OwnCommentsQuery } from './schema.ts'
import { computeHash, renderComment } from './text.rules.ts'
import { aboutComment, addComment } from './writes.ts'

const sourdough = exampleFrom('crs', 'listCourses', { having: { slug: 'sourdough-from-scratch' } })

const own = { comment_id: exampleFrom('cmt', 'listAccountComments', { having: { body: 'My first loaf rose.' } }) }

// An edit may still be refused: only the write sees hidden replies.
const actionsOn = (
  { allowedActions }: Pick<WriteContext, 'allowedActions'>,
  row: CommentRow | undefined,
  now: Date,
): string[] => {
  if (row === undefined || row.status === 'deleted') return []
  const editing = isEditable(row, { now, hasReplies: row.reply_count > 0 }) ? ['updateAccountComment'] : []
  return allowedActions([...editing, 'deleteAccountComment'])
}

const listAccountComments = declareFor('self', 'account', {
  id: 'listAccountComments',
  route: 'GET /account/comments',
  summary: 'List your comments',
  description:
    'Lists the comments that you wrote, whatever became of them, newest first; also those on subjects that you can no longer read.',
  query: OwnCommentsQuery,
  returns: CommentPage,
  handle(context) {
    const { db, school, caller, query } = context
    const subject = query.subject === undefined ? undefined : parseSubject(query.subject)
    const filter = { authorId: caller.member.id, status: query.status, subject }
    return readList(context, commentList(school.id, filter, '-created_at'), async rows => {
      const [views, now] = await Promise.all([commentViews(context, rows), clockNow(db)])
      return views.map((view, index) => ({ ...view, allowed_actions: actionsOn(context, rows[index], now) }))
    })
  },
})

const getAccountComment = declareFor('self', 'account', {
  id: 'getAccountComment',
  route: 'GET /account/comments/:comment_id',
  summary: 'Get your comment',
  description:
    'Returns a comment that you wrote, whatever became of it; also one on a subject that you can no longer read.',
  params: CommentRef,
  returns: Comment,
  example: { params: own },
  async handle(context) {
    const [row, now] = await Promise.all([getOwnComment(context, context.params.comment_id), clockNow(context.db)])
    return { ...(await commentView(context, row)), allowed_actions: actionsOn(context, row, now) }
  },
})

const createAccountComment = declareFor('self', 'account', {
  id: 'createAccountComment',
  route: 'POST /account/comments',
  summary: 'Write a comment',
  description:
    'Writes a comment on something that you can read, or a reply to a published comment on it. Where the school approves comments, the first ones of a member are pending until staff publish them: until three were published.',
  body: NewComment,
  returns: Comment,
  status: 201,
  locationPath: '/comments',
  countTries: countComment,
  fails: [commentsClosed, commentingMuted, commentRepeated, threadFull, rateLimited],
  example: { body: { subject: sourdough, body: 'Does it work with **rye** flour too?' } },
  async handle(context) {
    const { db, school, body, changed, record } = context
    const id = await addComment(context, body)
    const row = await findComment(db, school.id, id)
    if (row === undefined) throw new Error('a comment that was written is there')
    changed({ ids: [toId('cmt', row.id)], fields: Object.keys(body), revision: row.revision })
    record({ type: 'comment.created', payload: { ...aboutComment(row), status: row.status } })
    return commentView(context, row)
  },
})

const checkEditable = async (context: WriteContext<SignedIn>, row: CommentRow): Promise<void> => {
  const { db, school, now } = context
  if (!isEditable(row, { now, hasReplies: await hasReplies(db, school.id, row.id) }))
    throw new Refusal(commentNotEditable, 'It is more than 15 minutes old, has a reply, or is hidden or deleted.')
  const subject = await findSubject(context, subjectIn(row))
  checkOpen(subject ?? { mode: 'closed' })
}

const updateAccountComment = declareFor('self', 'account', {
  id: 'updateAccountComment',
  route: 'PATCH /account/comments/:comment_id',
  summary: 'Edit your comment',
  description: 'Changes the text of one of your comments, within 15 minutes and until somebody replies to it.',
  ifMatch: 'honoured',
  params: CommentRef,
  body: CommentChanges,
  returns: Comment,
  fails: [commentNotEditable, commentsClosed, commentRepeated],
  example: { params: own, body: { body: 'My first loaf rose.' } },
  async handle(context) {
    const { db, school, params, body: input, requireMatch, changed, record } = context
    const row = await lockOwnComment(context, params.comment_id)
    await requireMatch(row.revision, () => commentView(context, row))
    if (input.body === row.body) return commentView(context, row)
    await checkEditable(context, row)
    const { body, body_html, body_allowed } = renderComment(input.body)
    const stored = await storeText(db, school.id, row.id, { body, body_html, body_allowed, hash: computeHash(body) })
    changed({ ids: [toId('cmt', row.id)], fields: ['body'], revision: stored.revision })
    record({ type: 'comment.updated', payload: aboutComment(row) })
    return commentView(context, stored)
  },
})

const deleteAccountComment = declareFor('self', 'account', {
  id: 'deleteAccountComment',
  route: 'DELETE /account/comments/:comment_id',
  summary: 'Delete your comment',
  description: 'Deletes the words of one of your comments. Where it has replies, its place stays, without your name.',
  ifMatch: 'honoured',
  params: CommentRef,
  returns: undefined,
  example: { params: own },
  async handle(context) {
    const { db, school, params, requireMatch, changed, record } = context
    const row = await lockOwnComment(context, params.comment_id)
    await requireMatch(row.revision, () => commentView(context, row))
    if (row.status === 'deleted') throw noComment()
    await settleOpen(db, school.id, row.id, 'deleted')
    const stored = await storeDeletion(db, school.id, row.id)
    changed({ ids: [toId('cmt', row.id)], fields: ['status'], revision: stored.revision })
    record({ type: 'comment.deleted', payload: aboutComment(row) })
  },
})

/** The operations on the caller's own comments, in the order of the documentation. */
export const accountCommentOperations = [
  listAccountComments,
  getAccountComment,
  createAccountComment,
  updateAccountComment,
  deleteAccountComment,
]
