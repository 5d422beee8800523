import type { EndpointRequest, Reply } from '#src/contract/endpoint.ts'
import { browserOf, preSessionCookies } from '#src/identity/index.ts'
import type { Random } from '#src/kit/crypto.ts'

const BROWSER_BINDING = /^[\w-]{43}$/

/** The secret that binds forms to a browser in which nobody is signed in. */
export const browserBindingOf = (request: EndpointRequest): string | undefined => {
  const { preSession } = browserOf(request)
  return preSession !== undefined && BROWSER_BINDING.test(preSession) ? preSession : undefined
}

/** A page for a browser with a browser binding, which is set with the page if it is missing. */
export const withBrowserBinding = (
  request: EndpointRequest,
  random: Random,
  show: (browserBinding: string) => Reply,
): Reply => {
  const old = browserBindingOf(request)
  if (old !== undefined) return show(old)
  const browserBinding = random(32).toString('base64url')
  const reply = show(browserBinding)
  return { ...reply, headers: { ...reply.headers, 'set-cookie': preSessionCookies(request, browserBinding) } }
}
