import { TableError } from './table.ts'

/** Reads the bytes of a file from its beginning, each time it is called. */
export type Bytes = () => AsyncIterable<Uint8Array>

/** An encoding, and whether the bytes fit it without proving it. */
type Encoding = { readonly label: string; readonly isGuessed: boolean }

const FIRST_BYTES = 4096

/** The first bytes of a file, as many as decide of what kind it is. */
export const readFirstBytes = async (bytes: Bytes): Promise<Buffer> => {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of bytes()) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= FIRST_BYTES) break
  }
  return Buffer.concat(chunks).subarray(0, FIRST_BYTES)
}

type Decoder = InstanceType<typeof TextDecoder>

const createDecoder = (label: string): Decoder => {
  try {
    return new TextDecoder(label, { fatal: true })
  } catch {
    throw new TableError('bad_encoding')
  }
}

const decodeWith = (decoder: Decoder, chunk?: Uint8Array): string => {
  try {
    return decoder.decode(chunk, { stream: chunk !== undefined })
  } catch {
    throw new TableError('bad_encoding')
  }
}

/** The text of a file, with one kind of line end and without a byte order mark; throws a `TableError`. */
export async function* decodeText(bytes: Bytes, label: string): AsyncGenerator<string> {
  const decoder = createDecoder(label)
  let carried = ''
  for await (const chunk of bytes()) {
    const text = carried + decodeWith(decoder, chunk)
    // A line feed may follow in the next chunk.
    carried = text.endsWith('\r') ? '\r' : ''
    yield text.slice(0, text.length - carried.length).replace(/\r\n?/g, '\n')
  }
  yield (carried + decodeWith(decoder)).replace(/\r\n?/g, '\n')
}

const marks: readonly (readonly [label: string, mark: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

// Texts in scripts of Europe have a zero in almost every pair of bytes, and never in the other half.
const findUtf16 = (first: Buffer): string | undefined => {
  const zeros = [0, 0]
  for (const [at, byte] of first.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  const most = first.length / 4
  if (odd > most && even < most / 10) return 'utf-16le'
  return even > most && odd < most / 10 ? 'utf-16be' : undefined
}

const isUtf8 = async (bytes: Bytes): Promise<boolean> => {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const chunk of bytes()) decoder.decode(chunk, { stream: true })
    decoder.decode()
    return true
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}

/** The encoding of a text: by its mark, by its zeros, UTF-8 if all of it is, and else what Windows writes in Western Europe. */
export const guessEncoding = async (bytes: Bytes, first: Buffer): Promise<Encoding> => {
  const marked = marks.find(([, mark]) => mark.every((byte, at) => first[at] === byte))?.[0]
  const label = marked ?? findUtf16(first)
  if (label !== undefined) return { label, isGuessed: false }
  return (await isUtf8(bytes)) ? { label: 'utf-8', isGuessed: false } : { label: 'windows-1252', isGuessed: true }
}
