import type { IncomingMessage } from 'node:http'
import { namesHtml } from '#src/kit/accept.ts'
import { isShared } from './routes.ts'

const EXPOSED =
  'WWW-Authenticate, ETag, Link, Location, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, Idempotency-Replayed'

/** What every answer says. */
export const commonHeaders = (path: string, requestId: string): Record<string, string> => ({
  'x-request-id': requestId,
  'x-content-type-options': 'nosniff',
  ...(path.startsWith('/oauth') ? {} : { 'cross-origin-opener-policy': 'same-origin' }),
  ...(isShared(path) ? { 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED } : {}),
})

/** The answer to OPTIONS where any origin may ask: yes, without a look at anything else. */
export const preflightHeaders = (raw: IncomingMessage): Record<string, string> => {
  const asked = String(raw.headers['access-control-request-headers'] ?? '')
  const safe = /^[\w\-, ]{0,1000}$/.test(asked) && asked !== '' ? `, ${asked}` : ''
  return {
    'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
    'access-control-allow-headers': `Authorization, Content-Type${safe}`,
    'access-control-max-age': '86400',
    vary: 'Access-Control-Request-Headers',
  }
}

/** Whether the caller reads HTML, as browsers say they do. */
export const acceptsHtml = (raw: IncomingMessage): boolean => namesHtml(raw.headers.accept)
