import { exampleFrom } from '#src/contract/example.ts'
import { declareFor, operation } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { roleRequired } from '#src/contract/problems.ts'
import { readList } from '#src/db/list.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { withoutParameters } from '#src/kit/media-types.ts'
import { completeUpload } from '../completion/operations.ts'
import { setUploadContent } from '../content/operations.ts'
import { listPublicIds } from '../files/views.ts'
import { usesOf } from '../hooks.ts'
import { getOwn, noUpload } from './access.ts'
import { countUnlinked, insertUpload, lockOwn, releaseQuota, reserveQuota, unlinkedList } from './queries.ts'
import { checkPurpose, cleanName, fileInUse, MAX_UNLINKED, quotaExceeded, tooManyUploads } from './rules.ts'
import { NewUpload, Upload, UploadPage, UploadRef, UploadsQuery } from './schema.ts'
import { prepareTransfer, uploadView } from './views.ts'

const ACTIONS: Partial<Record<string, string[]>> = {
  created: ['setUploadContent'],
  received: ['setUploadContent', 'completeUpload'],
}

const listUploads = operation({
  id: 'listUploads',
  route: 'GET /uploads',
  summary: 'List uploads',
  description: 'Lists your own uploads that nothing refers to yet, newest first.',
  scope: 'storage:write',
  who: 'self',
  mode: 'read',
  query: UploadsQuery,
  returns: UploadPage,
  async handle(context) {
    const { school, caller, query } = context
    const list = unlinkedList(school.id, caller.member.id, query.status)
    return readList(context, list, rows => rows.map(row => uploadView(row, context, false)))
  },
})

const createUpload = declareFor('self', 'storage', {
  id: 'createUpload',
  route: 'POST /uploads',
  summary: 'Create an upload',
  description:
    'Announces a file with its size, type and purpose. The response says in `transfer` where to send the bytes; then complete the upload. An upload that is not completed within a day, or that nothing refers to for 30 days, is deleted.',
  body: NewUpload,
  returns: Upload,
  status: 201,
  fails: [roleRequired, quotaExceeded, tooManyUploads],
  example: {
    body: { filename: 'My first loaf.txt', content_type: 'text/plain', byte_size: 12, purpose: 'submission' },
  },
  async handle(context) {
    const { db, school, caller, body, now, changed, record } = context
    checkPurpose(caller.member, body)
    if (!(await reserveQuota(db, school.id, body.byte_size)))
      throw new Refusal(quotaExceeded, 'The file is larger than the remaining quota.')
    // Reserving the quota locks the school's row, so that uploads made at once are counted one after another.
    if ((await countUnlinked(db, school.id, caller.member.id)) >= MAX_UNLINKED)
      throw new Refusal(tooManyUploads, `You already have ${MAX_UNLINKED} unused uploads.`)
    const row = await insertUpload(db, school.id, {
      id: newUuid(now.getTime()),
      memberId: caller.member.id,
      purpose: body.purpose,
      byteSize: body.byte_size,
      filename: cleanName(body.filename),
      declaredType: withoutParameters(body.content_type),
      keepOriginal: body.keep_original ?? false,
      sha256: body.sha256 === undefined ? undefined : Buffer.from(body.sha256, 'hex'),
    })
    const id = toId('upl', row.id)
    changed({ ids: [id], fields: Object.keys(body), revision: row.revision })
    record({ type: 'upload.created', payload: { upload_id: id } })
    return { ...uploadView(row, context, false), ...(await prepareTransfer(row, school, context.files)) }
  },
})

const getUpload = operation({
  id: 'getUpload',
  route: 'GET /uploads/:upload_id',
  summary: 'Get an upload',
  description:
    'Returns one of your own uploads, with the number of bytes received and the address to send the rest to.',
  scope: 'storage:write',
  who: 'self',
  mode: 'read',
  params: UploadRef,
  returns: Upload,
  example: { params: { upload_id: exampleFrom('upl', 'listUploads') } },
  async handle(context) {
    const { db, school, caller, params, allowedActions } = context
    const row = await getOwn(db, school, caller, params.upload_id)
    const open = await listPublicIds(db, school, [row.id])
    return {
      ...uploadView(row, context, open.has(row.id)),
      ...(await prepareTransfer(row, school, context.files)),
      allowed_actions: allowedActions(['getUpload', ...(ACTIONS[row.status] ?? []), 'deleteUpload']),
    }
  },
})

const deleteUpload = declareFor('self', 'storage', {
  id: 'deleteUpload',
  route: 'DELETE /uploads/:upload_id',
  summary: 'Delete an upload',
  description: 'Deletes one of your own uploads that nothing refers to, with its bytes.',
  params: UploadRef,
  returns: undefined,
  fails: [fileInUse],
  example: { params: { upload_id: exampleFrom('upl', 'listUploads') } },
  async handle({ db, school, caller, params, changed, record }) {
    const row = await lockOwn(db, school.id, caller.member.id, params.upload_id)
    if (row === undefined) throw noUpload()
    const uses = (await usesOf.call({ fileIds: [row.id] }, { school, db })).flat()
    if (uses.length > 0)
      throw new Refusal(fileInUse, 'Something refers to this file.', {
        members: { used_by: uses.slice(0, 20).map(({ kind, id }) => ({ kind, id })) },
      })
    await releaseQuota(db, school.id, [row.id])
    changed({ ids: [toId('upl', params.upload_id)], fields: ['status'] })
    record({ type: 'upload.deleted', payload: { upload_id: toId('upl', params.upload_id) } })
  },
})

/** The operations of files on their way, in the order of the documentation. */
export const operations = [listUploads, createUpload, getUpload, setUploadContent, completeUpload, deleteUpload]
