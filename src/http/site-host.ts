import type { IncomingMessage } from 'node:http'
import type { Reply } from '#src/contract/endpoint.ts'
import { OAuthError } from '#src/contract/oauth-error.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import { parseHost } from '#src/db/schools.ts'
import { writePairs } from '#src/kit/form.ts'
import { texts } from '#src/texts/index.ts'
import { readForm } from './body.ts'
import { limits } from './limits.ts'

// What programs read is answered under every host of a school; nothing of it reads a cookie.
const FOR_PROGRAMS =
  /^\/(?:(?:\.well-known|api|webhooks|files|assets|credentials|downloads|calendar)\/|(?:auth\.md|openapi\.json|facts\.json)(?:\?|$))/

/** Whether a target is answered under every host of its school, and not only under that of its pages. */
export const isForPrograms = (target: string): boolean => FOR_PROGRAMS.test(target)

/** Whether a host is that of the pages of a school. */
export const isSiteHost = ({ siteOrigin }: School, host: string | undefined): boolean => host === parseHost(siteOrigin)

// Bookmarks and pages of payment providers have addresses below the path to which a session on loopback was limited.
const OLD_SESSION = /^\/~[\w-]{22}(?=\/)/

const leadTo = (status: 303 | 307, location: string): Reply => ({
  status,
  headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'same-origin' },
})

// OpenID Connect Core §3.1.2.1: an authorization request may be posted.
const leadAuthorization = async (raw: IncomingMessage, { siteOrigin }: School): Promise<Reply> => {
  const query = writePairs(await readForm(raw))
  if (query.length > limits.query) throw new OAuthError('invalid_request', 'The request is too long.')
  return leadTo(303, `${siteOrigin}/oauth/authorize?${query}`)
}

/**
 * Leads a request for a page to the host on which the school has its pages, where another name of this computer was asked;
 * undefined where the request is to be handled here. It reads and sets no cookie, so that no cookie of the school is ever at an
 * address literal, where apps that registered themselves listen.
 */
export const leadToSite = async (
  raw: IncomingMessage,
  school: School,
  host: string | undefined,
): Promise<Reply | undefined> => {
  const { url = '', method } = raw
  const target = url.replace(OLD_SESSION, '')
  const isHere = target === url && (isSiteHost(school, host) || isForPrograms(url))
  if (isHere) return undefined
  const href = `${school.siteOrigin}${target}`
  if (method === 'GET' || method === 'HEAD') return leadTo(307, href)
  if (method === 'POST' && target === '/oauth/authorize') return leadAuthorization(raw, school)
  if (method !== 'POST') return undefined
  throw new Refusal(formRefused, texts.http.otherHost.refused, {
    headers: { connection: 'close' },
    links: [{ href, label: texts.http.otherHost.open }],
  })
}
