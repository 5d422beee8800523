import type { Static } from 'typebox'
import { fileViews } from '#src/areas/files/index.ts'
import type { ReadContext } from '#src/contract/operation.ts'
import type { ExportRow } from './queries.ts'
import type { Export } from './schema.ts'

/** Reads the files of some exports; returns how each export is shown. */
export const exportViews = async (
  context: ReadContext,
  rows: readonly ExportRow[],
): Promise<(row: ExportRow) => Static<typeof Export>> => {
  const files = await fileViews(
    context,
    rows.flatMap(({ file_id }) => (file_id === null ? [] : [file_id])),
  )
  return row => ({
    id: row.id,
    status: row.status,
    file: row.file_id === null ? null : (files.get(row.file_id) ?? null),
    expires_at: row.expires_at,
    revision: row.revision,
    created_at: row.created_at,
    updated_at: row.updated_at,
  })
}

/** One export. */
export const exportView = async (context: ReadContext, row: ExportRow): Promise<Static<typeof Export>> =>
  (await exportViews(context, [row]))(row)
