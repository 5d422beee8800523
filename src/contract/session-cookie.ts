import { isOnLoopback, type School } from './school.ts'

/** Names a cookie of a school. RFC 6265 §8.5: cookies do not distinguish ports, so on loopback the name contains the port. */
export const nameCookie = (school: School, kind: string): string =>
  isOnLoopback(school) ? `stoa-local-${kind}-${new URL(school.siteOrigin).port || '80'}` : `__Host-stoa-${kind}`

/** Whether a Cookie header may have the session of a school, active or not. */
export const hasSessionCookie = (school: School, cookie: string | undefined): boolean =>
  cookie?.includes(`${nameCookie(school, 'session')}=`) === true
