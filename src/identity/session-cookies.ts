import type { EndpointRequest, Reply } from '#src/contract/endpoint.ts'
import type { Language } from '#src/contract/language.ts'
import { isOnLoopback, type School } from '#src/contract/school.ts'
import { nameCookie } from '#src/contract/session-cookie.ts'
import type { ChosenScheme } from '#src/kit/scheme.ts'

/** The values of our cookies: the session, the browser binding before sign-in, and the trusted-device token. */
type Browser = {
  readonly session: string | undefined
  readonly preSession: string | undefined
  readonly trustedDevice: string | undefined
}

type Kind = 'session' | 'visit' | 'known'

const KINDS: readonly Kind[] = ['session', 'visit', 'known']

const DAY = 24 * 3600
const YEAR = 365 * DAY
// On the server a session ends after 90 days at most, and after 12 hours unless it is remembered.
const SESSION_LIFE = 90 * DAY
const PARKED_LIFE = DAY / 2

type Cookie = {
  readonly name: string
  readonly value: string
  readonly maxAge?: number | undefined
  readonly path?: string
}

const write = (school: School, { name, value, maxAge, path = '/' }: Cookie): string => {
  const secure = isOnLoopback(school) ? '' : '; Secure'
  const life = maxAge === undefined ? '' : `; Max-Age=${maxAge}`
  return `${name}=${value}; Path=${path}${secure}; HttpOnly; SameSite=Lax${life}`
}

const computeLife = (kind: Kind, isRemembered = false): number | undefined => {
  if (kind === 'known') return YEAR
  return kind === 'session' && isRemembered ? SESSION_LIFE : undefined
}

const set = (school: School, kind: Kind, value: string, maxAge?: number): string =>
  write(school, { name: nameCookie(school, kind), value, maxAge })

// A school named localhost parks its cookies while an app that listens on another port of localhost is asked: limited to the
// paths on which people sign in, sign out or decide about an app in another tab, which an app would not have.
const PARKING_PATHS = ['/account/sign-in', '/account/sign-out', '/oauth/authorize/sign-in', '/oauth/authorize/consent']

const parkedName = (school: School, kind: Kind): string => nameCookie(school, `parked-${kind}`)

const isNamedLocalhost = (school: School): boolean => new URL(school.siteOrigin).hostname === 'localhost'

const clear = (school: School, name: string, path = '/'): string => write(school, { name, value: '', maxAge: 0, path })

const clearParked = (school: School, kind: Kind): string[] =>
  PARKING_PATHS.map(path => clear(school, parkedName(school, kind), path))

const read = ({ school, cookie }: EndpointRequest, kind: Kind): string | undefined =>
  cookie(nameCookie(school, kind)) ?? (isNamedLocalhost(school) ? cookie(parkedName(school, kind)) : undefined)

/** Reads our cookies. */
export const readBrowser = (request: EndpointRequest): Browser => ({
  session: read(request, 'session'),
  preSession: read(request, 'visit'),
  trustedDevice: read(request, 'known'),
})

/** The Set-Cookie of a session, which ends with the browser unless it is remembered, and on the server in any case. */
export const sessionCookies = (school: School, value: string, isRemembered: boolean): string[] => [
  set(school, 'session', value, computeLife('session', isRemembered)),
]

/** The Set-Cookie of the browser binding before sign-in. */
export const preSessionCookies = ({ school }: EndpointRequest, value: string): string[] => [set(school, 'visit', value)]

/** The Set-Cookie of the language that was chosen for the pages of a school in a browser, for a year. */
export const languageCookies = (school: School, language: Language): string[] => [
  write(school, { name: nameCookie(school, 'language'), value: language, maxAge: YEAR }),
]

/** The Set-Cookie of the color scheme that was chosen in a browser, for a year; undefined lets the device decide again. */
export const schemeCookies = (school: School, scheme: ChosenScheme | undefined): string[] => [
  scheme === undefined
    ? clear(school, nameCookie(school, 'scheme'))
    : write(school, { name: nameCookie(school, 'scheme'), value: scheme, maxAge: YEAR }),
]

/** The Set-Cookie of a trusted device, valid for a year; it grants no access by itself. */
export const trustedDeviceCookies = (school: School, value: string): string[] => [
  set(school, 'known', value, computeLife('known')),
]

// RFC 6265 §5.1.4.
const isBelow = (callback: string, path: string): boolean => `${callback}/`.startsWith(`${path}/`)

const parkedCookies = ({ school, cookie }: EndpointRequest, callback: string): string[] =>
  KINDS.flatMap(kind => {
    const value = cookie(nameCookie(school, kind))
    const name = parkedName(school, kind)
    const isParked = value !== undefined && /^[\w-]{1,100}$/.test(value)
    return [
      ...(isParked ? [clear(school, nameCookie(school, kind))] : []),
      ...PARKING_PATHS.flatMap(path => {
        if (isBelow(callback, path)) return [clear(school, name, path)]
        return isParked ? [write(school, { name, value, maxAge: PARKED_LIFE, path })] : []
      }),
    ]
  })

/** A redirect to an app, which gets no cookie of ours, also where it listens on another port of `localhost`. */
export const parkCookies = (request: EndpointRequest, reply: Reply): Reply => {
  const { school } = request
  const { origin, hostname, pathname } = new URL(String(reply.headers?.location ?? ''), school.siteOrigin)
  if (!isNamedLocalhost(school) || hostname !== 'localhost' || origin === school.siteOrigin) return reply
  return { ...reply, headers: { ...reply.headers, 'set-cookie': parkedCookies(request, pathname) } }
}

/** The Set-Cookie lines that put back what was parked, where the request has it; `isRemembered` is that of the session. */
export const unparkedCookies = ({ school, cookie }: EndpointRequest, isRemembered = false): string[] =>
  KINDS.flatMap(kind => {
    const parked = isNamedLocalhost(school) ? cookie(parkedName(school, kind)) : undefined
    if (parked === undefined) return []
    const isAbsent = cookie(nameCookie(school, kind)) === undefined
    return [
      ...clearParked(school, kind),
      ...(isAbsent ? [set(school, kind, parked, computeLife(kind, isRemembered))] : []),
    ]
  })

/** The Set-Cookie that ends the session of a request in the browser. */
export const clearCookies = (request: EndpointRequest): string[] => {
  const { school } = request
  if (readBrowser(request).session === undefined) return []
  return [
    clear(school, nameCookie(school, 'session')),
    ...(isNamedLocalhost(school) ? clearParked(school, 'session') : []),
  ]
}

/** The result of a sign-in: the cookies that its browser gets. */
export type SessionStart = { readonly cookies: readonly string[] }

/** A redirect to a page of ours in the new session. */
export const redirectInto = ({ cookies }: SessionStart, page: string): Reply => ({
  status: 303,
  headers: {
    location: page,
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
  return origin === undefined || origin === request.school.siteOrigin
}
