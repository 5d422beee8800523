import type { Db, Statement } from '#src/contract/db.ts'
import type { MetricRange, MetricRow } from '#src/contract/metric.ts'
import { sql } from '#src/db/sql.ts'

/** The submissions of forms in a range that were received, without spam. */
export const receivedRows = (schoolId: string, { from, until }: MetricRange): Statement<MetricRow> => sql<MetricRow>`
  select submitted_at as at, 1 as value, jsonb_build_object('form', 'frm:' || form_id) as dims
  from form_submissions
  where school_id = ${schoolId} and submitted_at >= ${from} and submitted_at < ${until} and status = 'received'`

/** How often open forms were shown to somebody who could answer them, in the quarters of a range. */
export const viewRows = (schoolId: string, { from, until }: MetricRange): Statement<MetricRow> => sql<MetricRow>`
  select at, views as value, jsonb_build_object('form', 'frm:' || item_id) as dims from view_counts
  where school_id = ${schoolId} and at >= ${from} and at < ${until} and item_type = 'form'`

/** The titles of some forms, deleted ones too, by their ids. */
export const formTitles = async (
  db: Db,
  schoolId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const rows = await db.all(sql<{ id: string; title: string }>`
    select f.id, v.title from forms f join form_versions v on v.school_id = f.school_id and v.form_id = f.id and v.number = f.version
    where f.school_id = ${schoolId} and f.id = any (${ids}::uuid[])`)
  return new Map(rows.map(({ id, title }) => [id, title]))
}
