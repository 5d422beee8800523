import { type CheckoutRow, findCheckout } from '#src/areas/shop/index.ts'
import type { EndpointRequest } from '#src/contract/endpoint.ts'
import type { CodeBinding } from '#src/identity/index.ts'
import { sha256 } from '#src/kit/crypto.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import { type Bound, readBrowserBinding, readSession } from '#src/web/page/index.ts'

/** What binds a checkout to a browser. */
export const computeBrowserHash = (bound: Bound): Buffer =>
  sha256('session' in bound ? `checkout session:${bound.session.id}` : `checkout visit:${bound.browserBinding}`)

/** Where the code of a checkout may be used: in its browser, for this checkout only. */
export const buildCodePlace = (checkoutId: string, browserBinding: string): CodeBinding => ({
  boundTo: sha256(`checkout code:${checkoutId}:${browserBinding}`),
  purpose: 'sign_up',
})

/** A checkout, and what it is bound to: a session, or a browser in which nobody is signed in. */
export type Found = { readonly row: CheckoutRow; readonly bound: Bound }

/** The checkout of an address, in the browser in which it was begun; one that was used also for the buyer of its order. */
export const findOwnCheckout = async (
  request: EndpointRequest,
  named = request.params.checkout_id ?? '',
): Promise<Found | undefined> => {
  const id = fromId('chk', named)
  if (id === undefined) return undefined
  const { database, school } = request
  const session = await readSession(request)
  const browserBinding = readBrowserBinding(request)
  const candidates: Bound[] = [
    ...(browserBinding === undefined ? [] : [{ browserBinding }]),
    ...(session === undefined ? [] : [{ session }]),
  ]
  for (const bound of candidates) {
    const memberId = 'session' in bound ? bound.session.member.id : undefined
    const place = { id, browserHash: computeBrowserHash(bound), memberId }
    const row = await database.statements(school.id, db => findCheckout(db, school.id, place))
    if (row !== undefined) return { row, bound }
  }
  return undefined
}

/** The path of a checkout, by the id of its row. */
export const checkoutPath = (id: string): string => `/checkout/${toId('chk', id)}`
