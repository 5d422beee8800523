/** One part of a form with files (RFC 7578); its content is read before the next part is requested. */
export type FormPart = {
  readonly name: string
  /** The name of a file; unset for other fields, and empty where no file was chosen. */
  readonly filename: string | undefined
  /** The media type that the sender claims, without parameters. */
  readonly contentType: string
  readonly content: AsyncIterable<Buffer>
}

/** The body is no form with files. */
export class MultipartError extends Error {}

const MAX_HEADER = 8192
const CRLF = '\r\n'

/** The boundary in a Content-Type of a form with files; undefined where it has another type or no valid boundary. */
export const parseBoundary = (contentType: string): string | undefined => {
  const [, quoted, plain] =
    /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))\s*(?:;|$)/i.exec(contentType) ?? []
  return quoted ?? plain
}

// Bytes that arrived and were not used yet.
type Source = { held: Buffer; more(): Promise<boolean> }

const openSource = (body: AsyncIterable<Uint8Array>): Source => {
  const chunks = body[Symbol.asyncIterator]()
  // The first delimiter has no line break before it.
  const source: Source = {
    held: Buffer.from(CRLF),
    more: async () => {
      const { done, value } = await chunks.next()
      if (done) return false
      source.held = Buffer.concat([source.held, value])
      return true
    },
  }
  return source
}

const take = (source: Source, bytes: number): Buffer => {
  const taken = source.held.subarray(0, bytes)
  source.held = source.held.subarray(bytes)
  return taken
}

const need = async (source: Source): Promise<void> => {
  if (!(await source.more())) throw new MultipartError('the form ends too early')
}

// Yields what comes before the delimiter, and removes the delimiter.
async function* until(source: Source, delimiter: Buffer): AsyncGenerator<Buffer> {
  for (;;) {
    const at = source.held.indexOf(delimiter)
    if (at >= 0) {
      if (at > 0) yield Buffer.from(take(source, at))
      take(source, delimiter.length)
      return
    }
    const sure = source.held.length - delimiter.length + 1
    if (sure > 0) yield Buffer.from(take(source, sure))
    await need(source)
  }
}

const drain = async (content: AsyncIterable<Buffer>): Promise<void> => {
  for await (const _ of content);
}

const readHeader = async (source: Source): Promise<string> => {
  for (;;) {
    const at = source.held.indexOf(CRLF + CRLF)
    if (at >= 0) {
      const header = take(source, at).toString('utf8')
      take(source, 4)
      return header
    }
    if (source.held.length > MAX_HEADER) throw new MultipartError('a part has a header that is too long')
    await need(source)
  }
}

// https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data
const unescaped = (value: string): string =>
  value.replace(/%(22|0D|0A)/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

const parameter = (disposition: string, name: string): string | undefined => {
  const [, value] = new RegExp(`;\\s*${name}="([^"]*)"`, 'i').exec(disposition) ?? []
  return value === undefined ? undefined : unescaped(value)
}

const findLine = (header: string, name: string): string =>
  header
    .split(CRLF)
    .find(line => line.toLowerCase().startsWith(`${name}:`))
    ?.slice(name.length + 1)
    .trim() ?? ''

const parsePart = (header: string, content: AsyncIterable<Buffer>): FormPart => {
  const disposition = findLine(header, 'content-disposition')
  const name = parameter(disposition, 'name')
  if (!/^form-data\s*;/i.test(disposition) || name === undefined) throw new MultipartError('a part has no name')
  const [contentType = ''] = findLine(header, 'content-type').split(';')
  return { name, filename: parameter(disposition, 'filename'), contentType: contentType.trim(), content }
}

/** Reads a form with files as it arrives; throws a MultipartError where it is malformed or cut off. */
export async function* parseMultipart(body: AsyncIterable<Uint8Array>, boundary: string): AsyncGenerator<FormPart> {
  const source = openSource(body)
  const delimiter = Buffer.from(`${CRLF}--${boundary}`)
  await drain(until(source, delimiter))
  for (;;) {
    while (source.held.length < 2) await need(source)
    const end = take(source, 2).toString('latin1')
    if (end === '--') return
    if (end !== CRLF) throw new MultipartError('a delimiter is malformed')
    // An empty header leaves its line break to the delimiter.
    source.held = Buffer.concat([Buffer.from(CRLF), source.held])
    const header = (await readHeader(source)).slice(2)
    const content = until(source, delimiter)
    yield parsePart(header, content)
    await drain(content)
  }
}
