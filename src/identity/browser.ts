import type { EndpointRequest } from '#src/contract/endpoint.ts'
import type { School } from '#src/contract/school.ts'

/** What a browser sends of ours: its session, the mark of a visit before sign-in, and the mark of who signed in here before. */
export type Browser = {
  readonly session: string | undefined
  readonly preSession: string | undefined
  readonly known: string | undefined
}

type Kind = 'session' | 'visit' | 'known'

const YEAR = 365 * 24 * 3600

const isSecure = (school: School): boolean => school.baseUrl.startsWith('https:')

// Every server on 127.0.0.1 gets this cookie, whatever its port: the port stands in the name, the paths are narrow.
const nameOf = (school: School, kind: Kind): string =>
  isSecure(school) ? `__Host-stoa-${kind}` : `stoa-${kind}-${new URL(school.baseUrl).port || '80'}`

// Where pages with a person are. On HTTPS one cookie reaches them all, since __Host- demands Path=/.
const PATHS = ['/oauth', '/account', '/staff']

const write = (school: School, kind: Kind, value: string, maxAge?: number): string[] => {
  const life = maxAge === undefined ? '' : `; Max-Age=${maxAge}`
  const places = isSecure(school) ? ['Path=/; Secure'] : PATHS.map(path => `Path=${path}`)
  return places.map(where => `${nameOf(school, kind)}=${value}; ${where}; HttpOnly; SameSite=Lax${life}`)
}

/** Reads our cookies. */
export const browserOf = (request: EndpointRequest): Browser => ({
  session: request.cookie(nameOf(request.school, 'session')),
  preSession: request.cookie(nameOf(request.school, 'visit')),
  known: request.cookie(nameOf(request.school, 'known')),
})

/** The Set-Cookie of a session; it ends with the browser, and on the server in any case. */
export const sessionCookies = (school: School, value: string): string[] => write(school, 'session', value)

/** The Set-Cookie of a visit before sign-in. */
export const preSessionCookies = (school: School, value: string): string[] => write(school, 'visit', value)

/** The Set-Cookie by which a browser is known again for a year; it opens nothing by itself. */
export const knownCookies = (school: School, value: string): string[] => write(school, 'known', value, YEAR)

/** The Set-Cookie that ends a session in the browser. */
export const clearCookies = (school: School): string[] => write(school, 'session', '', 0)

/** Whether a form was posted from our own page, as far as the browser says where it came from. */
export const isSameSite = (request: EndpointRequest): boolean => {
  const fetchSite = request.header('sec-fetch-site')
  if (fetchSite !== undefined) return fetchSite === 'same-origin' || fetchSite === 'none'
  const origin = request.header('origin')
  return origin === undefined || origin === request.school.baseUrl
}
