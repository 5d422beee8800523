import { fileViews } from '#src/areas/files/index.ts'
import type { Caller } from '#src/contract/caller.ts'
import type { ReadContext } from '#src/contract/operation.ts'
import type { AttachmentRow } from './queries.ts'
import type { AttachmentView } from './schema.ts'

type ShowingFiles = Pick<ReadContext<Caller>, 'db' | 'school' | 'caller' | 'keyFor'>

/** Attachments for a caller who may read their lessons. */
export const attachmentViews = async (
  context: ShowingFiles,
  rows: readonly AttachmentRow[],
): Promise<(row: AttachmentRow) => AttachmentView> => {
  const files = await fileViews(
    context,
    rows.map(row => row.file_id),
  )
  return row => ({
    id: row.id,
    lesson_id: row.lesson_id,
    name: row.name,
    file: files.get(row.file_id) ?? null,
    position: row.position,
    revision: row.revision,
    created_at: row.created_at,
    updated_at: row.updated_at,
  })
}

/** One attachment for a caller who may read its lesson. */
export const attachmentView = async (context: ShowingFiles, row: AttachmentRow): Promise<AttachmentView> =>
  (await attachmentViews(context, [row]))(row)
