import { crc32, deflateRawSync } from 'node:zlib'

/** An entry of an archive that a test builds; what is left out is as an ordinary program would write it. */
export type ArchiveEntry = {
  readonly name: string | Buffer
  readonly data?: string | Buffer
  readonly method?: number
  readonly flags?: number
  /** The type and permissions on Unix. */
  readonly mode?: number
  readonly extra?: Buffer
  /** The name in the header before the data. */
  readonly localName?: string | Buffer
  readonly crc?: number
  readonly size?: number
  readonly compressedSize?: number
  /** The offset of the header before the data. */
  readonly offset?: number
  /** The bytes of the data as they are stored, instead of those that are compressed. */
  readonly raw?: Buffer
  /** Whether size and checksum follow the data instead of preceding them (APPNOTE 4.3.9). */
  readonly hasDescriptor?: boolean
  /** Whether the directory has the sizes in 64 bits (APPNOTE 4.5.3). */
  readonly isZip64?: boolean
  /** Whether the archive has only the directory's record of it. */
  readonly isListedOnly?: boolean
}

const UTF8 = 0x0800
const UNIX = 3
const REGULAR = 0o100644
const FOLDER = 0o040755

const toBytes = (text: string | Buffer): Buffer => (typeof text === 'string' ? Buffer.from(text) : text)

const u16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

const u64 = (value: number): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}

const DESCRIPTOR = 0x0008
const IN_64_BITS = 0xffff_ffff

const packed = (entry: ArchiveEntry) => {
  const name = toBytes(entry.name)
  const data = toBytes(entry.data ?? '')
  const method = entry.method ?? (data.length > 0 ? 8 : 0)
  const raw = entry.raw ?? (method === 8 ? deflateRawSync(data) : data)
  const { hasDescriptor = false, isZip64 = false } = entry
  const flags = (entry.flags ?? UTF8) | (hasDescriptor ? DESCRIPTOR : 0)
  const [packedSize, size] = [entry.compressedSize ?? raw.length, entry.size ?? data.length]
  const [low, lowSize] = [Math.min(packedSize, IN_64_BITS), Math.min(size, IN_64_BITS)]
  const sums = Buffer.concat([u32(entry.crc ?? crc32(data)), u32(low), u32(lowSize)])
  const fieldsWith = (sumsOrNone: Buffer): Buffer =>
    Buffer.concat([u16(isZip64 ? 45 : 20), u16(flags), u16(method), u16(0), u16(0x5a21), sumsOrNone])
  const sums64 = Buffer.concat([sums.subarray(0, 4), u32(IN_64_BITS), u32(IN_64_BITS)])
  const extra64 = Buffer.concat([u16(1), u16(16), u64(size), u64(packedSize)])
  return {
    name,
    raw,
    local: fieldsWith(hasDescriptor ? Buffer.alloc(12) : sums),
    fields: fieldsWith(isZip64 ? sums64 : sums),
    after: hasDescriptor ? Buffer.concat([u32(0x08074b50), sums]) : Buffer.alloc(0),
    extra: entry.extra ?? (isZip64 ? extra64 : Buffer.alloc(0)),
  }
}

const encodeLocal = (entry: ArchiveEntry): Buffer => {
  if (entry.isListedOnly === true) return Buffer.alloc(0)
  const { name, raw, local, after } = packed(entry)
  const localName = entry.localName === undefined ? name : toBytes(entry.localName)
  return Buffer.concat([u32(0x04034b50), local, u16(localName.length), u16(0), localName, raw, after])
}

const encodeRecord = (entry: ArchiveEntry, offset: number): Buffer => {
  const { name, fields, extra } = packed(entry)
  const mode = entry.mode ?? (name.at(-1) === 0x2f ? FOLDER : REGULAR)
  return Buffer.concat([
    u32(0x02014b50),
    u16((UNIX << 8) | 30),
    fields,
    u16(name.length),
    u16(extra.length),
    u16(0),
    u16(0),
    u16(0),
    u32(((mode & 0xffff) << 16) >>> 0),
    u32(entry.offset ?? offset),
    name,
    extra,
  ])
}

/** Builds a zip archive byte by byte (APPNOTE 4.3); `count` is the number of entries that it claims to have. */
export const buildArchive = (entries: readonly ArchiveEntry[], count = entries.length): Buffer => {
  const locals = entries.map(encodeLocal)
  let offset = 0
  const records = entries.map((entry, at) => {
    const record = encodeRecord(entry, offset)
    offset += locals[at]?.length ?? 0
    return record
  })
  const directory = Buffer.concat(records)
  const end = [u32(0x06054b50), u16(0), u16(0), u16(count), u16(count), u32(directory.length), u32(offset), u16(0)]
  return Buffer.concat([...locals, directory, ...end])
}

/** An archive of texts by their paths. */
export const buildSite = (files: Readonly<Record<string, string | Buffer>>): Buffer =>
  buildArchive(Object.entries(files).map(([name, data]) => ({ name, data })))
