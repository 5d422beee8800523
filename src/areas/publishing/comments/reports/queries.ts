import type { Db, Statement } from '#src/contract/db.ts'
import type { List } from '#src/db/list.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'
import type { reportOutcomes, reportReasons } from './schema.ts'

/** What became of a report. */
export type ReportOutcome = (typeof reportOutcomes)[number]

/** A stored report, with the name of its reporter. */
export type ReportRow = {
  readonly id: string
  readonly comment_id: string
  readonly member_id: string
  readonly member_name: string
  readonly reason: (typeof reportReasons)[number]
  readonly note: string
  readonly outcome: ReportOutcome | null
  readonly settled_at: Date | null
  readonly created_at: Date
  readonly updated_at: Date
}

const columnsIn = (
  schoolId: string,
): Statement => sql`r.id, r.comment_id, r.member_id, r.reason, r.note, r.outcome, r.settled_at, r.created_at, r.updated_at,
  (select m.name from members m where m.school_id = ${schoolId} and m.id = r.member_id) as member_name`

/** The reports of a comment or of a member, the oldest first. */
export const reportList = (
  schoolId: string,
  { commentId, memberId }: { readonly commentId?: string; readonly memberId?: string },
): List<ReportRow> => ({
  columns: columnsIn(schoolId),
  from: sql`comment_reports r`,
  where: joinConditions(
    sql`r.school_id = ${schoolId}`,
    when(commentId, id => sql`r.comment_id = ${id}`),
    when(memberId, id => sql`r.member_id = ${id}`),
  ),
  id: sql`r.id`,
})

/** The report of a comment by a member. */
export const findReport = (
  db: Db,
  schoolId: string,
  { commentId, memberId }: { readonly commentId: string; readonly memberId: string },
) =>
  db.first(sql<ReportRow>`
    select ${columnsIn(schoolId)} from comment_reports r
    where r.school_id = ${schoolId} and r.comment_id = ${commentId} and r.member_id = ${memberId}`)

/** A report to be stored. */
type NewReportValues = Pick<ReportRow, 'id' | 'comment_id' | 'member_id' | 'reason' | 'note'>

/** Stores a report of a comment whose thread is locked, or the reporter's change of an open one. */
export const putReport = (db: Db, schoolId: string, report: NewReportValues) =>
  db.one(sql<ReportRow>`
    with clock as materialized (select stoa.now() as now)
    insert into comment_reports as r (school_id, id, comment_id, member_id, reason, note, created_at, updated_at)
    select ${schoolId}, ${report.id}::uuid, ${report.comment_id}::uuid, ${report.member_id}::uuid, ${report.reason},
      ${report.note}, now, now
    from clock
    on conflict (school_id, comment_id, member_id) do update set reason = excluded.reason, note = excluded.note,
      updated_at = excluded.updated_at
    returning ${columnsIn(schoolId)}`)

/** Deletes the open report of a comment by a member; returns 0 when there is none. */
export const deleteReport = (db: Db, schoolId: string, commentId: string, memberId: string) =>
  db.run(sql`
    delete from comment_reports
    where school_id = ${schoolId} and comment_id = ${commentId} and member_id = ${memberId} and outcome is null`)

/** Settles the open reports of a comment; returns how many there were. */
export const settleOpen = (db: Db, schoolId: string, commentId: string, outcome: ReportOutcome) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    update comment_reports set outcome = ${outcome}, settled_at = (select now from clock), updated_at = (select now from clock)
    where school_id = ${schoolId} and comment_id = ${commentId} and outcome is null`)

/** Deletes the reports of a member. */
export const eraseReports = (db: Db, schoolId: string, memberId: string) =>
  db.run(sql`delete from comment_reports where school_id = ${schoolId} and member_id = ${memberId}`)

/** Moves the reports of one member to another, and deletes those of comments that the other has reported or written. */
export const moveReports = async (db: Db, schoolId: string, fromId: string, intoId: string): Promise<void> => {
  await db.run(sql`
    update comment_reports r set member_id = ${intoId} where r.school_id = ${schoolId} and r.member_id = ${fromId}
      and not exists (select from comment_reports o
        where o.school_id = ${schoolId} and o.comment_id = r.comment_id and o.member_id = ${intoId})
      and not exists (select from comments c
        where c.school_id = ${schoolId} and c.id = r.comment_id and c.member_id = ${intoId})`)
  await eraseReports(db, schoolId, fromId)
}
