import type { ReadContext } from '#src/contract/context.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { isVisible } from '#src/kit/text.ts'
import { fileViews } from '../files/views.ts'
import { type FileUse, usesOf } from '../hooks.ts'
import type { LibraryRow } from './queries.ts'
import { isReplaceable, readKind } from './rules.ts'
import type { LibraryFileValues } from './schema.ts'

/** The refusal of a file that is not there, or that the caller does not manage. */
export const noFile = (): Refusal => new Refusal(notFound, 'There is no such file that you manage.')

/** The things that refer to a file, each once. */
export const listUses = async (
  { db, school }: Pick<ReadContext, 'db' | 'school'>,
  fileIds: readonly string[],
): Promise<readonly FileUse[]> => {
  const uses = (await usesOf.call({ fileIds }, { school, db })).flat()
  return uses.filter((one, at) => uses.findIndex(({ fileId, id }) => fileId === one.fileId && id === one.id) === at)
}

const renderUse = ({ kind, id, name, within }: FileUse) => ({ kind, id, name: name ?? null, within: within ?? null })

const renderUploader = ({ member_id: id, member_name: name }: LibraryRow) =>
  id === null || name === null || !isVisible(name) ? null : { id, name }

const renderImage = ({ width, height, is_animated }: LibraryRow) =>
  width === null || height === null ? null : { width, height, is_animated: is_animated ?? false }

/** Files of the library with what uses them, and addresses for the caller. */
export const libraryViews = async (
  context: ReadContext,
  rows: readonly LibraryRow[],
): Promise<readonly LibraryFileValues[]> => {
  const ids = rows.map(({ id }) => id)
  const [files, uses] = [await fileViews(context, ids), await listUses(context, ids)]
  return rows.map(row => {
    const own = uses.filter(({ fileId }) => fileId === row.id)
    return {
      id: row.id,
      purpose: row.purpose,
      name: row.filename,
      kind: readKind(row.content_type),
      content_type: row.content_type,
      byte_size: Number(row.byte_size),
      image: renderImage(row),
      alt: row.alt,
      version: row.version,
      keep_original: row.keep_original,
      url: files.get(row.id)?.url ?? '',
      uploaded_by: renderUploader(row),
      used_by: own.map(renderUse),
      is_replaceable: isReplaceable(row.purpose, own),
      revision: row.revision,
      created_at: row.created_at,
      updated_at: row.updated_at,
    }
  })
}

/** One of them. */
export const libraryView = async (context: ReadContext, row: LibraryRow | undefined): Promise<LibraryFileValues> => {
  if (row === undefined) throw noFile()
  const [view] = await libraryViews(context, [row])
  if (view === undefined) throw noFile()
  return view
}
