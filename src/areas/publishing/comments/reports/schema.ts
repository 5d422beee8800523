import Type from 'typebox'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { Closed, Id, Instant, Nullable, OneOf, Person, Text } from '#src/kit/shapes.ts'

/** Why a comment is reported. */
export const reportReasons = ['spam', 'abuse', 'personal_data', 'off_topic', 'other'] as const

/** What the staff decided about a reported comment. */
export const reportOutcomes = ['kept', 'hidden', 'deleted'] as const

const reason = OneOf(reportReasons, 'Why it is reported')
const note = Text(1000, 'What the staff should know')
const outcome = Nullable(OneOf(reportOutcomes, 'What the staff decided; null while the report is open'))

/** A report of a comment by a member. */
export const NewReport = Closed('NewCommentReport', { reason, note: Type.Optional(note) })

/** A report, as its reporter reads it. */
export const OwnReport = Closed('OwnCommentReport', {
  id: Id('rpt'),
  comment_id: Id('cmt'),
  reason,
  note,
  outcome,
  created_at: Instant,
  updated_at: Instant,
})

/** A report, as the staff read it. */
export const Report = Closed('CommentReport', {
  ...OwnReport.properties,
  reporter: Person,
  settled_at: Nullable(Instant),
})

/** One page of reports. */
export const ReportPage = PageOf(Report, 'CommentReportPage')

/** The query parameters of the list of reports. */
export const ReportsQuery = Type.Object(PageQuery)
