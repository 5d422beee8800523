import type { IncomingMessage } from 'node:http'
import { namesHtml } from '#src/kit/accept.ts'
import { isShared } from './routes.ts'

const EXPOSED =
  'WWW-Authenticate, ETag, Link, Location, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, Idempotency-Replayed'

/** The headers of every response. */
export const commonHeaders = (path: string, requestId: string): Record<string, string> => ({
  'x-request-id': requestId,
  'x-content-type-options': 'nosniff',
  ...(path.startsWith('/oauth') ? {} : { 'cross-origin-opener-policy': 'same-origin' }),
  ...(isShared(path) ? { 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED } : {}),
})

/** The headers of the response to OPTIONS on paths that any origin may read. */
export const preflightHeaders = (raw: IncomingMessage): Record<string, string> => {
  const requested = String(raw.headers['access-control-request-headers'] ?? '')
  const safe = /^[\w\-, ]{0,1000}$/.test(requested) && requested !== '' ? `, ${requested}` : ''
  return {
    'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
    'access-control-allow-headers': `Authorization, Content-Type${safe}`,
    'access-control-max-age': '86400',
    vary: 'Access-Control-Request-Headers',
  }
}

/** Whether the request accepts HTML, as those of browsers do. */
export const acceptsHtml = (raw: IncomingMessage): boolean => namesHtml(raw.headers.accept)
