import type { TObject } from 'typebox'
import type { Caller } from '#src/contract/caller.ts'
import type { Db } from '#src/contract/db.ts'
import type { MultiStepContextOf } from '#src/contract/multi-step.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidBody, invalidRequest, payloadTooLarge, rateLimited } from '#src/contract/problems.ts'
import { newUuid } from '#src/kit/ids.ts'
import { isPicture, withoutParameters } from '#src/kit/media-types.ts'
import {
  insertFormFile,
  lockUnusedFormFile,
  releaseQuota,
  reserveQuota,
  sumUnusedOfForm,
  takeFormFile,
} from '../uploads/queries.ts'
import { cleanName, quotaExceeded, rejections } from '../uploads/rules.ts'
import type { FileValues } from '../uploads/schema.ts'
import { checkObject, objectKey } from './objects.writes.ts'

type None = TObject<Record<never, never>>

type Receiving = Pick<MultiStepContextOf<Caller, None, None, undefined>, 'school' | 'files' | 'content' | 'write'>

/** A file that somebody sends to a form; `accepts`: of which media types, anything if it is left out. */
type NewFormFile = {
  readonly formId: string
  readonly filename: string
  readonly contentType: string
  readonly maxBytes: number
  readonly now: Date
  readonly accepts: 'images' | 'pdf' | 'images_and_pdf' | undefined
}

// Staff open the file themselves, so a picture may be of a kind that no browser shows.
const isAccepted = (type: string, recognised: string | undefined, accepts: NewFormFile['accepts']): boolean => {
  if (accepts === undefined) return true
  const isImage = isPicture(type) || (type.startsWith('image/') && recognised?.startsWith('image/') === true)
  return (accepts !== 'pdf' && isImage) || (accepts !== 'images' && type === 'application/pdf')
}

const rejected = (reason: string): Refusal =>
  new Refusal(invalidBody, 'The file cannot be used here.', {
    errors: [{ pointer: '', code: reason, message: rejections[reason] ?? 'is a file that cannot be stored' }],
  })

const tooLarge = (maxBytes: number): Refusal =>
  new Refusal(payloadTooLarge, `The field takes files of at most ${maxBytes} bytes.`, {
    headers: { connection: 'close' },
  })

// Strangers cannot fill the quota of the school with files that no submission refers to.
const MAX_UNUSED_BYTES = 500_000_000

const tooManyUnused = (): Refusal =>
  new Refusal(rateLimited, 'The form has many files that no submission refers to yet. Send the file later.', {
    headers: { 'retry-after': '600' },
  })

type Size = { bytes: number; readonly most: number }

// A file of a page's form is on the disk already, so its reader does not count.
async function* counted(bytes: AsyncIterable<Uint8Array>, size: Size): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    size.bytes += chunk.length
    if (size.bytes > size.most) throw tooLarge(size.most)
    yield chunk
  }
}

/**
 * Receives a file for a form from anybody and returns it without an address: only staff get one. `then` runs in the
 * transaction that stores it, with the UUID of its row. Refuses what is empty, too large, of another type or beyond the
 * quota; nothing is kept then.
 */
export const receiveFormFile = async (
  { school, files, content, write }: Receiving,
  { formId, filename, contentType: declaredType, maxBytes, now, accepts }: NewFormFile,
  then: (db: Db, id: string) => Promise<unknown>,
): Promise<Pick<FileValues, 'file_id' | 'name' | 'content_type' | 'byte_size'>> => {
  const id = newUuid(now.getTime())
  const key = objectKey(school, now)
  const size: Size = { bytes: 0, most: maxBytes }
  if ((content.length ?? 0) > maxBytes) throw tooLarge(maxBytes)
  try {
    // A bucket is told how many bytes come.
    await files.store.put(key, counted(content.read(maxBytes), size), content.length ?? maxBytes)
    if (size.bytes === 0) throw new Refusal(invalidRequest, 'The body is empty; it must be the bytes of the file.')
    const announced = {
      byte_size: String(size.bytes),
      declared_sha256: null,
      declared_type: withoutParameters(declaredType),
      purpose: 'form' as const,
      keep_original: false,
    }
    const verdict = await checkObject(announced, files, key)
    if ('reason' in verdict) throw rejected(verdict.reason)
    const { found, recognised } = verdict
    if (!isAccepted(found.contentType, recognised, accepts)) throw rejected('unsupported_type')
    const name = cleanName(filename)
    await write(async ({ db }) => {
      if (!(await reserveQuota(db, school.id, size.bytes)))
        throw new Refusal(quotaExceeded, 'The file is larger than the remaining quota.')
      // The row of the quota is locked, so this is exact.
      if ((await sumUnusedOfForm(db, school.id, formId)) + size.bytes > MAX_UNUSED_BYTES) throw tooManyUnused()
      await insertFormFile(db, school.id, { id, formId, filename: name, declaredType, byteSize: size.bytes, found })
      await then(db, id)
    })
    return { file_id: id, name, content_type: found.contentType, byte_size: size.bytes }
  } catch (error) {
    // What a commit may have named whose outcome is not known stays; the rest is swept.
    if (error instanceof Refusal) await files.store.remove(key).catch(() => undefined)
    throw error
  }
}

/**
 * Takes a file that was sent to a form into use, once: false when it was sent to another form, is in use or gone. In the
 * transaction of the write that refers to it.
 */
export const takeFormFileInto = async (db: Db, schoolId: string, formId: string, id: string): Promise<boolean> =>
  (await takeFormFile(db, schoolId, formId, id)) > 0

/** Deletes a file that was sent to a form and that nothing took into use. */
export const dropUnusedFormFile = async (db: Db, schoolId: string, id: string): Promise<void> => {
  if (await lockUnusedFormFile(db, schoolId, id)) await releaseQuota(db, schoolId, [id])
}
