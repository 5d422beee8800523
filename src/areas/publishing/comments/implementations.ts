import type { SchoolContext } from '#src/contract/context.ts'
import { implement } from '#src/contract/hook.ts'
import { memberErasure, memberMerge, type PersonalData, personalData } from '#src/contract/personal-data.ts'
import { commentCounts, subjectId } from '#src/contract/subject.ts'
import { listStatement } from '#src/db/list.ts'
import { toId } from '#src/kit/ids.ts'
import { instant } from '#src/kit/instant.ts'
import { subjectIn } from './comment/access.ts'
import { type CommentRow, commentList, listCounts } from './comment/queries.ts'
import { deleteMute, eraseComments, findMute, type MuteRow, moveComments, moveMute } from './moderation/queries.ts'
import { eraseReports, moveReports, type ReportRow, reportList } from './reports/queries.ts'

const renderComment = (row: CommentRow): PersonalData['rows'][number] => ({
  id: toId('cmt', row.id),
  subject: subjectId(subjectIn(row)),
  parent_id: row.parent_id && toId('cmt', row.parent_id),
  body: row.body,
  status: row.status,
  hidden_reason: row.hidden_reason,
  edited_at: row.edited_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
})

const renderReport = (row: ReportRow): PersonalData['rows'][number] => ({
  id: toId('rpt', row.id),
  comment_id: toId('cmt', row.comment_id),
  reason: row.reason,
  note: row.note,
  outcome: row.outcome,
  created_at: row.created_at.toISOString(),
})

const renderMute = ({ reason, until, created_at }: MuteRow): PersonalData['rows'][number] => ({
  reason,
  until: instant(until),
  created_at: created_at.toISOString(),
})

// The export has what the person wrote, also on subjects that they can no longer read.
const personalComments = async (memberId: string, { db, school }: SchoolContext): Promise<PersonalData[]> => {
  const [comments, reports, mute] = await Promise.all([
    db.all(listStatement(commentList(school.id, { authorId: memberId }))),
    db.all(listStatement(reportList(school.id, { memberId }))),
    findMute(db, school.id, memberId),
  ])
  return [
    { name: 'comments', rows: comments.map(renderComment) },
    { name: 'comment_reports', rows: reports.map(renderReport) },
    { name: 'comment_mutes', rows: mute === undefined ? [] : [renderMute(mute)] },
  ]
}

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(memberErasure, async ({ memberId }, { db, school }) => {
    await eraseReports(db, school.id, memberId)
    await eraseComments(db, school.id, memberId)
    await deleteMute(db, school.id, memberId)
  }),
  implement(memberMerge, async ({ fromId, intoId }, { db, school }) => {
    await moveComments(db, school.id, fromId, intoId)
    await moveReports(db, school.id, fromId, intoId)
    await moveMute(db, school.id, fromId, intoId)
  }),
  implement(commentCounts, async (subjects, { db, school }) => {
    const counts = subjects.ids.length === 0 ? [] : await listCounts(db, school.id, subjects)
    return new Map(counts.map(({ id, count }) => [id, count]))
  }),
  implement(personalData, ({ memberId }, context) => personalComments(memberId, context)),
]
