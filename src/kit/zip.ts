import { promisify } from 'node:util'
import { crc32, type InflateRaw, inflateRaw, type ZlibOptions } from 'node:zlib'
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'

/** Why an archive, or an entry of it, cannot be read. */
export type ZipFault =
  | 'unreadable'
  | 'encrypted'
  | 'unsupported_method'
  | 'wrong_size'
  | 'wrong_checksum'
  | 'different_names'
  | 'too_large'

/** An archive, or an entry of it, cannot be read. */
export class ZipError extends Error {
  readonly fault: ZipFault
  constructor(fault: ZipFault) {
    super(`the archive cannot be read: ${fault}`)
    this.fault = fault
  }
}

/** An entry as the central directory of the archive describes it; none of it is certain before it is read. */
export type ZipEntry = {
  /** The bytes of its name, in an encoding that the archive need not tell. */
  readonly name: Buffer
  /** The type and permissions of the file on Unix, 0 where the archive was made elsewhere. */
  readonly mode: number
  /** Whether it refers to another file, as hard links of PKWARE's Unix format do. */
  readonly isLink: boolean
  readonly isEncrypted: boolean
  /** Its contents, of at most so many bytes; throws a `ZipError`. */
  read(maxBytes: number): Promise<Buffer>
}

const STORED = 0
const DEFLATED = 8
// PKWARE's application note, 4.5.7: times, user and group take 12 bytes; the name of a linked file follows.
const UNIX_FIELD = 0x000d
const UNIX_FIELD_BYTES = 12
// 4.4.4: traditional encryption, strong encryption, and a masked central directory.
const ENCRYPTED = 0x0001 | 0x0040 | 0x2000

const inflate = promisify<Buffer, ZlibOptions, Buffer | { readonly buffer: Buffer; readonly engine: InflateRaw }>(
  inflateRaw,
)

const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'

const inflated = async (data: Buffer, maxBytes: number): Promise<Buffer> => {
  const result = await inflate(data, { maxOutputLength: maxBytes }).catch(error => {
    throw new ZipError(isTooLarge(error) ? 'too_large' : 'unreadable')
  })
  return Buffer.isBuffer(result) ? result : result.buffer
}

// The header before the data repeats the name; readers that use one and readers that use the other must see the same.
const dataOf = async (archive: Buffer, zip: ZipFile, entry: Entry): Promise<Buffer> => {
  const header = await zip.readLocalFileHeaderPromise(entry).catch(() => {
    throw new ZipError('unreadable')
  })
  if (!header.fileName.equals(entry.fileNameRaw)) throw new ZipError('different_names')
  return archive.subarray(header.fileDataStart, header.fileDataStart + entry.compressedSize)
}

const isEncrypted = ({ generalPurposeBitFlag: flags }: Entry): boolean => (flags & ENCRYPTED) !== 0

const contentsOf = async (archive: Buffer, zip: ZipFile, entry: Entry, maxBytes: number): Promise<Buffer> => {
  if (isEncrypted(entry)) throw new ZipError('encrypted')
  const { compressionMethod: method } = entry
  if (method !== STORED && method !== DEFLATED) throw new ZipError('unsupported_method')
  const data = await dataOf(archive, zip, entry)
  const contents = method === STORED ? data : await inflated(data, Math.max(1, maxBytes))
  if (contents.length > maxBytes) throw new ZipError('too_large')
  if (contents.length !== entry.uncompressedSize) throw new ZipError('wrong_size')
  if (crc32(contents) !== entry.crc32) throw new ZipError('wrong_checksum')
  return contents
}

const entryOf = (archive: Buffer, zip: ZipFile, entry: Entry): ZipEntry => ({
  name: entry.fileNameRaw,
  mode: entry.externalFileAttributes >>> 16,
  isLink: entry.extraFields.some(({ id, data }) => id === UNIX_FIELD && data.length > UNIX_FIELD_BYTES),
  isEncrypted: isEncrypted(entry),
  read: maxBytes => contentsOf(archive, zip, entry, maxBytes),
})

/** A zip archive in memory. */
export type Zip = {
  /** How many entries it claims to have. */
  readonly entryCount: number
  /** Its entries in their order, once; throws a `ZipError` where the central directory is damaged. */
  entries(): AsyncGenerator<ZipEntry>
}

async function* entriesOf(archive: Buffer, zip: ZipFile): AsyncGenerator<ZipEntry> {
  const entries = zip.eachEntry()
  for (;;) {
    const { done, value } = await entries.next().catch(() => {
      throw new ZipError('unreadable')
    })
    if (done === true) return
    yield entryOf(archive, zip, value)
  }
}

/** Opens a zip archive; throws a `ZipError` for bytes that are none. */
export const openZip = async (archive: Buffer): Promise<Zip> => {
  // Names stay bytes, since their encoding and what they lead to is decided by whoever uses them.
  const options = { lazyEntries: true, decodeStrings: false, validateEntrySizes: false }
  const zip = await fromBufferPromise(archive, options).catch(() => {
    throw new ZipError('unreadable')
  })
  return { entryCount: zip.entryCount, entries: () => entriesOf(archive, zip) }
}
