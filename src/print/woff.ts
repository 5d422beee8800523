import { inflateSync } from 'node:zlib'

const HEADER = 44
const ENTRY = 20
const SFNT_HEADER = 12
const SFNT_ENTRY = 16

const padded = (length: number): number => (length + 3) & ~3

type Table = { readonly tag: number; readonly checksum: number; readonly bytes: Buffer }

// WOFF 1.0 §5: a table that did not become smaller is stored as it is.
const tableAt = (woff: Buffer, at: number): Table => {
  const [tag = 0, offset = 0, packed = 0, length = 0, checksum = 0] = [0, 4, 8, 12, 16].map(step =>
    woff.readUInt32BE(at + step),
  )
  const stored = woff.subarray(offset, offset + packed)
  return { tag, checksum, bytes: packed < length ? inflateSync(stored, { maxOutputLength: length }) : stored }
}

// OpenType, table directory: what a search by halving begins with.
const encodeDirectory = (flavor: number, count: number): Buffer => {
  const power = Math.floor(Math.log2(count))
  const header = Buffer.alloc(SFNT_HEADER)
  header.writeUInt32BE(flavor, 0)
  header.writeUInt16BE(count, 4)
  header.writeUInt16BE(2 ** power * 16, 6)
  header.writeUInt16BE(power, 8)
  header.writeUInt16BE(count * 16 - 2 ** power * 16, 10)
  return header
}

/**
 * The font inside a WOFF file. fontkit unpacks a whole table for every glyph it reads from a packed font; from this one
 * it reads at once.
 */
export const unpack = (woff: Buffer): Buffer => {
  if (woff.toString('latin1', 0, 4) !== 'wOFF') throw new Error('this is no WOFF file')
  const count = woff.readUInt16BE(12)
  const tables = Array.from({ length: count }, (_, index) => tableAt(woff, HEADER + index * ENTRY))
  const entries = Buffer.alloc(count * SFNT_ENTRY)
  let offset = SFNT_HEADER + entries.length
  for (const [index, { tag, checksum, bytes }] of tables.entries()) {
    for (const [step, value] of [tag, checksum, offset, bytes.length].entries())
      entries.writeUInt32BE(value, index * SFNT_ENTRY + step * 4)
    offset += padded(bytes.length)
  }
  const bodies = tables.map(({ bytes }) => Buffer.concat([bytes], padded(bytes.length)))
  return Buffer.concat([encodeDirectory(woff.readUInt32BE(4), count), entries, ...bodies])
}
