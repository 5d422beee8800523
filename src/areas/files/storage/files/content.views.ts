import type { EndpointRequest, Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import type { Files } from '#src/contract/store.ts'
import { matchesEtag } from '#src/kit/cacheable.ts'
import { isInlineType } from '#src/kit/media-types.ts'
import { rangeNotSatisfiable } from '../uploads/rules.ts'
import { formatDisposition, parseByteRange } from './rules.ts'

const SIGNED_SECONDS = 600

/** What is to be sent: an object with its size, type and tag, the name of the file, and whether anybody may keep it. */
export type FileContent = {
  readonly key: string
  readonly size: number
  readonly type: string
  readonly etag: string
  readonly filename: string
  readonly isPublic: boolean
  /** Whether the bytes at the address never change, as those of a picture in a width. */
  readonly isFixed?: boolean
}

// Access may end: then no shared cache goes on for more than an hour, and a browser keeps what it has shown already.
const FIXED = 'public, max-age=2592000, s-maxage=3600, immutable'

const chooseCaching = ({ isPublic, isFixed }: FileContent): string => {
  if (!isPublic) return 'private, max-age=0, must-revalidate'
  return isFixed === true ? FIXED : 'public, max-age=0, must-revalidate'
}

const buildHeaders = (content: FileContent): Record<string, string> => {
  const { filename, type, etag } = content
  return {
    etag,
    'content-type': type,
    'content-disposition': formatDisposition(filename, type),
    'accept-ranges': 'bytes',
    'cache-control': chooseCaching(content),
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'ETag, Content-Range, Accept-Ranges, Content-Length, Content-Disposition',
    'cross-origin-resource-policy': 'cross-origin',
    'referrer-policy': 'no-referrer',
    ...(isInlineType(type) ? {} : { 'content-security-policy': "sandbox; default-src 'none'" }),
  }
}

// RFC 9110 §13.1.5: a range only of the very bytes the caller has the rest of.
const requestedRange = (request: EndpointRequest, etag: string): string | undefined => {
  const condition = request.header('if-range')
  return condition === undefined || condition === etag ? request.header('range') : undefined
}

/** The response with an object or the requested range of it, with these headers; refuses a range that is not within it. */
export const objectReply = (
  request: EndpointRequest,
  { store }: Pick<Files, 'store'>,
  content: Pick<FileContent, 'key' | 'size' | 'etag'>,
  headers: Readonly<Record<string, string>>,
): Reply => {
  if (matchesEtag(request.header('if-none-match'), content.etag)) return { status: 304, headers }
  const range = parseByteRange(requestedRange(request, content.etag), content.size)
  if (range === 'outside')
    throw new Refusal(rangeNotSatisfiable, 'The range begins after the end of the file.', {
      headers: { 'content-range': `bytes */${content.size}` },
    })
  const { start, end } = range === 'all' ? { start: 0, end: content.size - 1 } : range
  const part = range === 'all' ? {} : { 'content-range': `bytes ${start}-${end}/${content.size}` }
  const reply = {
    status: range === 'all' ? 200 : 206,
    headers: { ...headers, ...part, 'content-length': String(end - start + 1) },
  }
  return request.method === 'HEAD' ? reply : { ...reply, body: store.read(content.key, { start, end }) }
}

/**
 * The response with an object or the requested range of it, or a redirect to a signed address of a bucket, valid for ten
 * minutes, unless browsers keep the bytes of this address. Refuses a range that is not within the object.
 */
export const contentReply = async (request: EndpointRequest, files: Files, content: FileContent): Promise<Reply> => {
  const { direct } = files.store
  const all = buildHeaders(content)
  if (direct === undefined || chooseCaching(content) === FIXED) return objectReply(request, files, content, all)
  if (request.method === 'HEAD') return { status: 200, headers: { ...all, 'content-length': String(content.size) } }
  const { etag: _etag, ...headers } = all
  const { filename, type, key } = content
  const disposition = formatDisposition(filename, type)
  const location = await direct.signGet(key, { contentType: type, disposition }, SIGNED_SECONDS)
  return { status: 307, headers: { ...headers, 'cache-control': 'private, no-store', location } }
}

/** Whether a response sends bytes of a file, or leads to them. */
export const sendsBytes = ({ status, body }: Reply): boolean => status === 307 || body !== undefined
