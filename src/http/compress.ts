import type { IncomingMessage } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import type { Reply } from '#src/contract/endpoint.ts'
import { matchedEtag } from '#src/kit/cacheable.ts'
import { type Coding, codedEtag, parsePreference } from '#src/kit/content-coding.ts'
import { CSV_TYPE } from './csv.ts'
import { limits } from './limits.ts'
import { chooseErrorFormat } from './routes.ts'

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

const GZIP_LEVEL = 6
const FAST = 4
const SMALLEST = 11

const TEXT =
  /^(?:application\/(?:[\w.-]+\+)?(?:json|xml)|text\/(?:csv|css|javascript|markdown|plain|calendar)|image\/svg\+xml)(?:;|$)/

type Described = { readonly status: number; readonly headers: NonNullable<Reply['headers']> }

// A page that not everybody gets may have the token of a form beside what an attacker chose, whose length would tell it (BREACH).
const isPublic = ({ headers }: Described): boolean => String(headers['cache-control']).startsWith('public')

/**
 * Whether the content of a response may have a coding: text at a path outside the OAuth endpoints. Files, which have ranges, and
 * pages that belong to a session have none.
 */
export const isCompressible = (path: string, described: Described): boolean => {
  const { status, headers } = described
  const type = String(headers['content-type'] ?? '')
  const format = chooseErrorFormat(path)
  if (status === 206 || headers['accept-ranges'] !== undefined || headers['content-range'] !== undefined) return false
  if (format === 'oauth' || format === 'page') return false
  return TEXT.test(type) || (type.startsWith('text/html') && isPublic(described))
}

/** The coding of content of a size, by what the request accepts. */
export const codingFor = ({ headers }: IncomingMessage, bytes: number): Coding | undefined => {
  const { coding, refusesPlain } = parsePreference(headers['accept-encoding'])
  return bytes >= limits.compressedFrom || (refusesPlain && bytes > 0) ? coding : undefined
}

const compress = (body: Buffer, coding: Coding, quality: number): Promise<Buffer> =>
  coding === 'gzip'
    ? zip(body, { level: GZIP_LEVEL })
    : brotli(body, {
        params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
      })

/** Encodes content as responses have it. */
export const compressBody = (body: Buffer, coding: Coding): Promise<Buffer> => compress(body, coding, FAST)

/** Encodes content that is sent often, by its ETag: as small as possible, once. */
export type Kept = (etag: string, body: Buffer, coding: Coding) => Promise<Buffer>

/**
 * Creates the encoder of assets and documents. The smallest form takes seconds of a thread, so that one is made at a time, and
 * until it is there the usual one is sent.
 */
export const createKept = (): Kept => {
  const kept = new Map<string, Buffer>()
  let bytes = 0
  let isMaking = false
  const make = async (key: string, body: Buffer, coding: Coding): Promise<void> => {
    isMaking = true
    const encoded = await compress(body, coding, SMALLEST).finally(() => {
      isMaking = false
    })
    if (bytes + encoded.length > limits.keptBytes) {
      kept.clear()
      bytes = 0
    }
    bytes += encoded.length
    kept.set(key, encoded)
  }
  return (etag, body, coding) => {
    const key = codedEtag(etag, coding)
    const encoded = kept.get(key)
    if (encoded !== undefined) return Promise.resolve(encoded)
    if (!isMaking) void make(key, body, coding).catch(() => undefined)
    return compressBody(body, coding)
  }
}

async function* gathered(pieces: AsyncIterable<string | Uint8Array>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = []
  let size = 0
  for await (const piece of pieces) {
    const bytes =
      typeof piece === 'string' ? Buffer.from(piece) : Buffer.from(piece.buffer, piece.byteOffset, piece.length)
    waiting.push(bytes)
    size += bytes.length
    if (size < limits.flushedAfter) continue
    yield Buffer.concat(waiting)
    waiting = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(waiting)
}

/** Encodes a list as CSV while it is read; what was read is sent after every 64 KB. */
export const compressStream = (pieces: AsyncIterable<string | Uint8Array>, coding: Coding): Readable => {
  const encoder =
    coding === 'gzip'
      ? createGzip({ level: GZIP_LEVEL, flush: constants.Z_SYNC_FLUSH })
      : createBrotliCompress({
          flush: constants.BROTLI_OPERATION_FLUSH,
          params: { [constants.BROTLI_PARAM_QUALITY]: FAST },
        })
  // A list that is cut off ends the response without the end of the coding.
  return pipeline(Readable.from(gathered(pieces)), encoder, () => undefined)
}

/** Whether a response is a list as CSV, which is sent while it is read. */
export const isCsv = ({ headers }: Described): boolean => headers['content-type'] === CSV_TYPE

/** The Vary header of content that may have a coding. */
export const varied = (vary: string | readonly string[] | undefined): string => {
  if (vary === undefined) return 'Accept-Encoding'
  const names = typeof vary === 'string' ? vary : vary.join(', ')
  if (/accept-encoding/i.test(names)) return names
  return names === '' ? 'Accept-Encoding' : `${names}, Accept-Encoding`
}

/** The headers of content in a coding, in place of those that it has without. */
export const codedHeaders = (etag: string | undefined, coding: Coding): Record<string, string> => ({
  'content-encoding': coding,
  ...(etag === undefined ? {} : { etag: codedEtag(etag, coding) }),
})

/** The ETag of a 304: the one by which the client knows the content. */
export const currentEtag = ({ headers }: IncomingMessage, etag: string): string =>
  matchedEtag(headers['if-none-match'], etag) ?? etag
