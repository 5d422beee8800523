import { type ProviderName, providerNames } from '#src/areas/school/index.ts'
import { beginPayment, Order } from '#src/areas/shop/index.ts'
import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState, signInRequired } from '#src/contract/problems.ts'
import type { Session } from '#src/identity/index.ts'
import { formField } from '#src/kit/form.ts'
import { fromId } from '#src/kit/ids.ts'
import { atPage, formToken, languageAt, redirect } from '#src/web/page/index.ts'
import { methodsFor } from './methods.ts'
import { askProviders, withOwnOrder, withPostedOrder } from './own-order.ts'
import { orderPath } from './pages/order.ts'
import { type OwnOrder, openPayment } from './pages/order-status.ts'
import { payPage } from './pages/pay.ts'
import type { AccountPagesParts } from './parts.ts'

const PATH = '/account/orders/:number/pay'

// The order ends a minute after the page of the provider.
const MARGIN_MS = 60_000
const MAX_DESCRIPTION = 200

const canBePaid = ({ status }: OwnOrder): boolean => status === 'pending' || status === 'failed'

const pageOf = async (
  request: EndpointRequest,
  parts: AccountPagesParts,
  session: Session,
  order: OwnOrder,
  refusal?: Refusal,
): Promise<Reply> => {
  const { school } = request
  const { total: amount, currency } = order
  const methods = await methodsFor(request, { amount, currency })
  return payPage({
    ...{ school, order, refusal },
    language: languageAt(request, session),
    person: session.member,
    token: formToken(parts.secret, school.id, { session }),
    // Where nothing is due now, only a method to charge later is wanted.
    methods: amount === 0 ? methods.filter(({ name }) => name !== 'manual') : methods,
    chosen: openPayment(order)?.provider,
  })
}

const show = (request: EndpointRequest, parts: AccountPagesParts): Promise<Reply> =>
  withOwnOrder(request, parts, async (session, order) =>
    canBePaid(order) ? pageOf(request, parts, session, order) : redirect(orderPath(order)),
  )

const namesOf = ({ lines }: OwnOrder): string =>
  lines
    .map(({ name }) => name)
    .join(', ')
    .slice(0, MAX_DESCRIPTION)

const begin = async (
  request: EndpointRequest,
  { keyFor }: AccountPagesParts,
  session: Session,
  order: OwnOrder,
): Promise<Reply> => {
  const { database, school, sessionPath } = request
  const payment = openPayment(order)
  const paymentId = fromId('pay', payment?.id ?? '')
  if (paymentId === undefined || payment?.provider === 'manual' || order.expires_at === null)
    return redirect(orderPath(order))
  // On loopback only a page below the path of the session finds it.
  const back = `${school.baseUrl}${sessionPath}${orderPath(order)}`
  const begun = await beginPayment(
    { database, school, keyFor },
    {
      paymentId,
      reference: order.number,
      description: namesOf(order),
      ...{ returnUrl: back, cancelUrl: back },
      locale: languageAt(request, session),
      endsAt: new Date(Date.parse(order.expires_at) - MARGIN_MS),
    },
  )
  return redirect('redirect' in begun ? begun.redirect : orderPath(order))
}

const pay = async (
  request: EndpointRequest,
  parts: AccountPagesParts,
  session: Session,
  order: OwnOrder,
  provider: ProviderName,
): Promise<Reply> => {
  const call = { operation: 'createAccountOrderPayment', params: { order_id: order.id }, body: { provider } }
  const asked = await parts.performAs(atPage(request, session), { ...call, returns: Order })
  return begin(request, parts, session, asked)
}

// Undefined is another error, which is not about this order.
const answerTo = (
  error: unknown,
  request: EndpointRequest,
  parts: AccountPagesParts,
): Promise<Reply> | Reply | undefined => {
  if (!(error instanceof Refusal)) return undefined
  const { number = '' } = request.params
  if (error.problem === signInRequired) return redirect(`${orderPath({ number })}/pay`)
  return withOwnOrder(request, parts, async (session, order) =>
    // What ended the order, or paid it, is what its page says.
    error.problem === invalidState && !canBePaid(order)
      ? redirect(orderPath(order))
      : pageOf(request, parts, session, order, error),
  )
}

const submit = (request: EndpointRequest, parts: AccountPagesParts): Promise<Reply> =>
  withPostedOrder(request, parts, async (session, found, form) => {
    const typed = formField(form, 'provider')
    const provider = providerNames.find(name => name === typed)
    // Somebody may have paid on a page that is still open, and one that has ended is not opened again.
    const order = await askProviders(request, parts, session, found)
    if (!canBePaid(order)) return redirect(orderPath(order))
    if (provider === undefined) return redirect(`${orderPath(order)}/pay`)
    try {
      return await pay(request, parts, session, order, provider)
    } catch (error) {
      const reply = await answerTo(error, request, parts)
      if (reply === undefined) throw error
      return reply
    }
  })

/** GET and POST /account/orders/:number/pay: the ways to pay an order, and the way to the page of a provider. */
export const payEndpoints = (parts: AccountPagesParts): Endpoint[] => [
  endpoint({ route: `GET ${PATH}`, handle: request => show(request, parts) }),
  endpoint({ route: `POST ${PATH}`, handle: request => submit(request, parts) }),
]
