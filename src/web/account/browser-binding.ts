import type { EndpointRequest, Reply } from '#src/contract/endpoint.ts'
import { browserOf, preSessionCookies } from '#src/identity/index.ts'
import type { Random } from '#src/kit/crypto.ts'

const MARK = /^[\w-]{43}$/

/** The mark of a browser's visit, in which nobody need be signed in. */
export const browserBindingOf = (request: EndpointRequest): string | undefined => {
  const { preSession } = browserOf(request)
  return preSession !== undefined && MARK.test(preSession) ? preSession : undefined
}

/** A page for a browser with a mark; one that has none gets a new one with it. */
export const withBrowserBinding = (request: EndpointRequest, random: Random, show: (mark: string) => Reply): Reply => {
  const old = browserBindingOf(request)
  if (old !== undefined) return show(old)
  const mark = random(32).toString('base64url')
  const shown = show(mark)
  return { ...shown, headers: { ...shown.headers, 'set-cookie': preSessionCookies(request, mark) } }
}
