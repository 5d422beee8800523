import type { TObject } from 'typebox'
import { isAtLeast, type SignedIn } from '#src/contract/caller.ts'
import { exampleFrom } from '#src/contract/example.ts'
import type { MultiStepContextOf } from '#src/contract/multi-step.ts'
import { multiStepOperation } from '#src/contract/multi-step-operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState, unavailable } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import type { Store } from '#src/contract/store.ts'
import { toId } from '#src/kit/ids.ts'
import { createSlots } from '#src/kit/slots.ts'
import { getOwn } from '../uploads/access.ts'
import { storeReady, storeRejected, type UploadRow } from '../uploads/queries.ts'
import { directKey } from '../uploads/rules.ts'
import { Upload, UploadRef } from '../uploads/schema.ts'
import { uploadView } from '../uploads/views.ts'
import { checkObject, objectKey } from './objects.writes.ts'

// Where the bytes lie: with us in pieces, or where they were sent past us.
const readParts = async (row: UploadRow, school: School, store: Store): Promise<readonly string[]> => {
  if (row.status === 'received') return row.parts
  const direct = directKey(school.id, row.id)
  if (store.direct !== undefined && (await store.find(direct)) !== undefined) return [direct]
  throw new Refusal(invalidState, `${row.received_bytes} of ${row.byte_size} bytes were received.`)
}

type Completing = MultiStepContextOf<SignedIn, typeof UploadRef, TObject<Record<never, never>>, undefined>

type Settled = { readonly row: UploadRow; readonly parts: readonly string[] }

// Somebody else completed or changed the upload while this one looked at it.
const statusAfterConflict = async (
  { read, school, caller, params }: Completing,
  row: UploadRow,
  error: unknown,
): Promise<Settled> => {
  const now = await read(db => getOwn(db, school, caller, params.upload_id))
  if (now.status === 'ready' || now.status === 'rejected') return { row: now, parts: [] }
  if (now.revision === row.revision) throw error
  throw new Refusal(invalidState, 'The upload changed while it was checked.')
}

const settle = async (context: Completing, row: UploadRow, parts: readonly string[], key: string): Promise<Settled> => {
  const { school, params, files, write } = context
  // What is judged is a copy that nobody can write to any more.
  await files.store.join(parts, key)
  const verdict = await checkObject(row, files, key)
  const stored = await write(async ({ db, changed, record }) => {
    const settled =
      'found' in verdict
        ? await storeReady(db, school.id, row, verdict.found)
        : await storeRejected(db, school.id, row, verdict.reason)
    if (settled === undefined) return undefined
    changed({ ids: [toId('upl', params.upload_id)], fields: ['status'], revision: settled.revision })
    if (settled.status === 'ready')
      record({
        type: 'file.ready',
        payload: { upload_id: toId('upl', params.upload_id), file_id: toId('fil', row.id) },
      })
    return settled
  })
  if (stored === undefined) throw new Refusal(invalidState, 'The upload changed while it was checked.')
  return { row: stored, parts }
}

const complete = async (context: Completing, row: UploadRow): Promise<UploadRow> => {
  const { school, files } = context
  const { store } = files
  const parts = await readParts(row, school, store)
  const key = objectKey(school, row.asked_at)
  const remove = (keys: readonly string[]) => Promise.all(keys.map(one => store.remove(one).catch(() => undefined)))
  const settled = await settle(context, row, parts, key).catch(async (error: unknown) => {
    // What a commit may have named whose outcome is not known stays; the rest is swept.
    if (error instanceof Refusal) await remove([key])
    return statusAfterConflict(context, row, error)
  })
  if (settled.row.object_key !== key) await remove([key])
  await remove(settled.parts)
  return settled.row
}

// Each may copy its file and hold an image in memory: of one upload there is one at a time, and of all so many.
const slots = createSlots({ all: 20, reserved: 4, perPerson: 20, personShare: 1 })

const underWay = new Map<string, Promise<unknown>>()

const begin = (context: Completing, row: UploadRow): Promise<UploadRow> => {
  const { school, caller } = context
  const isPrivileged = isAtLeast(caller.member.role, 'lecturer')
  const giveBack = slots.take({ school: school.id, person: caller.member.id, isPrivileged })
  if (giveBack === undefined)
    throw new Refusal(unavailable, 'Too many files are being checked.', { headers: { 'retry-after': '5' } })
  const work = complete(context, row).finally(() => {
    underWay.delete(row.id)
    giveBack()
  })
  underWay.set(
    row.id,
    work.catch(() => undefined),
  )
  return work
}

/** Checks the bytes that were received and makes them a file. */
export const completeUpload = multiStepOperation({
  id: 'completeUpload',
  route: 'POST /uploads/:upload_id/completion',
  summary: 'Complete an upload',
  description:
    'Checks the size, checksum and file type of the bytes received and makes the upload available as a file. A file that is not what was announced is rejected, and the response gives the reason. Completing a file that is ready returns it again.',
  scope: 'storage:write',
  who: 'self',
  mode: 'outside',
  params: UploadRef,
  returns: Upload,
  fails: [invalidState],
  example: { params: { upload_id: exampleFrom('upl', 'listUploads', { having: { filename: 'rye.txt' } }) } },
  async runSteps(context) {
    const { school, caller, params, read } = context
    const find = () => read(db => getOwn(db, school, caller, params.upload_id))
    let row = await find()
    for (let other = underWay.get(row.id); other !== undefined; other = underWay.get(row.id)) {
      await other
      row = await find()
    }
    if (row.status === 'ready' || row.status === 'rejected') return uploadView(row, context, false)
    return uploadView(await begin(context, row), context, false)
  },
})
