import type { Static } from 'typebox'
import { findMember } from '#src/areas/people/index.ts'
import { type Caller, isAtLeast } from '#src/contract/caller.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { operation, type WriteContext } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState, notFound, refuseInvalid } from '#src/contract/problems.ts'
import { readList } from '#src/db/list.ts'
import { toId } from '#src/kit/ids.ts'
import { cleanLine } from '#src/kit/text.ts'
import { lockComment } from '../comment/access.ts'
import type { CommentRow } from '../comment/queries.ts'
import { Comment, CommentRef } from '../comment/schema.ts'
import { commentView } from '../comment/views.ts'
import { storeDeletion } from '../own/queries.ts'
import { commentRepeated } from '../own/rules.ts'
import { aboutComment } from '../own/writes.ts'
import { type ReportOutcome, settleOpen } from '../reports/queries.ts'
import { deleteMute, type MuteRow, muteList, putMute, storeStatus } from './queries.ts'
import { CommenterRef, Hiding, Mute, MutePage, MutesQuery, NewMute } from './schema.ts'

type Context = WriteContext<Caller> & { readonly params: Static<typeof CommentRef> }

const lockStanding = async (context: Context): Promise<CommentRow> => {
  const row = await lockComment(context, context.params.comment_id)
  await context.requireMatch(row.revision, () => commentView(context, row))
  if (row.status === 'deleted') throw new Refusal(invalidState, 'The comment is deleted.')
  return row
}

type Moderated = 'comment.hidden' | 'comment.deleted' | 'comment.reports_settled'

const done = (context: Context, row: CommentRow, fact: Moderated, fields: readonly string[]) => {
  context.changed({ ids: [toId('cmt', row.id)], fields, revision: row.revision })
  context.record({ type: fact, payload: aboutComment(row) })
  return commentView(context, row)
}

const settle = ({ db, school }: Context, row: CommentRow, outcome: ReportOutcome): Promise<number> =>
  settleOpen(db, school.id, row.id, outcome)

const one = { comment_id: exampleFrom('cmt', 'listComments') }

const hideComment = operation({
  id: 'hideComment',
  summary: 'Hide a comment',
  description:
    'Hides a pending or published comment for a reason that its author can read, and settles its reports. With replies, its place stays.',
  who: 'staff',
  mode: 'write',
  params: CommentRef,
  body: Hiding,
  returns: Comment,
  fails: [invalidState],
  example: { params: one, body: { reason: 'Names another student' } },
  async handle(context) {
    const { db, school, body } = context
    const row = await lockStanding(context)
    const reason = cleanLine(body.reason, 300)
    if (reason === '')
      refuseInvalid([{ pointer: '/reason', code: 'empty', message: 'must contain a visible character' }])
    await settle(context, row, 'hidden')
    if (row.status === 'hidden' && row.hidden_reason === reason) return commentView(context, row)
    const stored = await storeStatus(db, school.id, row.id, reason)
    return done(context, stored, 'comment.hidden', ['status', 'hidden_reason'])
  },
})

const restoreComment = operation({
  id: 'restoreComment',
  summary: 'Publish a comment',
  description: 'Publishes a pending or hidden comment.',
  who: 'staff',
  mode: 'write',
  params: CommentRef,
  returns: Comment,
  fails: [invalidState, commentRepeated],
  example: { params: one },
  async handle(context) {
    const { db, school, changed, record } = context
    const row = await lockStanding(context)
    if (row.status === 'published') return commentView(context, row)
    const stored = await storeStatus(db, school.id, row.id, undefined)
    changed({ ids: [toId('cmt', row.id)], fields: ['status'], revision: stored.revision })
    // Whoever is replied to learns of it once.
    record({ type: 'comment.restored', payload: { ...aboutComment(row), is_first: row.published_at === null } })
    return commentView(context, stored)
  },
})

const deleteComment = operation({
  id: 'deleteComment',
  summary: 'Delete a comment',
  description:
    'Deletes the words of a comment for good, and settles its reports. With replies, its place stays, without a name.',
  who: 'staff',
  mode: 'write',
  params: CommentRef,
  returns: Comment,
  fails: [invalidState],
  example: { params: one },
  async handle(context) {
    const { db, school } = context
    const row = await lockStanding(context)
    await settle(context, row, 'deleted')
    return done(context, await storeDeletion(db, school.id, row.id), 'comment.deleted', ['status'])
  },
})

const settleReports = operation({
  id: 'settleReports',
  summary: 'Settle the reports of a comment',
  description: 'Settles the open reports of a comment, which stays as it is.',
  who: 'staff',
  mode: 'write',
  params: CommentRef,
  returns: Comment,
  example: { params: one },
  async handle(context) {
    const row = await lockComment(context, context.params.comment_id)
    const count = await settle(context, row, 'kept')
    if (count === 0) return commentView(context, row)
    return done(context, { ...row, open_reports: 0 }, 'comment.reports_settled', ['reports'])
  },
})

const muteView = ({ id, name, ...mute }: MuteRow): Static<typeof Mute> => ({ ...mute, member: { id, name } })

const commenter = { member_id: exampleFrom('mem', 'listMembers', { having: { email: 'dev@crumb.example' } }) }

const listMutedCommenters = operation({
  id: 'listMutedCommenters',
  summary: 'List the members who may not comment',
  who: 'staff',
  mode: 'read',
  query: MutesQuery,
  returns: MutePage,
  handle(context) {
    return readList(context, muteList(context.school.id), rows => rows.map(muteView))
  },
})

const muteCommenter = operation({
  id: 'muteCommenter',
  summary: 'Stop a member from commenting',
  description:
    'Stops a member from commenting until an instant or without an end. Their comments stay; they can still delete them.',
  who: 'staff',
  mode: 'write',
  params: CommenterRef,
  body: NewMute,
  returns: Mute,
  fails: [invalidState],
  example: { params: commenter, body: { reason: 'Advertises another school' } },
  async handle({ db, school, params, body, now, changed, record }) {
    const member = await findMember(db, school.id, params.member_id)
    if (member === undefined || member.status === 'deleted') throw new Refusal(notFound, 'There is no such member.')
    if (isAtLeast(member.role, 'admin')) throw new Refusal(invalidState, 'Staff cannot be stopped from commenting.')
    const { until = null } = body
    if (until !== null && until <= now)
      refuseInvalid([{ pointer: '/until', code: 'past', message: 'must be in the future' }])
    const mute = await putMute(db, school.id, member.id, { reason: cleanLine(body.reason, 300), until })
    changed({ ids: [toId('mem', member.id)], fields: ['comment_mute'], memberId: member.id })
    record({ type: 'commenter.muted', payload: { member_id: toId('mem', member.id) } })
    return muteView(mute)
  },
})

const unmuteCommenter = operation({
  id: 'unmuteCommenter',
  summary: 'Let a member comment again',
  who: 'staff',
  mode: 'write',
  params: CommenterRef,
  returns: undefined,
  example: { params: commenter },
  async handle({ db, school, params, changed, record }) {
    if ((await deleteMute(db, school.id, params.member_id)) === 0)
      throw new Refusal(notFound, 'Nothing stops this member from commenting.')
    changed({ ids: [toId('mem', params.member_id)], fields: ['comment_mute'], memberId: params.member_id })
    record({ type: 'commenter.unmuted', payload: { member_id: toId('mem', params.member_id) } })
  },
})

/** What the staff do about comments, without a route. */
export const moderationOperations = [
  hideComment,
  restoreComment,
  deleteComment,
  settleReports,
  listMutedCommenters,
  muteCommenter,
  unmuteCommenter,
]
