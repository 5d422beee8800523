import { createHash } from 'node:crypto'
import type { School } from '#src/contract/school.ts'
import type { Files, Store } from '#src/contract/store.ts'
import { CAPTIONS_TYPE, MAX_CAPTIONS_BYTES, toWebVtt } from '#src/kit/captions.ts'
import { newUuid } from '#src/kit/ids.ts'
import { isPicture, isText } from '#src/kit/media-types.ts'
import { readBytes } from '../files/lookups.ts'
import { once } from '../generated/writes.ts'
import { chooseType } from '../uploads/media-types.rules.ts'
import type { CheckedFile, UploadRow } from '../uploads/queries.ts'
import { MAX_MEASURED_BYTES } from '../uploads/rules.ts'

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

/** A file that can be stored and what its first bytes are recognised as, or why it cannot. */
type Verdict = { readonly found: CheckedFile; readonly recognised: string | undefined } | { readonly reason: string }

type Announced = Pick<UploadRow, 'byte_size' | 'declared_sha256' | 'declared_type' | 'purpose' | 'keep_original'>

// What learners and visitors hand in stays byte for byte.
const isRewritten = ({ purpose, keep_original }: Announced): boolean =>
  !keep_original && purpose !== 'submission' && purpose !== 'form'

// Nothing names the object yet.
const replace = async ({ store }: Files, key: string, bytes: Uint8Array): Promise<Partial<CheckedFile>> => {
  await store.put(key, once(bytes), bytes.length)
  return { sha256: createHash('sha256').update(bytes).digest(), byteSize: bytes.length }
}

// A picture that cannot be written without its metadata is kept as it is, and no page may show it.
const rewrite = async (files: Files, key: string, image: Buffer): Promise<Partial<CheckedFile>> => {
  const bytes = await files.media.withoutMetadata(image)
  return bytes === undefined ? { keepOriginal: true } : replace(files, key, bytes)
}

const converted = async (files: Files, file: CheckedFile): Promise<CheckedFile | string> => {
  if (file.byteSize > MAX_CAPTIONS_BYTES) return 'unreadable_captions'
  const bytes = toWebVtt(await readBytes(files.store, file.objectKey))
  return bytes === undefined ? 'unreadable_captions' : { ...file, ...(await replace(files, file.objectKey, bytes)) }
}

const NO_PICTURE = { width: null, height: null, isAnimated: null }

const measured = async (row: Announced, files: Files, file: CheckedFile): Promise<CheckedFile | string> => {
  if (file.contentType === CAPTIONS_TYPE && row.purpose === 'course' && isRewritten(row)) return converted(files, file)
  if (!isPicture(file.contentType)) return file
  if (file.byteSize > MAX_MEASURED_BYTES) return { ...file, keepOriginal: true }
  const image = await readBytes(files.store, file.objectKey)
  const facts = await files.media.measure(image)
  if (typeof facts === 'string') return facts
  const { hasMetadata, ...shape } = facts
  const changes = hasMetadata && isRewritten(row) ? await rewrite(files, file.objectKey, image) : {}
  return { ...file, ...shape, ...changes }
}

/**
 * Checks the size, checksum and type of the bytes of an upload, and writes pictures again without
 * their metadata and captions as WebVTT; the reason where they are not as announced. Nothing may name the object yet.
 */
export const checkObject = async (row: Announced, files: Files, key: string): Promise<Verdict> => {
  const { size, sha256, head } = await inspect(files.store, key)
  if (size !== Number(row.byte_size)) return { reason: 'wrong_size' }
  if (row.declared_sha256 !== null && !row.declared_sha256.equals(sha256)) return { reason: 'wrong_checksum' }
  const recognised = await files.media.sniff(head)
  const verdict = chooseType({ declared: row.declared_type, recognised, isText: isText(head) }, row.purpose)
  if ('reason' in verdict) return verdict
  const { type: contentType } = verdict
  const { keep_original: keepOriginal } = row
  const file = { objectKey: key, contentType, sha256, byteSize: size, keepOriginal, ...NO_PICTURE }
  const found = await measured(row, files, file)
  return typeof found === 'string' ? { reason: found } : { found, recognised }
}

/** Where a file lies: an object that nothing names until the file is ready. */
export const objectKey = (school: Pick<School, 'id'>, now: Date): string => {
  const id = newUuid(now.getTime())
  return `${school.id}/files/${id.slice(-2)}/${id}`
}
