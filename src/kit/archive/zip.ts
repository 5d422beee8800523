import { buffer } from 'node:stream/consumers'
import { crc32, createInflateRaw } from 'node:zlib'
import { ZipPassThrough, Zip as ZipWriter } from 'fflate'
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'

/** Why an archive, or an entry of it, cannot be read. */
export type ZipFault =
  | 'unreadable'
  | 'encrypted'
  | 'unsupported_method'
  | 'wrong_size'
  | 'wrong_checksum'
  | 'different_names'
  | 'overlapping'
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
  /** How many bytes it has, as the directory says. */
  readonly size: number
  /** Its contents, of at most so many bytes; throws a `ZipError`. */
  read(maxBytes: number): Promise<Buffer>
  /**
   * Its contents while they are unpacked, of at most so many bytes; throws a `ZipError`, that of a wrong size or checksum after
   * the last of them.
   */
  stream(maxBytes: number): AsyncGenerator<Buffer>
}

const STORED = 0
const DEFLATED = 8
// PKWARE's application note, 4.5.7: times, user and group take 12 bytes; the name of a linked file follows.
const UNIX_FIELD = 0x000d
const UNIX_FIELD_BYTES = 12
// 4.4.4: traditional encryption, strong encryption, and a masked central directory.
const ENCRYPTED = 0x0001 | 0x0040 | 0x2000

const CHUNK_BYTES = 65_536

async function* inflate(data: Buffer): AsyncGenerator<Buffer> {
  const inflater = createInflateRaw({ chunkSize: CHUNK_BYTES })
  inflater.end(data)
  try {
    yield* inflater
  } catch {
    throw new ZipError('unreadable')
  }
}

function* divide(data: Buffer): Generator<Buffer> {
  for (let at = 0; at < data.length; at += CHUNK_BYTES) yield data.subarray(at, at + CHUNK_BYTES)
}

/** Which bytes of an archive belong to an entry: its header and its data. */
type Span = { readonly start: number; readonly end: number }

/** An archive that is being read, with the bytes of the entries that were read so far. */
type Reading = { readonly archive: Buffer; readonly zip: ZipFile; readonly spans: Map<Entry, Span> }

// No program writes entries that share bytes; those who want much from few bytes do.
const claimSpan = (spans: Reading['spans'], entry: Entry, end: number): void => {
  if (spans.has(entry)) return
  const { relativeOffsetOfLocalHeader: start } = entry
  for (const other of spans.values()) if (start < other.end && other.start < end) throw new ZipError('overlapping')
  spans.set(entry, { start, end })
}

// The header before the data repeats the name; readers that use one and readers that use the other must see the same.
const readData = async ({ archive, zip, spans }: Reading, entry: Entry): Promise<Buffer> => {
  const header = await zip.readLocalFileHeaderPromise(entry).catch(() => {
    throw new ZipError('unreadable')
  })
  if (!header.fileName.equals(entry.fileNameRaw)) throw new ZipError('different_names')
  const end = header.fileDataStart + entry.compressedSize
  claimSpan(spans, entry, end)
  return archive.subarray(header.fileDataStart, end)
}

const isEncrypted = ({ generalPurposeBitFlag: flags }: Entry): boolean => (flags & ENCRYPTED) !== 0

async function* streamContents(reading: Reading, entry: Entry, maxBytes: number): AsyncGenerator<Buffer> {
  if (isEncrypted(entry)) throw new ZipError('encrypted')
  const { compressionMethod: method } = entry
  if (method !== STORED && method !== DEFLATED) throw new ZipError('unsupported_method')
  const data = await readData(reading, entry)
  let size = 0
  let checksum = 0
  for await (const chunk of method === STORED ? divide(data) : inflate(data)) {
    size += chunk.length
    if (size > maxBytes) throw new ZipError('too_large')
    checksum = crc32(chunk, checksum)
    yield chunk
  }
  if (size !== entry.uncompressedSize) throw new ZipError('wrong_size')
  if (checksum !== entry.crc32) throw new ZipError('wrong_checksum')
}

const buildEntry = (reading: Reading, entry: Entry): ZipEntry => ({
  name: entry.fileNameRaw,
  mode: entry.externalFileAttributes >>> 16,
  isLink: entry.extraFields.some(({ id, data }) => id === UNIX_FIELD && data.length > UNIX_FIELD_BYTES),
  isEncrypted: isEncrypted(entry),
  size: entry.uncompressedSize,
  read: maxBytes => buffer(streamContents(reading, entry, maxBytes)),
  stream: maxBytes => streamContents(reading, entry, maxBytes),
})

/** A zip archive in memory. */
export type Zip = {
  /** How many entries it claims to have. */
  readonly entryCount: number
  /** Its entries in their order, once; throws a `ZipError` where the central directory is damaged. */
  entries(): AsyncGenerator<ZipEntry>
}

async function* readEntries(reading: Reading): AsyncGenerator<ZipEntry> {
  const entries = reading.zip.eachEntry()
  for (;;) {
    const { done, value } = await entries.next().catch(() => {
      throw new ZipError('unreadable')
    })
    if (done === true) return
    yield buildEntry(reading, value)
  }
}

/** Opens a zip archive; throws a `ZipError` for bytes that are none. */
export const openZip = async (archive: Buffer): Promise<Zip> => {
  // Names stay bytes, since their encoding and what they lead to is decided by whoever uses them.
  const options = { lazyEntries: true, decodeStrings: false, validateEntrySizes: false }
  const zip = await fromBufferPromise(archive, options).catch(() => {
    throw new ZipError('unreadable')
  })
  return { entryCount: zip.entryCount, entries: () => readEntries({ archive, zip, spans: new Map() }) }
}

/** An archive of files that are compressed already, written while they are read, one after the other. */
export async function* writeZip(
  files: AsyncIterable<{ readonly name: string; readonly bytes: Uint8Array }>,
): AsyncGenerator<Uint8Array> {
  const written: Uint8Array[] = []
  const zip = new ZipWriter((error, chunk) => {
    if (error !== null) throw error
    written.push(chunk)
  })
  for await (const { name, bytes } of files) {
    const entry = new ZipPassThrough(name)
    zip.add(entry)
    entry.push(bytes, true)
    yield* written.splice(0)
  }
  zip.end()
  yield* written.splice(0)
}
