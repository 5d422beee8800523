import { damaged } from './errors.ts'

const BLOCK = 512
const LARGEST = 8 ** 11 - 1
const NAME_AT = 0
const SIZE_AT = 124
const CHECKSUM_AT = 148
const PREFIX_AT = 345

/** One entry of a tar archive as it is read; the body is there until the next entry. */
export type Entry = { readonly name: string; readonly size: number; readonly body: AsyncIterable<Buffer> }

/** What ends an archive. */
export const tarEnd = Buffer.alloc(2 * BLOCK)

const padding = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK

const octal = (value: number, width: number): string => `${value.toString(8).padStart(width - 1, '0')}\0`

const checksumOf = (header: Buffer): number => {
  let sum = 0
  for (const [at, byte] of header.entries()) sum += at >= CHECKSUM_AT && at < CHECKSUM_AT + 8 ? 0x20 : byte
  return sum
}

// POSIX.1-1988 ustar: a name of up to 100 bytes, and up to 155 more before it.
const splitName = (name: string): [string, string] => {
  if (Buffer.byteLength(name) <= 100) return ['', name]
  for (let cut = name.indexOf('/'); cut !== -1; cut = name.indexOf('/', cut + 1)) {
    const [prefix, rest] = [name.slice(0, cut), name.slice(cut + 1)]
    if (Buffer.byteLength(prefix) <= 155 && Buffer.byteLength(rest) <= 100) return [prefix, rest]
  }
  throw new Error(`the name ${name} is too long for an archive`)
}

const headerOf = (name: string, size: number, seconds: number): Buffer => {
  if (size > LARGEST) throw new Error(`${name} is too large for an archive`)
  const [prefix, rest] = splitName(name)
  const header = Buffer.alloc(BLOCK)
  header.write(rest, NAME_AT)
  header.write(`${octal(0o600, 8)}${octal(0, 8)}${octal(0, 8)}${octal(size, 12)}${octal(seconds, 12)}`, 100)
  header.write('0', 156)
  header.write('ustar\x0000', 257, 'latin1')
  header.write(prefix, PREFIX_AT)
  header.write(`${checksumOf(header).toString(8).padStart(6, '0')}\0 `, CHECKSUM_AT)
  return header
}

/** The bytes of one entry; `body` must give exactly `size` bytes. */
export async function* tarEntry(
  name: string,
  size: number,
  seconds: number,
  body: AsyncIterable<Buffer> | Iterable<Buffer>,
): AsyncGenerator<Buffer> {
  yield headerOf(name, size, seconds)
  let given = 0
  for await (const chunk of body) {
    given += chunk.length
    yield chunk
  }
  if (given !== size) throw new Error(`${name} changed while it was read`)
  yield Buffer.alloc(padding(size))
}

type Source = {
  /** The next bytes, at most so many; undefined at the end. */
  some(most: number): Promise<Buffer | undefined>
  /** Exactly so many bytes. */
  all(size: number): Promise<Buffer>
}

const sourceOf = (bytes: AsyncIterable<Buffer>): Source => {
  const chunks = bytes[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  const some = async (most: number): Promise<Buffer | undefined> => {
    while (rest.length === 0) {
      const { value, done } = await chunks.next()
      if (done === true) return undefined
      rest = value
    }
    const taken = rest.subarray(0, most)
    rest = rest.subarray(taken.length)
    return taken
  }
  const all = async (size: number): Promise<Buffer> => {
    const parts: Buffer[] = []
    for (let missing = size; missing > 0; ) {
      const part = await some(missing)
      if (part === undefined) throw damaged('it is cut short')
      missing -= part.length
      parts.push(part)
    }
    return Buffer.concat(parts)
  }
  return { some, all }
}

const textAt = (header: Buffer, from: number, length: number): string => {
  const field = header.subarray(from, from + length)
  const end = field.indexOf(0)
  return field.subarray(0, end === -1 ? length : end).toString('utf8')
}

const readHeader = (header: Buffer): { name: string; size: number } => {
  const isWhole = Number.parseInt(textAt(header, CHECKSUM_AT, 8), 8) === checksumOf(header)
  const size = Number.parseInt(textAt(header, SIZE_AT, 12), 8)
  if (!isWhole || !Number.isSafeInteger(size) || textAt(header, 156, 1) !== '0') throw damaged('an entry has no header')
  const prefix = textAt(header, PREFIX_AT, 155)
  const name = textAt(header, NAME_AT, 100)
  return { name: prefix === '' ? name : `${prefix}/${name}`, size }
}

async function* bodyOf(source: Source, size: number): AsyncGenerator<Buffer> {
  for (let missing = size; missing > 0; ) {
    const part = await source.some(missing)
    if (part === undefined) throw damaged('it is cut short')
    missing -= part.length
    yield part
  }
}

/** The entries of an archive that `tarEntry` wrote, one behind the other, up to its end; a body is read whole or not at all. */
export async function* readTar(bytes: AsyncIterable<Buffer>): AsyncGenerator<Entry> {
  const source = sourceOf(bytes)
  for (;;) {
    const header = await source.all(BLOCK)
    if (header.every(byte => byte === 0)) break
    const { name, size } = readHeader(header)
    const body = bodyOf(source, size)
    yield { name, size, body }
    // Of a body that nobody looked at.
    for await (const _ of body);
    await source.all(padding(size))
  }
  await source.all(BLOCK)
  if ((await source.some(1)) !== undefined) throw damaged('something follows its end')
}

/** All the bytes of a small entry. */
export const bytesOf = async (entry: Entry, most: number): Promise<Buffer> => {
  if (entry.size > most) throw damaged(`${entry.name} is too large`)
  const parts: Buffer[] = []
  for await (const part of entry.body) parts.push(part)
  return Buffer.concat(parts)
}
