import type { Static } from 'typebox'
import type { Cells, ReadContext } from '#src/contract/operation.ts'
import { listStatement, readList } from '#src/db/list.ts'
import { toId } from '#src/kit/ids.ts'
import { readVisible } from '../access.ts'
import { type ImportRow, importList } from './queries.ts'
import { readSource } from './rules.ts'
import type { ImportsQuery, Kind } from './schema.ts'
import { importView } from './views.ts'

/** The context of a list of imports. */
export type ImportsReading = ReadContext & { readonly query: Static<typeof ImportsQuery> }

/** A page of the imports that the caller may see. */
export const listImports = async (context: ImportsReading, kind: Kind) => {
  const visible = await readVisible(context, kind)
  return readList(context, importList(context.school.id, visible, context.query.status), rows =>
    rows.map(row => importView(context, row)),
  )
}

/** The cells of an import in a list as CSV. */
export const importCells: Cells<ImportRow> = {
  id: row => row.id,
  kind: row => row.kind,
  status: row => row.status,
  file_name: row => row.file_name,
  byte_size: row => Number(row.byte_size),
  source: readSource,
  rows: row => row.format?.rows ?? null,
  created: row => row.counts.created,
  updated: row => row.counts.updated,
  unchanged: row => row.counts.unchanged,
  failed: row => row.counts.failed,
  skipped: row => row.counts.skipped,
  notices_count: row => row.counts.notices,
  started_by_id: row => row.started_by && toId('mem', row.started_by),
  started_by_name: row => row.starter_name,
  checked_at: row => row.checked_at,
  started_at: row => row.started_at,
  ended_at: row => row.ended_at,
  undo_until: row => row.undo_until,
  created_at: row => row.created_at,
  updated_at: row => row.updated_at,
}

/** What reads the imports that the caller may see for a list as CSV. */
export const importsStatement = (kind: Kind) => async (context: ImportsReading) => {
  const visible = await readVisible(context, kind)
  const list = importList(context.school.id, visible, context.query.status)
  return listStatement(list, list.sort)
}
