import { isStored, objectReply } from '#src/areas/files/index.ts'
import type { EndpointRequest, Reply } from '#src/contract/endpoint.ts'
import type { Files } from '#src/contract/store.ts'
import { matchesEtag } from '#src/kit/cacheable.ts'
import { html } from '#src/kit/html.ts'
import { objectKey } from '../unpacking/queries.ts'
import type { FoundFile } from './queries.ts'
import { buildPolicy, chooseContentType, isNamedByHash } from './rules.ts'

const IMMUTABLE = 'public, max-age=31536000, immutable'
const CHECKED = 'public, max-age=0, must-revalidate'

/** The response where there is nothing; it says where the school is. */
export const nothingReply = ({ school }: EndpointRequest): Reply => ({
  status: 404,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'",
    'cache-control': 'no-store',
  },
  body: html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Not found</title>
<h1>There is nothing at this address</h1>
<p><a href="${school.siteOrigin}/">${school.name}</a></p>
</html>
`.html,
})

/** A redirect on the host for pages; what it leads to may change with the next deployment. */
export const redirectReply = (location: string, status: 301 | 302 = 302): Reply => ({
  status,
  headers: { location, 'cache-control': CHECKED },
})

type Sending = { readonly isPreview: boolean }

const chooseCaching = ({ file, sha256 }: FoundFile, { isPreview }: Sending): string => {
  if (isPreview) return 'private, max-age=0, must-revalidate'
  return file !== null && sha256 !== null && isNamedByHash(file, sha256) ? IMMUTABLE : CHECKED
}

const buildHeaders = ({ school }: EndpointRequest, found: FoundFile, etag: string, sending: Sending) => ({
  etag,
  'content-type': chooseContentType(found.file ?? ''),
  'content-security-policy': buildPolicy(school),
  'accept-ranges': 'bytes',
  'referrer-policy': 'strict-origin-when-cross-origin',
  // The files are public, so other sites may use them.
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
  'cache-control': chooseCaching(found, sending),
  ...(found.is_unlisted ? { 'x-robots-tag': 'noindex' } : {}),
})

/** The response with a file of a deployment; one for what is missing has the status 404. */
export const fileReply = async (
  request: EndpointRequest,
  { store }: Pick<Files, 'store'>,
  found: FoundFile,
  sending: Sending,
): Promise<Reply> => {
  const { sha256, byte_size: bytes } = found
  if (sha256 === null || bytes === null) return nothingReply(request)
  const etag = `"${sha256.toString('base64url').slice(0, 22)}"`
  const headers = buildHeaders(request, found, etag, sending)
  const isMissing = found.is === 'missing'
  if (!isMissing && matchesEtag(request.header('if-none-match'), etag)) return { status: 304, headers }
  const content = { key: objectKey(request.school.id, sha256), size: Number(bytes), etag }
  if (!(await isStored(request, { store }, content))) return nothingReply(request)
  if (content.size === 0) return { status: isMissing ? 404 : 200, headers: { ...headers, 'content-length': '0' } }
  if (!isMissing) return objectReply(request, { store }, content, headers)
  const whole = { ...headers, 'content-length': String(content.size) }
  return { status: 404, headers: whole, ...(request.method === 'HEAD' ? {} : { body: store.read(content.key) }) }
}
