import { createHash } from 'node:crypto'
import type { School } from '#src/contract/school.ts'
import type { Files, Store } from '#src/contract/store.ts'
import { newUuid } from '#src/kit/ids.ts'
import { bytesOf } from '../files/lookups.ts'
import type { CheckedFile, UploadRow } from '../uploads/queries.ts'
import { isImage, MAX_MEASURED_PIXELS, typeOf } from '../uploads/rules.ts'

const HEAD = 65_536

type Inspection = { readonly size: number; readonly sha256: Buffer; readonly head: Buffer }

// Reads an object once, holding no more of it than its beginning.
const inspect = async (store: Store, key: string): Promise<Inspection> => {
  const hash = createHash('sha256')
  const head: Uint8Array[] = []
  let size = 0
  for await (const chunk of store.read(key)) {
    if (size < HEAD) head.push(chunk)
    hash.update(chunk)
    size += chunk.length
  }
  return { size, sha256: hash.digest(), head: Buffer.concat(head).subarray(0, HEAD) }
}

type Verdict = { readonly found: CheckedFile } | { readonly reason: string }

const measured = async ({ store, media }: Files, key: string, type: string, size: number) => {
  if (!isImage(type) || size > MAX_MEASURED_PIXELS) return { width: null, height: null }
  return media.measure(await bytesOf(store, key))
}

/** Checks the size, checksum and type of the bytes of an upload, and measures an image; the reason where they are not as announced. */
export const checkObject = async (
  row: Pick<UploadRow, 'byte_size' | 'declared_sha256' | 'declared_type' | 'purpose'>,
  files: Files,
  key: string,
): Promise<Verdict> => {
  const { size, sha256, head } = await inspect(files.store, key)
  if (size !== Number(row.byte_size)) return { reason: 'wrong_size' }
  if (row.declared_sha256 !== null && !row.declared_sha256.equals(sha256)) return { reason: 'wrong_checksum' }
  const contentType = typeOf(row.declared_type, await files.media.sniff(head), row.purpose)
  if (contentType === undefined) return { reason: 'type_mismatch' }
  const image = await measured(files, key, contentType, size)
  if (typeof image === 'string') return { reason: image }
  return { found: { objectKey: key, contentType, sha256, ...image } }
}

/** Where a file lies: an object that nothing names until the file is ready. */
export const objectKey = (school: School, now: Date): string => {
  const id = newUuid(now.getTime())
  return `${school.id}/files/${id.slice(-2)}/${id}`
}
