import { listEtags } from './content-coding.ts'
import { sha256 } from './crypto.ts'

const tagsIn = (ifNoneMatch: string): string[] => ifNoneMatch.split(',').map(tag => tag.trim().replace(/^W\//, ''))

/** The ETag in If-None-Match that names this one (RFC 9110 §13.1.2, weak comparison), with or without a coding. */
export const matchedEtag = (ifNoneMatch: string | undefined, etag: string): string | undefined => {
  if (ifNoneMatch === undefined) return undefined
  if (ifNoneMatch.trim() === '*') return etag
  const names = listEtags(etag)
  return tagsIn(ifNoneMatch).find(tag => names.includes(tag))
}

/** Whether If-None-Match names this ETag. */
export const matchesEtag = (ifNoneMatch: string | undefined, etag: string): boolean =>
  matchedEtag(ifNoneMatch, etag) !== undefined

/** What a public response is made of. */
type Cached = [ifNoneMatch: string | undefined, type: string, body: string | Buffer, seconds: number]

/** A public response that caches may store for `seconds`, with an ETag of its bytes; 304 when the caller has it. */
export const cacheable = (...[ifNoneMatch, type, body, seconds]: Cached) => {
  const etag = `"${sha256(body).toString('base64url').slice(0, 22)}"`
  const headers: Record<string, string> = { etag, 'cache-control': `public, max-age=${seconds}` }
  if (matchesEtag(ifNoneMatch, etag)) return { status: 304, headers }
  return { status: 200, headers: { ...headers, 'content-type': type }, body }
}

/** The same for an asset or a document, which is sent often and changes rarely. */
export const stable = (...cached: Cached) => ({ ...cacheable(...cached), isStable: true })
