import type { IncomingMessage } from 'node:http'
import { namesHtml } from '#src/kit/accept.ts'
import { isShared } from './routes.ts'

const EXPOSED =
  'WWW-Authenticate, ETag, Link, Location, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, Idempotency-Replayed'

const everywhere = { 'x-content-type-options': 'nosniff' }
const unlessOAuth = { ...everywhere, 'cross-origin-opener-policy': 'same-origin' }
const shared = { ...unlessOAuth, 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED }

/** The headers of every response at a path, beside the id of its request. */
export const commonHeaders = (path: string): Readonly<Record<string, string>> => {
  if (isShared(path)) return shared
  return path.startsWith('/oauth') ? everywhere : unlessOAuth
}

type Headers = Readonly<Record<string, string | readonly string[]>>

/** Names and values in turn, as `writeHead` takes them; of headers with the same name in several parts the last ones count. */
export const flatHeaders = (parts: readonly Headers[]): string[] => {
  const flat: string[] = []
  for (const [index, part] of parts.entries()) {
    for (const name in part) {
      if (parts.some((later, at) => at > index && later[name] !== undefined)) continue
      const value = part[name] ?? ''
      if (typeof value === 'string') flat.push(name, value)
      else for (const one of value) flat.push(name, one)
    }
  }
  return flat
}

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
