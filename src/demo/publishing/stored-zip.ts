import { crc32 } from 'node:zlib'

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

// APPNOTE 4.4: version 2.0, names in UTF-8, stored, at the first instant that the format has.
const fieldsOf = (name: Buffer, data: Buffer): Buffer =>
  Buffer.concat([
    ...[u16(20), u16(0x0800), u16(0), u16(0), u16(0x0021)],
    ...[u32(crc32(data)), u32(data.length), u32(data.length), u16(name.length), u16(0)],
  ])

/** A zip archive of texts by their paths, without compression. */
export const storedZip = (texts: Readonly<Record<string, string>>): Buffer => {
  const entries: Buffer[] = []
  const records: Buffer[] = []
  let offset = 0
  for (const [path, text] of Object.entries(texts)) {
    const [name, data] = [Buffer.from(path), Buffer.from(text)]
    const entry = Buffer.concat([u32(0x04034b50), fieldsOf(name, data), name, data])
    const more = [u16(0), u16(0), u16(0), u32(0), u32(offset)]
    records.push(Buffer.concat([u32(0x02014b50), u16(20), fieldsOf(name, data), ...more, name]))
    entries.push(entry)
    offset += entry.length
  }
  const directory = Buffer.concat(records)
  const count = u16(records.length)
  const end = [u32(0x06054b50), u16(0), u16(0), count, count, u32(directory.length), u32(offset), u16(0)]
  return Buffer.concat([...entries, directory, ...end])
}
