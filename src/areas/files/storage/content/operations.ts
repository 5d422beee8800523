import { randomUUID } from 'node:crypto'
import { exampleFrom } from '#src/contract/example.ts'
import { multiStepOperation } from '#src/contract/multi-step-operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidRequest, invalidState } from '#src/contract/problems.ts'
import type { Store } from '#src/contract/store.ts'
import { getOwn } from '../uploads/access.ts'
import { lockOwn, storeArrived, type UploadRow } from '../uploads/queries.ts'
import { invalidOffset, MAX_PARTS, partKey } from '../uploads/rules.ts'
import { Upload, UploadRef } from '../uploads/schema.ts'
import { uploadView } from '../uploads/views.ts'

/** The part of a file in a request: its offset and maximum size; `isRest` continues the upload. */
type Plan = { readonly start: number; readonly most: number; readonly isRest: boolean }

const readRange = (range: string, size: number): Plan => {
  const [, first = '', last = '', total = ''] = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/.exec(range) ?? []
  const start = Number(first)
  const most = Number(last) - start + 1
  // RFC 9110 §14.4
  if (first === '' || most < 1 || Number(last) >= size || (total !== '*' && Number(total) !== size))
    throw new Refusal(invalidRequest, `Content-Range must be "bytes first-last/${size}", within the announced size.`)
  return { start, most, isRest: true }
}

const wrong = (row: UploadRow): Refusal =>
  new Refusal(invalidOffset, `Continue from byte ${row.received_bytes}.`, {
    members: { received_bytes: Number(row.received_bytes) },
  })

const buildPlan = (row: UploadRow, range: string | undefined, length: number | undefined, store: Store): Plan => {
  if (row.status !== 'created' && row.status !== 'received')
    throw new Refusal(invalidState, `The upload is ${row.status}.`)
  const size = Number(row.byte_size)
  if (range === undefined && (store.kind === 'folder' || length === size))
    return { start: 0, most: size, isRest: false }
  if (store.kind !== 'folder' || range === undefined)
    throw new Refusal(invalidRequest, 'The file must be sent completely, with its announced size as Content-Length.')
  const plan = readRange(range, size)
  if (plan.start !== Number(row.received_bytes)) throw wrong(row)
  if (row.parts.length >= MAX_PARTS)
    throw new Refusal(invalidState, `A file can be sent in at most ${MAX_PARTS} pieces.`)
  return plan
}

/** The number of received bytes, and the error that interrupted the body. */
type Arrival = { bytes: number; cut: unknown }

// Bytes that arrived before a connection broke are kept, so that the upload can be continued; refused bytes are not.
async function* keeping(body: AsyncIterable<Uint8Array>, so: Arrival, isWhole: boolean): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body) {
      so.bytes += chunk.length
      yield chunk
    }
  } catch (error) {
    so.cut = error
    if (isWhole || (error instanceof Refusal && error.problem.status === 413)) throw error
  }
}

const tidy = (store: Store, keys: readonly string[]): Promise<unknown> =>
  // A sweep deletes what remains.
  Promise.all(keys.map(key => store.remove(key).catch(() => undefined)))

/** Receives the bytes of an announced file. */
export const setUploadContent = multiStepOperation({
  id: 'setUploadContent',
  route: 'PUT /uploads/:upload_id/content',
  summary: 'Send upload content',
  description:
    'Sends the bytes of an upload, completely or from the offset in Content-Range. Without Content-Range the upload starts again. If the connection breaks and `transfer.is_resumable` is true, continue from `received_bytes`.',
  scope: 'storage:write',
  who: 'self',
  mode: 'stream',
  params: UploadRef,
  returns: Upload,
  fails: [invalidState, invalidOffset],
  example: {
    params: { upload_id: exampleFrom('upl', 'listUploads', { having: { filename: 'starter.txt' } }) },
    content: 'Rye',
  },
  async runSteps(context) {
    const { school, caller, params, content, files, read, write } = context
    const { store } = files
    const row = await read(db => getOwn(db, school, caller, params.upload_id))
    const plan = buildPlan(row, content.range, content.length, store)
    const part = partKey(school.id, row.id, randomUUID())
    const so: Arrival = { bytes: 0, cut: undefined }
    await store.put(part, keeping(content.read(plan.most), so, store.kind === 's3'), plan.most)
    if (so.bytes === 0) {
      await tidy(store, [part])
      if (so.cut !== undefined) throw so.cut
      throw new Refusal(invalidRequest, 'The body is empty; it must contain the next bytes of the file.')
    }
    const arrived = { part, bytes: so.bytes, behind: plan.isRest ? plan.start : undefined }
    const stored = await write(async ({ db }) => {
      // Held, so that the pieces whose place this takes are known, whatever came since the row was read.
      const before = await lockOwn(db, school.id, caller.member.id, row.id)
      const stored = before && (await storeArrived(db, school.id, row.id, arrived))
      return stored && { stored, over: plan.isRest ? [] : before.parts }
    }).catch(async error => {
      await tidy(store, [part])
      throw error
    })
    await tidy(store, stored === undefined ? [part] : stored.over)
    if (so.cut !== undefined) throw so.cut
    if (stored === undefined) throw new Refusal(invalidState, 'Other bytes of this file arrived at the same time.')
    return uploadView(stored.stored, context, false)
  },
})
