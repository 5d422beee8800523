import { SaxesParser } from 'saxes'

/** Why a document is refused. */
type XmlFault = 'not_well_formed' | 'doctype' | 'too_deep' | 'name_too_long' | 'text_too_long'

/** A document is not XML, or more than is accepted of it. */
export class XmlError extends Error {
  readonly fault: XmlFault
  constructor(fault: XmlFault, options?: ErrorOptions) {
    super(`the XML cannot be read: ${fault}`, options)
    this.fault = fault
  }
}

/** What to do with the parts of a document, in their order; names are without the prefix of their namespace. */
export type XmlHandlers = {
  open?(name: string, attributes: Readonly<Record<string, string>>): void
  close?(name: string): void
  text?(text: string): void
}

const MAX_DEPTH = 100
const MAX_NAME_CHARACTERS = 256
// Also of a tag with its attributes, and of comments one after the other.
const MAX_TEXT_CHARACTERS = 10_000_000

const readLocalName = (name: string): string => {
  if (name.length > MAX_NAME_CHARACTERS) throw new XmlError('name_too_long')
  return name.slice(name.indexOf(':') + 1)
}

const readAttributes = (attributes: Readonly<Record<string, string>>): Readonly<Record<string, string>> => {
  let isPlain = true
  for (const name in attributes) isPlain &&= name.length <= MAX_NAME_CHARACTERS && !name.includes(':')
  if (isPlain) return attributes
  const own = Object.entries(attributes).filter(([name]) => !name.startsWith('xmlns'))
  return Object.fromEntries(own.map(([name, value]) => [readLocalName(name), value]))
}

// With more than seven handlers V8 keeps the parser as a dictionary, and it takes five times as long.
const createParser = ({ open, close, text }: XmlHandlers) => {
  const parser = new SaxesParser<{ xmlns: false; position: false }>({ xmlns: false, position: false })
  let depth = 0
  let unfinished = 0
  const finish = () => {
    unfinished = 0
  }
  const readText = (part: string) => {
    finish()
    text?.(part)
  }
  parser.on('error', cause => {
    throw new XmlError('not_well_formed', { cause })
  })
  // Without it there are neither entities of the document's own nor external files.
  parser.on('doctype', () => {
    throw new XmlError('doctype')
  })
  parser.on('opentag', ({ name, attributes }) => {
    finish()
    depth += 1
    if (depth > MAX_DEPTH) throw new XmlError('too_deep')
    open?.(readLocalName(name), readAttributes(attributes))
  })
  parser.on('closetag', ({ name }) => {
    finish()
    depth -= 1
    close?.(readLocalName(name))
  })
  parser.on('text', readText)
  parser.on('cdata', readText)
  return {
    write: (part: string) => {
      parser.write(part)
      unfinished += part.length
      if (unfinished > MAX_TEXT_CHARACTERS) throw new XmlError('text_too_long')
    },
    close: () => parser.close(),
  }
}

const isUtf16 = (first: Uint8Array, a: number, b: number): boolean => first[0] === a && first[1] === b

// XML 1.0, 4.3.3: UTF-16 begins with a byte order mark; other encodings than these two need not be supported.
const createDecoder = (first: Uint8Array) => {
  if (isUtf16(first, 0xff, 0xfe)) return new TextDecoder('utf-16le', { fatal: true })
  return new TextDecoder(isUtf16(first, 0xfe, 0xff) ? 'utf-16be' : 'utf-8', { fatal: true })
}

const createDecoding = () => {
  let decoder: ReturnType<typeof createDecoder> | undefined
  return (chunk?: Uint8Array): string => {
    decoder ??= createDecoder(chunk ?? new Uint8Array())
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined })
    } catch (cause) {
      throw new XmlError('not_well_formed', { cause })
    }
  }
}

/**
 * Reads a document of UTF-8 or UTF-16 while its bytes arrive, strictly and without a DOCTYPE, and yields what its handlers emit.
 * A depth of 100, names of 256 characters and texts of 10 million are the most; throws an `XmlError`.
 */
export async function* readXml<Found>(
  bytes: AsyncIterable<Uint8Array>,
  createHandlers: (emit: (found: Found) => void) => XmlHandlers,
): AsyncGenerator<Found, void> {
  const found: Found[] = []
  const parser = createParser(createHandlers(one => found.push(one)))
  const decode = createDecoding()
  for await (const chunk of bytes) {
    parser.write(decode(chunk))
    yield* found.splice(0)
  }
  parser.write(decode())
  parser.close()
  yield* found.splice(0)
}

/** Reads a document as `readXml` does, with handlers that emit nothing. */
export const walkXml = async (bytes: AsyncIterable<Uint8Array>, handlers: XmlHandlers): Promise<void> => {
  await readXml<never>(bytes, () => handlers).next()
}
