import type { Static } from 'typebox'
import type { ReadContext } from '#src/contract/operation.ts'
import type { ImportRow } from './queries.ts'
import { computeProgress, listActions, readSource } from './rules.ts'
import type { Import } from './schema.ts'

/** An import as it is shown. */
export const importView = (
  { allowedActions, caller }: Pick<ReadContext, 'allowedActions' | 'caller'>,
  row: ImportRow,
): Static<typeof Import> => {
  const { notices, ...counts } = row.counts
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    file: { name: row.file_name, byte_size: Number(row.byte_size), sha256: row.sha256.toString('hex') },
    format: row.format,
    source: readSource(row),
    mapping: row.mapping.map(({ column, field, format = null }) => ({ column, field, format })),
    is_mapping_guessed: row.is_mapping_guessed,
    ambiguous: row.ambiguous.map(({ column, field, formats }) => ({
      column,
      field,
      formats: formats.map(({ format, samples }) => ({ format, samples: samples.map(sample => ({ ...sample })) })),
    })),
    options: row.options,
    counts,
    notices_count: notices,
    progress: computeProgress(row),
    problem: row.problem,
    undo_until: row.undo_until,
    started_by: row.started_by === null ? null : { id: row.started_by, name: row.starter_name ?? '' },
    checked_at: row.checked_at,
    started_at: row.started_at,
    ended_at: row.ended_at,
    revision: row.revision,
    allowed_actions: allowedActions(listActions(caller, row)),
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}
