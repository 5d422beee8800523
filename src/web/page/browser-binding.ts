import type { EndpointRequest } from '#src/contract/endpoint.ts'
import { readBrowser } from '#src/identity/index.ts'

const BROWSER_BINDING = /^[\w-]{43}$/

/** The secret that binds forms to a browser in which nobody is signed in. */
export const readBrowserBinding = (request: EndpointRequest): string | undefined => {
  const { preSession } = readBrowser(request)
  return preSession !== undefined && BROWSER_BINDING.test(preSession) ? preSession : undefined
}
