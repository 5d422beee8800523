import type { WriteContext } from '#src/contract/context.ts'
import { operation } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidBody, invalidState, roleRequired } from '#src/contract/problems.ts'
import { readList } from '#src/db/list.ts'
import { toId } from '#src/kit/ids.ts'
import { isPicture } from '#src/kit/media-types.ts'
import { releaseQuota } from '../uploads/queries.ts'
import { fileInUse } from '../uploads/rules.ts'
import {
  changeFile,
  findLibraryFile,
  type LibraryRow,
  libraryList,
  lockIncoming,
  lockLibraryFile,
  swapBytes,
} from './queries.ts'
import { isReplaceable, readKind, readOwner, renameTo } from './rules.ts'
import { FileChange, FileRef, FileReplacement, LibraryFile, LibraryPage, LibraryQuery } from './schema.ts'
import { libraryView, libraryViews, listUses, noFile } from './views.ts'

const listFiles = operation({
  id: 'listFiles',
  summary: 'List files',
  description:
    'Lists the files that staff uploaded, with what uses each; lecturers see their own. What was used last may be up to a day old in the filter `used`, and not in `used_by`.',
  who: 'self',
  mode: 'read',
  query: LibraryQuery,
  returns: LibraryPage,
  fails: [roleRequired],
  async handle(context) {
    const { school, caller, query } = context
    const { q, kind, purpose, used } = query
    const list = libraryList(school.id, { ownerId: readOwner(caller.member), q, kind, purpose, used })
    return readList(context, list, async rows => [...(await libraryViews(context, rows))])
  },
})

const getFile = operation({
  id: 'getFile',
  summary: 'Get a file',
  description: 'Returns a file that staff uploaded, with all that uses it; lecturers see their own.',
  who: 'self',
  mode: 'read',
  params: FileRef,
  returns: LibraryFile,
  fails: [roleRequired],
  async handle(context) {
    const { db, school, caller, params } = context
    return libraryView(context, await findLibraryFile(db, school.id, params.file_id, readOwner(caller.member)))
  },
})

/** Locks the file of a call, if it is as the caller saw it. */
const lockFile = async (context: WriteContext, id: string): Promise<LibraryRow> => {
  const { db, school, caller } = context
  const row = await lockLibraryFile(db, school.id, id, readOwner(caller.member))
  if (row === undefined) throw noFile()
  await context.requireMatch(row.revision, () => libraryView(context, row))
  return row
}

const readChanged = async (context: WriteContext, id: string, fields: readonly string[]) => {
  const { db, school, changed } = context
  const view = await libraryView(context, await findLibraryFile(db, school.id, id, undefined))
  changed({ ids: [toId('fil', id)], fields, revision: view.revision })
  return view
}

const updateFile = operation({
  id: 'updateFile',
  summary: 'Update a file',
  description: 'Changes the name of a file or what a picture shows in words. Its ending stays, and so does its id.',
  who: 'self',
  mode: 'write',
  params: FileRef,
  body: FileChange,
  returns: LibraryFile,
  fails: [roleRequired],
  async handle(context) {
    const { db, school, params, body, record } = context
    const row = await lockFile(context, params.file_id)
    const filename = body.name === undefined ? row.filename : renameTo(body.name, row.filename)
    await changeFile(db, school.id, row.id, { filename, alt: body.alt ?? row.alt })
    record({ type: 'file.updated', payload: { file_id: toId('fil', row.id) } })
    return readChanged(context, row.id, Object.keys(body))
  },
})

// A place that shows a picture cannot show anything else, nor a picture with its metadata.
const checkFit = (
  row: LibraryRow,
  incoming: { readonly content_type: string; readonly keep_original: boolean } | undefined,
): void => {
  const fits =
    incoming !== undefined &&
    readKind(incoming.content_type) === readKind(row.content_type) &&
    isPicture(incoming.content_type) === isPicture(row.content_type) &&
    (row.keep_original || !incoming.keep_original)
  if (!fits)
    throw new Refusal(invalidBody, 'The file cannot take the place of the other one.', {
      errors: [{ pointer: '/upload_id', code: 'other_kind', message: 'is no unused upload of yours of this kind' }],
    })
}

const replaceFile = operation({
  id: 'replaceFile',
  summary: 'Replace a file',
  description:
    'Gives a file the bytes of one of your uploads that nothing uses, of the same purpose and kind. Whatever uses the file shows the new bytes; the upload is deleted with the old ones.',
  who: 'self',
  mode: 'write',
  params: FileRef,
  body: FileReplacement,
  returns: LibraryFile,
  fails: [roleRequired, invalidState],
  async handle(context) {
    const { db, school, caller, params, body, record } = context
    const row = await lockFile(context, params.file_id)
    if (!isReplaceable(row.purpose, await listUses(context, [row.id])))
      throw new Refusal(invalidState, 'Something that refers to this file has to stay as it is.')
    const asked = { id: body.upload_id, memberId: caller.member.id, purpose: row.purpose }
    const incoming = body.upload_id === row.id ? undefined : await lockIncoming(db, school.id, asked)
    checkFit(row, incoming)
    await swapBytes(db, school.id, row.id, body.upload_id)
    await releaseQuota(db, school.id, [body.upload_id])
    record({ type: 'file.replaced', payload: { file_id: toId('fil', row.id) } })
    return readChanged(context, row.id, ['content'])
  },
})

const deleteFile = operation({
  id: 'deleteFile',
  summary: 'Delete a file',
  description: 'Deletes a file that nothing refers to, with its bytes; lecturers delete their own.',
  who: 'self',
  mode: 'write',
  params: FileRef,
  returns: undefined,
  fails: [roleRequired, fileInUse],
  async handle(context) {
    const { db, school, params, changed, record } = context
    const row = await lockFile(context, params.file_id)
    const uses = await listUses(context, [row.id])
    if (uses.length > 0)
      throw new Refusal(fileInUse, 'Something refers to this file.', {
        members: { used_by: uses.slice(0, 20).map(({ kind, id }) => ({ kind, id })) },
      })
    await releaseQuota(db, school.id, [row.id])
    changed({ ids: [toId('fil', row.id)], fields: ['status'] })
    record({ type: 'upload.deleted', payload: { upload_id: toId('upl', row.id) } })
  },
})

/** The operations of the library, without routes. */
export const libraryOperations = [listFiles, getFile, updateFile, replaceFile, deleteFile]
