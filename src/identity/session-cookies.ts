import type { EndpointRequest, Reply } from '#src/contract/endpoint.ts'
import type { School } from '#src/contract/school.ts'
import { isOnLoopback, usesSession } from '#src/contract/session-path.ts'
import { sha256 } from '#src/kit/crypto.ts'

/** The values of our cookies: the session, the browser binding before sign-in, and the trusted-device token. */
type Browser = {
  readonly session: string | undefined
  readonly preSession: string | undefined
  readonly trustedDevice: string | undefined
}

type Kind = 'session' | 'visit' | 'known'

const YEAR = 365 * 24 * 3600

const parsePort = (school: School): string => new URL(school.baseUrl).port || '80'

// RFC 6265 §8.5: cookies do not distinguish ports, so the name contains the port.
const formatName = (school: School, kind: Kind): string =>
  isOnLoopback(school) ? `stoa-local-${kind}-${parsePort(school)}` : `__Host-stoa-${kind}`

// The paths on which people sign in.
const SIGN_IN_PATHS = ['/oauth/authorize', '/account', '/checkout', '/forms']

/**
 * The path that the cookie of a session is limited to. On loopback every server of this computer gets the cookies of
 * its host, whatever its port; a path that only this browser and this school know keeps the session from the others. On
 * HTTPS the cookie has the prefix `__Host-`, which requires Path=/.
 */
export const sessionPathFor = (school: School, secret: string): string =>
  isOnLoopback(school) ? `/~${sha256(`session path\n${secret}`).toString('base64url').slice(0, 22)}` : ''

type CookieValue = { readonly school: School; readonly kind: Kind; readonly value: string; readonly maxAge?: number }

const write = ({ school, kind, value, maxAge }: CookieValue, paths: readonly string[]): string[] => {
  const life = maxAge === undefined ? '' : `; Max-Age=${maxAge}`
  const places = isOnLoopback(school) ? paths.map(path => `Path=${path}`) : ['Path=/; Secure']
  return places.map(where => `${formatName(school, kind)}=${value}; ${where}; HttpOnly; SameSite=Lax${life}`)
}

// Before decision 28 cookies had these names and more paths.
const OLD_PATHS = ['/oauth', '/account', '/staff']

const clearOld = ({ school, cookie }: EndpointRequest): string[] => {
  if (!isOnLoopback(school)) return []
  const names = ['session', 'visit', 'known'].map(kind => `stoa-${kind}-${parsePort(school)}`)
  return names
    .filter(name => cookie(name) !== undefined)
    .flatMap(name => OLD_PATHS.map(path => `${name}=; Path=${path}; HttpOnly; SameSite=Lax; Max-Age=0`))
}

// Another port can also set cookies of this host, with any path, so a session counts only below its own path.
const sessionIn = ({ school, sessionPath, cookie }: EndpointRequest): string | undefined => {
  const session = cookie(formatName(school, 'session'))
  if (session === undefined) return undefined
  return sessionPath === sessionPathFor(school, session) ? session : undefined
}

/** Reads our cookies. */
export const readBrowser = (request: EndpointRequest): Browser => ({
  session: sessionIn(request),
  preSession: request.cookie(formatName(request.school, 'visit')),
  trustedDevice: request.cookie(formatName(request.school, 'known')),
})

/** The Set-Cookie of a session; it ends with the browser, and on the server in any case. */
export const sessionCookies = (school: School, value: string): string[] =>
  write({ school, kind: 'session', value }, [sessionPathFor(school, value)])

/** The Set-Cookie of the browser binding before sign-in, limited to the pages that use it. */
export const preSessionCookies = (request: EndpointRequest, value: string): string[] => {
  const { school, sessionPath } = request
  const paths = sessionPath === '' ? SIGN_IN_PATHS : [sessionPath]
  return [...write({ school, kind: 'visit', value }, paths), ...clearOld(request)]
}

/** The Set-Cookie of a trusted device, valid for a year; it grants no access by itself. */
export const trustedDeviceCookies = (school: School, value: string): string[] =>
  write({ school, kind: 'known', value, maxAge: YEAR }, SIGN_IN_PATHS)

/** The Set-Cookie that ends the session of a request in the browser. */
export const clearCookies = (request: EndpointRequest): string[] => {
  const { school } = request
  const { session } = readBrowser(request)
  return session === undefined
    ? []
    : write({ school, kind: 'session', value: '', maxAge: 0 }, [sessionPathFor(school, session)])
}

/** The result of a sign-in: its cookies, and the path prefix of every page of that session. */
export type SessionStart = { readonly cookies: readonly string[]; readonly sessionPath: string }

/** A redirect to a page of ours in the new session; pages that do not use sessions keep their own address. */
export const redirectInto = ({ cookies, sessionPath }: SessionStart, page: string): Reply => ({
  status: 303,
  headers: {
    location: usesSession(page) ? `${sessionPath}${page}` : page,
    'cache-control': 'no-store',
    'referrer-policy': 'same-origin',
    'set-cookie': cookies,
  },
})

/** Whether a form was posted from our own page, as far as the browser reports its origin. */
export const isSameSite = (request: EndpointRequest): boolean => {
  const fetchSite = request.header('sec-fetch-site')
  if (fetchSite !== undefined) return fetchSite === 'same-origin' || fetchSite === 'none'
  const origin = request.header('origin')
  return origin === undefined || origin === request.school.baseUrl
}
