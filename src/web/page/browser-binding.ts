import type { EndpointRequest } from '#src/contract/endpoint.ts'
import { browserOf } from '#src/identity/index.ts'

const BROWSER_BINDING = /^[\w-]{43}$/

/** The secret that binds forms to a browser in which nobody is signed in. */
export const browserBindingOf = (request: EndpointRequest): string | undefined => {
  const { preSession } = browserOf(request)
  return preSession !== undefined && BROWSER_BINDING.test(preSession) ? preSession : undefined
}
