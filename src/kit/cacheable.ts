import { sha256 } from './crypto.ts'

/** Whether If-None-Match names this ETag (RFC 9110 §13.1.2, weak comparison). */
export const matchesEtag = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined &&
  (ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some(tag => tag.trim().replace(/^W\//, '') === etag))

/** A public response that caches may store for `seconds`, with an ETag of its bytes; 304 when the caller has it. */
export const cacheable = (ifNoneMatch: string | undefined, type: string, body: string | Buffer, seconds: number) => {
  const etag = `"${sha256(body).toString('base64url').slice(0, 22)}"`
  const headers: Record<string, string> = { etag, 'cache-control': `public, max-age=${seconds}` }
  if (matchesEtag(ifNoneMatch, etag)) return { status: 304, headers }
  return { status: 200, headers: { ...headers, 'content-type': type }, body }
}
