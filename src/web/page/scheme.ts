import type { Endpoint, EndpointRequest, Fallback, Reply } from '#src/contract/endpoint.ts'
import { nameCookie } from '#src/contract/session-cookie.ts'
import { type ChosenScheme, isScheme, markScheme } from '#src/kit/scheme.ts'
import { findReadSession } from './request.ts'

/** The scheme that was chosen in a browser; undefined where its device decides. */
export const readScheme = ({ school, cookie }: EndpointRequest): ChosenScheme | undefined => {
  const scheme = cookie(nameCookie(school, 'scheme'))
  return isScheme(scheme) ? scheme : undefined
}

// Whoever is not signed in has the page of everybody. Decision 174.
const addScheme = (request: EndpointRequest, reply: Reply): Reply => {
  const { body, headers = {} } = reply
  const isPage = typeof body === 'string' && String(headers['content-type']).startsWith('text/html')
  const scheme = isPage && findReadSession(request) !== undefined && readScheme(request)
  return isPage && scheme ? { ...reply, body: markScheme(body, scheme) } : reply
}

/** The endpoint with the scheme of whoever is signed in. */
export const withScheme = (endpoint: Endpoint): Endpoint => {
  const { handle, showKept } = endpoint
  return {
    ...endpoint,
    handle: async request => addScheme(request, await handle(request)),
    ...(showKept && { showKept: async (request, show) => addScheme(request, await showKept(request, show)) }),
  }
}

/** The same for what answers at paths that nothing else has. */
export const schemeFallback =
  (fallback: Fallback): Fallback =>
  async request => {
    const reply = await fallback(request)
    return reply && addScheme(request, reply)
  }
