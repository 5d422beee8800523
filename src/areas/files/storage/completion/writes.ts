import type { Database } from '#src/contract/db.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidBody } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import type { Files } from '#src/contract/store.ts'
import { newUuid } from '#src/kit/ids.ts'
import { withoutParameters } from '#src/kit/media-types.ts'
import { once } from '../generated/writes.ts'
import { insertUpload, reserveQuota, storeReady } from '../uploads/queries.ts'
import { quotaExceeded } from '../uploads/rules.ts'
import type { Purpose } from '../uploads/schema.ts'
import { checkObject, objectKey } from './objects.writes.ts'

type NewFile = {
  readonly memberId: string
  readonly purpose: Purpose
  readonly filename: string
  readonly contentType: string
  readonly bytes: Buffer
}

/**
 * Creates a file of bytes that are here already, as an upload with the same quota and checks; nothing refers to it yet.
 * Returns the id of its row, and refuses bytes that are not of the declared type. Never within a transaction.
 */
export const addFile = async (
  { database, school, files }: { readonly database: Database; readonly school: School; readonly files: Files },
  { bytes, contentType: declaredType, ...file }: NewFile,
): Promise<string> => {
  const announced = await database.transaction(school.id, async (db, now) => {
    if (!(await reserveQuota(db, school.id, bytes.length))) throw new Refusal(quotaExceeded, 'The quota is used up.')
    const upload = {
      ...file,
      id: newUuid(now.getTime()),
      declaredType: withoutParameters(declaredType),
      byteSize: bytes.length,
      sha256: undefined,
      keepOriginal: false,
    }
    return insertUpload(db, school.id, upload)
  })
  const key = objectKey(school, announced.asked_at)
  await files.store.put(key, once(bytes), bytes.length)
  const verdict = await checkObject(announced, files, key)
  if ('reason' in verdict) throw new Refusal(invalidBody, `${file.filename} cannot be stored: ${verdict.reason}`)
  const ready = await database.statements(school.id, db => storeReady(db, school.id, announced, verdict.found))
  if (ready === undefined) throw new Error(`${file.filename} changed while it was stored`)
  return ready.id
}
