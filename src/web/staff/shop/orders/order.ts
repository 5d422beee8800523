import { InvoicePage, Order, OrderEntitlements } from '#src/areas/shop/index.ts'
import { type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import type { CallAsPerson, SignedInPerson } from '#src/contract/page-call.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { signInRequired } from '#src/contract/problems.ts'
import type { Session } from '#src/identity/index.ts'
import type { Pairs } from '#src/kit/form.ts'
import { atPage, doneOf, formToken, isReply, languageAt, redirect } from '#src/web/page/index.ts'
import { refusalOf, staffFormOf, staffOf } from '../../page-request.ts'
import type { StaffPagesParts } from '../../parts.ts'
import type { StaffSection } from '../../section.ts'
import { actOf, callOf, type OrderAct } from './acts.ts'
import { orderPage } from './order-page.ts'
import type { OrderShown } from './waiting.ts'

/** The order in a path: its number, or its id. */
const refOf = ({ params }: EndpointRequest): string => {
  const { number = '' } = params
  return number.startsWith('ord_') ? number : `number:${number}`
}

/** The order of a page. */
export const orderAt = (request: EndpointRequest, performAs: CallAsPerson, person: SignedInPerson) =>
  performAs(person, {
    operation: 'getOrder',
    params: { order_id: refOf(request) },
    expand: ['member'],
    returns: Order,
  })

type Refused = { readonly act: OrderAct; readonly form: Pairs; readonly refusal: Refusal }

const pageOf = async (
  request: EndpointRequest,
  { secret, performAs }: StaffPagesParts,
  session: Session,
  refused?: Refused,
): Promise<Reply> => {
  const person = atPage(request, session)
  const order: OrderShown = await orderAt(request, performAs, person)
  const [given, documents] = await Promise.all([
    performAs(person, {
      operation: 'listOrderEntitlements',
      params: { order_id: order.id },
      returns: OrderEntitlements,
    }),
    performAs(person, {
      operation: 'listInvoices',
      query: [
        ['order_id', order.id],
        ['limit', '100'],
      ],
      returns: InvoicePage,
    }),
  ])
  return orderPage({
    school: request.school,
    language: languageAt(request, session),
    viewer: session.member,
    token: formToken(secret, request.school.id, { session }),
    done: doneOf(request),
    order,
    given: given.data,
    documents: documents.data,
    refused,
  })
}

const show = async (request: EndpointRequest, parts: StaffPagesParts): Promise<Reply> => {
  const session = await staffOf(request)
  return isReply(session) ? session : pageOf(request, parts, session)
}

const submit = async (request: EndpointRequest, parts: StaffPagesParts): Promise<Reply> => {
  const posted = await staffFormOf(request, parts.secret)
  if ('status' in posted) return posted
  const { session, form } = posted
  const person = atPage(request, session)
  const act = actOf(form)
  const order = await orderAt(request, parts.performAs, person)
  const performed = async () => parts.performAs(person, callOf(act, form, order, languageAt(request, session)))
  const refusal = await refusalOf(performed())
  const path = `/staff/orders/${order.number}`
  if (refusal === undefined) return redirect(`${path}?done=${act}`)
  // If the session ended meanwhile, that page asks for a new sign-in.
  return refusal.problem === signInRequired ? redirect(path) : pageOf(request, parts, session, { act, form, refusal })
}

/** GET and POST /staff/orders/:number. */
export const orderDetails: StaffSection = {
  // The list of orders leads to each of them.
  entries: [],
  pages: [
    parts => endpoint({ route: 'GET /staff/orders/:number', handle: request => show(request, parts) }),
    parts => endpoint({ route: 'POST /staff/orders/:number', handle: request => submit(request, parts) }),
  ],
}
