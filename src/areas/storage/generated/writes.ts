import { createHash } from 'node:crypto'
import type { Db } from '#src/contract/db.ts'
import type { Store } from '#src/contract/store.ts'
import { newUuid } from '#src/kit/ids.ts'
import { releaseQuota } from '../uploads/queries.ts'
import { type GeneratedFile, insertGenerated } from './queries.ts'

/** Bytes as the stream that a store takes. */
export async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** Puts bytes that the school itself made into the store, outside any transaction; nothing names them until `commitGenerated`. */
export const storeGenerated = async (
  store: Store,
  schoolId: string,
  now: Date,
  bytes: Uint8Array,
): Promise<GeneratedFile> => {
  const id = newUuid(now.getTime())
  const objectKey = `${schoolId}/files/${id.slice(-2)}/${id}`
  await store.put(objectKey, once(bytes), bytes.length)
  return { id, objectKey, byteSize: bytes.length, sha256: createHash('sha256').update(bytes).digest() }
}

/** Makes a member's file of bytes that were put, in the transaction of the write that refers to it; gives its row's id. */
export const commitGenerated = async (
  db: Db,
  schoolId: string,
  file: GeneratedFile & { readonly memberId: string; readonly filename: string; readonly contentType: string },
): Promise<string> => {
  await insertGenerated(db, schoolId, file)
  return file.id
}

/** Lets files go that the school made and needs no more; the worker removes their bytes. */
export const discardGenerated = (db: Db, schoolId: string, ids: readonly string[]): Promise<number> =>
  releaseQuota(db, schoolId, ids)
