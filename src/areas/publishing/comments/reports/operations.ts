import type { Static } from 'typebox'
import { exampleFrom } from '#src/contract/example.ts'
import { type AsCaller, declareFor } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound, rateLimited } from '#src/contract/problems.ts'
import { readList } from '#src/db/list.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { getReadable, lockComment, noComment } from '../comment/access.ts'
import { type CommentRow, findComment } from '../comment/queries.ts'
import { CommentRef } from '../comment/schema.ts'
import { buildIds } from '../own/writes.ts'
import { deleteReport, findReport, putReport, type ReportRow, reportList } from './queries.ts'
import { ownComment, reportSettled } from './rules.ts'
import { NewReport, OwnReport, type Report, ReportPage, ReportsQuery } from './schema.ts'

// A comment by somebody else than the persons of the examples.
const other = { comment_id: exampleFrom('cmt', 'listComments', { having: { 'author.role': 'member' } }) }

const noReport = (): Refusal => new Refusal(notFound, 'There is no such report.')

const ownView = (row: ReportRow): Static<typeof OwnReport> => ({
  id: row.id,
  comment_id: row.comment_id,
  reason: row.reason,
  note: row.note,
  outcome: row.outcome,
  created_at: row.created_at,
  updated_at: row.updated_at,
})

const staffView = (row: ReportRow): Static<typeof Report> => ({
  ...ownView(row),
  reporter: { id: row.member_id, name: row.member_name },
  settled_at: row.settled_at,
})

const listReports = declareFor('staff', 'comments', {
  id: 'listCommentReports',
  route: 'GET /comments/:comment_id/reports',
  summary: 'List the reports of a comment',
  description: 'Lists the reports of a comment with their reporters, whom nobody else learns; also settled ones.',
  params: CommentRef,
  query: ReportsQuery,
  returns: ReportPage,
  example: { params: other },
  async handle(context) {
    const { db, school, params } = context
    const row = await findComment(db, school.id, params.comment_id)
    if (row === undefined) throw noComment()
    return readList(context, reportList(school.id, { commentId: row.id }), rows => rows.map(staffView))
  },
})

// Locked after it was found readable, so that a comment that is hidden meanwhile is not reported.
const lockReported = async (context: AsCaller, id: string): Promise<CommentRow> => {
  await getReadable(context, id)
  const row = await lockComment(context, id)
  if (row.status !== 'published') throw noComment()
  return row
}

const reportComment = declareFor('self', 'account', {
  id: 'reportComment',
  route: 'PUT /account/comments/:comment_id/report',
  summary: 'Report a comment',
  description:
    'Reports a comment of somebody else to the staff, or changes your report. Its author does not learn who reported it, and reports alone do not hide it.',
  params: CommentRef,
  body: NewReport,
  returns: OwnReport,
  rateLimit: { times: 60, seconds: 600, by: 'member' },
  fails: [ownComment, reportSettled, rateLimited],
  example: { params: other, body: { reason: 'off_topic', note: 'This belongs under the rye course.' } },
  async handle(context) {
    const { db, school, caller, params, body, now, changed, record } = context
    const memberId = caller.member.id
    const row = await lockReported(context, params.comment_id)
    if (row.member_id === memberId) throw new Refusal(ownComment, 'You wrote this comment.')
    const before = await findReport(db, school.id, { commentId: row.id, memberId })
    if (before !== undefined && before.outcome !== null)
      throw new Refusal(reportSettled, 'The staff have decided about your report.')
    const note = body.note ?? ''
    if (before?.reason === body.reason && before.note === note) return ownView(before)
    const values = { id: newUuid(now.getTime()), comment_id: row.id, member_id: memberId, reason: body.reason, note }
    const stored = await putReport(db, school.id, values)
    changed({ ids: [toId('rpt', stored.id), toId('cmt', row.id)], fields: ['reason', 'note'] })
    if (before === undefined)
      record({
        type: 'comment.reported',
        payload: { ...buildIds(row), is_first: row.open_reports === 0 },
      })
    return ownView(stored)
  },
})

const withdrawReport = declareFor('self', 'account', {
  id: 'withdrawCommentReport',
  route: 'DELETE /account/comments/:comment_id/report',
  summary: 'Withdraw your report',
  description: 'Withdraws your report of a comment, unless the staff have already decided about it.',
  params: CommentRef,
  returns: undefined,
  fails: [reportSettled],
  example: { params: other },
  async handle(context) {
    const { db, school, caller, params, changed, record } = context
    const memberId = caller.member.id
    // The lock of the thread keeps the staff from deciding meanwhile.
    const row = await lockComment(context, params.comment_id, noReport)
    const report = await findReport(db, school.id, { commentId: row.id, memberId })
    if (report === undefined) throw noReport()
    if (report.outcome !== null) throw new Refusal(reportSettled, 'The staff have decided about your report.')
    await deleteReport(db, school.id, row.id, memberId)
    changed({ ids: [toId('rpt', report.id), toId('cmt', row.id)], fields: [] })
    record({ type: 'comment.report_withdrawn', payload: buildIds(row) })
  },
})

/** The operations of reports, in the order of the documentation. */
export const reportOperations = [listReports, reportComment, withdrawReport]
