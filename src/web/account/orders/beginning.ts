import { beginPayment } from '#src/areas/shop/index.ts'
import { fromId } from '#src/kit/ids.ts'
import type { PublicContext } from '#src/web/page/index.ts'
import type { AccountPagesParts } from '../parts.ts'
import { type OwnOrder, openPayment } from './own.ts'

// The order ends a minute after the page of the provider.
const MARGIN_MS = 60_000
const MAX_DESCRIPTION = 200

const formatNames = ({ lines }: OwnOrder): string =>
  lines
    .map(({ name }) => name)
    .join(', ')
    .slice(0, MAX_DESCRIPTION)

type Around = Pick<PublicContext<AccountPagesParts>, 'request' | 'school' | 'parts' | 'language'>

/**
 * Opens the page of the provider for the open payment of an order, and returns its address; `back` is the path to which the
 * provider leads back, and where an order continues that is paid without such a page. Refuses as `beginPayment`.
 */
export const beginOpenPayment = async (
  { request, school, parts, language }: Around,
  order: OwnOrder,
  back: string,
): Promise<string> => {
  const payment = openPayment(order)
  const paymentId = fromId('pay', payment?.id ?? '')
  if (paymentId === undefined || payment?.provider === 'manual' || order.expires_at === null) return back
  const begun = await beginPayment(
    { database: request.database, school, keyFor: parts.keyFor },
    {
      paymentId,
      reference: order.number,
      description: formatNames(order),
      returnUrl: `${school.siteOrigin}${back}`,
      cancelUrl: `${school.siteOrigin}${back}`,
      locale: language,
      endsAt: new Date(Date.parse(order.expires_at) - MARGIN_MS),
    },
  )
  return 'redirect' in begun ? begun.redirect : back
}
