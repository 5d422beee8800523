import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidParameter, notFound } from '#src/contract/problems.ts'
import type { Files } from '#src/contract/store.ts'
import { matchesEtag } from '#src/kit/cacheable.ts'
import { fromId } from '#src/kit/ids.ts'
import { isImage, isInlineType, rangeNotSatisfiable, widths } from '../uploads/rules.ts'
import { type FileRow, findFile } from './queries.ts'
import { byteRangeOf, dispositionOf, isSigned, LINKS, type Link } from './rules.ts'
import { variantOf } from './variants.writes.ts'
import { publicOf } from './views.ts'

const SIGNED_SECONDS = 600

const noFile = (): Refusal => new Refusal(notFound, 'There is no such file, or its link has expired.')

type FileRequested = { readonly row: FileRow; readonly isPublic: boolean }

/** Whether a request carries a link of ours to a file that still holds. */
const holds = (key: Buffer, link: Link, signature: string, row: FileRow & { readonly is_member: boolean }): boolean =>
  isSigned(key, link, signature) &&
  link.expires * 1000 > row.asked_at.getTime() &&
  (row.is_member || link.member === 'anyone')

const find = async (request: EndpointRequest, key: Buffer): Promise<FileRequested> => {
  const { school, database, params } = request
  const query = new URLSearchParams(request.query)
  const fileId = fromId('fil', params.id ?? '')
  if (fileId === undefined) throw noFile()
  const member = query.get('member') ?? ''
  const link = { schoolId: school.id, fileId, member, expires: Number(query.get('expires') ?? '0') }
  return database.statements(school.id, async db => {
    const row = await findFile(db, school.id, fileId, fromId('mem', member))
    if (row === undefined || row.filename !== params.name) throw noFile()
    const signature = query.get('signature')
    if (signature !== null && holds(key, link, signature, row)) return { row, isPublic: false }
    if ((await publicOf(db, school, [row.id])).has(row.id)) return { row, isPublic: true }
    throw noFile()
  })
}

/** What is to be sent: an object with its size, type and tag. */
type FileContent = { readonly key: string; readonly size: number; readonly type: string; readonly etag: string }

// Checked before the response starts; a daily job reports files whose bytes are missing to the operator.
const requireObject = async (
  request: EndpointRequest,
  { store }: Files,
  content: FileContent,
): Promise<FileContent> => {
  if (store.direct !== undefined || (await store.find(content.key)) !== undefined) return content
  request.logWarning('file_missing', { object: content.key })
  throw noFile()
}

const contentOf = async (request: EndpointRequest, files: Files, row: FileRow): Promise<FileContent> => {
  const tag = row.sha256.toString('base64url').slice(0, 22)
  const requested = new URLSearchParams(request.query).get('width')
  const whole = { key: row.object_key, size: Number(row.byte_size), type: row.content_type, etag: `"${tag}"` }
  if (requested === null) return requireObject(request, files, whole)
  const width = widths.find(known => String(known) === requested)
  if (width === undefined || !isImage(row.content_type) || row.width === null)
    throw new Refusal(invalidParameter, `The width of an image must be one of ${widths.join(', ')}.`)
  const key = await variantOf(request, files, row, width)
  const found = await files.store.find(key)
  if (found === undefined) throw noFile()
  return { key, size: found.size, type: 'image/webp', etag: `"${tag}-${width}"` }
}

const headersOf = ({ row, isPublic }: FileRequested, { type, etag }: FileContent): Record<string, string> => ({
  etag,
  'content-type': type,
  'content-disposition': dispositionOf(row.filename, type),
  'accept-ranges': 'bytes',
  'cache-control': isPublic ? 'public, max-age=0, must-revalidate' : 'private, max-age=0, must-revalidate',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, Content-Range, Accept-Ranges, Content-Length, Content-Disposition',
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  ...(isInlineType(type) ? {} : { 'content-security-policy': "sandbox; default-src 'none'" }),
})

// RFC 9110 §13.1.5: a range only of the very bytes the caller has the rest of.
const requestedRange = (request: EndpointRequest, etag: string): string | undefined => {
  const condition = request.header('if-range')
  return condition === undefined || condition === etag ? request.header('range') : undefined
}

const own = (request: EndpointRequest, { store }: Files, found: FileRequested, content: FileContent): Reply => {
  const headers = headersOf(found, content)
  if (matchesEtag(request.header('if-none-match'), content.etag)) return { status: 304, headers }
  const range = byteRangeOf(requestedRange(request, content.etag), content.size)
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

/** Serves files without tokens and cookies: public ones to anyone, others to holders of a valid link. */
export const createFileEndpoint = (files: Files, keyFor: (purpose: string) => Buffer): Endpoint =>
  endpoint({
    route: 'GET /files/:id/:name',
    handle: async request => {
      const found = await find(request, keyFor(LINKS))
      const content = await contentOf(request, files, found.row)
      const { direct } = files.store
      if (direct === undefined) return own(request, files, found, content)
      const { etag: _etag, ...headers } = headersOf(found, content)
      if (request.method === 'HEAD')
        return { status: 200, headers: { ...headers, etag: content.etag, 'content-length': String(content.size) } }
      const disposition = dispositionOf(found.row.filename, content.type)
      const location = await direct.signGet(content.key, { contentType: content.type, disposition }, SIGNED_SECONDS)
      return { status: 307, headers: { ...headers, 'cache-control': 'private, no-store', location } }
    },
  })
