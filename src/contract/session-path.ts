import type { Reply } from './endpoint.ts'
import type { School } from './school.ts'

/** The paths below which pages use the browser session. */
export const pagePaths = ['/oauth/authorize', '/account', '/checkout', '/forms', '/learn', '/staff'] as const

const PAGES = pagePaths.map(path => path.slice(1)).join('|')
const BELOW = new RegExp(`^(/~[\\w-]{22})(/(?:${PAGES})(?:[/?].*)?)$`, 's')
const TARGET = new RegExp(`^/(?:${PAGES})(?=[/?]|$)`)
const LINK = new RegExp(`(<(?:a|form)\\b[^>]* (?:href|action)=")(?=/(?:${PAGES})[/?"])`, 'g')

/** Whether a school is served without TLS, only on this computer: its cookies are sent to every port of the host. */
export const isOnLoopback = (school: School): boolean => school.baseUrl.startsWith('http:')

/** Whether a target is a page that uses the browser session, so that it is below the path of one. */
export const usesSession = (target: string): boolean => TARGET.test(target)

/** Splits a request target into the path of its session, which may be empty, and the rest. */
export const cutSessionPath = (target: string): readonly [sessionPath: string, target: string] => {
  const [, sessionPath, rest] = BELOW.exec(target) ?? []
  return sessionPath === undefined || rest === undefined ? ['', target] : [sessionPath, rest]
}

const locationBelow = (sessionPath: string, { headers = {} }: Reply): Reply['headers'] =>
  typeof headers.location === 'string' && usesSession(headers.location)
    ? { ...headers, location: `${sessionPath}${headers.location}` }
    : headers

/** The same reply with the path of the session in front of every link, form and redirect to a page. */
export const replyBelow = (sessionPath: string, reply: Reply): Reply => {
  if (sessionPath === '') return reply
  const headers = locationBelow(sessionPath, reply) ?? {}
  const isPage = typeof reply.body === 'string' && String(headers['content-type']).startsWith('text/html')
  return isPage
    ? { ...reply, headers, body: String(reply.body).replace(LINK, `$1${sessionPath}`) }
    : { ...reply, headers }
}
