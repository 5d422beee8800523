import { Order } from '#src/areas/shop/index.ts'
import { type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import type { Language } from '#src/contract/language.ts'
import type { PageCall } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { signInRequired } from '#src/contract/problems.ts'
import type { Session } from '#src/identity/index.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { atPage, formToken, isReply, languageAt, redirect, revisionIn } from '#src/web/page/index.ts'
import { recentStaffOf, staffFormOf } from '../../page-request.ts'
import type { StaffPagesParts } from '../../parts.ts'
import type { StaffSection } from '../../section.ts'
import { orderAt } from './order.ts'
import { refundOf } from './refund-form.ts'
import { type RefundView, refundPage } from './refund-page.ts'
import { previewPage } from './refund-preview.ts'
import type { OrderShown } from './waiting.ts'

const viewOf = (
  request: EndpointRequest,
  { secret }: StaffPagesParts,
  session: Session,
  order: OrderShown,
): RefundView => ({
  school: request.school,
  language: languageAt(request, session),
  token: formToken(secret, request.school.id, { session }),
  order,
  typed: [],
  refusal: undefined,
})

const show = async (request: EndpointRequest, parts: StaffPagesParts): Promise<Reply> => {
  const session = await recentStaffOf(request)
  if (isReply(session)) return session
  const order = await orderAt(request, parts.performAs, atPage(request, session))
  return refundPage(viewOf(request, parts, session, order))
}

const callOf = (form: Pairs, order: OrderShown, language: Language): PageCall<typeof Order> => ({
  operation: 'refundOrder',
  params: { order_id: order.id },
  body: refundOf(form, order, language),
  revision: revisionIn(form),
  returns: Order,
})

const perform = async (
  request: EndpointRequest,
  parts: StaffPagesParts,
  session: Session,
  form: Pairs,
  order: OrderShown,
): Promise<Reply> => {
  const person = atPage(request, session)
  const step = formField(form, 'step')
  if (step === 'edit') return refundPage({ ...viewOf(request, parts, session, order), typed: form })
  const call = callOf(form, order, languageAt(request, session))
  if (step === 'confirm') {
    await parts.performAs(person, call)
    return redirect(`/staff/orders/${order.number}?done=refund`)
  }
  const effects = await parts.performAs(person, { ...call, dryRun: true })
  return previewPage({ ...viewOf(request, parts, session, order), typed: form }, effects)
}

const submit = async (request: EndpointRequest, parts: StaffPagesParts): Promise<Reply> => {
  const posted = await staffFormOf(request, parts.secret)
  if ('status' in posted) return posted
  const { session, form } = posted
  const person = atPage(request, session)
  const order = await orderAt(request, parts.performAs, person)
  try {
    return await perform(request, parts, session, form, order)
  } catch (error) {
    if (!(error instanceof Refusal) || error.problem.status === 404 || error.problem.status >= 500) throw error
    if (error.problem === signInRequired) return redirect(`/staff/orders/${order.number}/refund`)
    // The order may have changed while the form was performed.
    const current = await orderAt(request, parts.performAs, person)
    return refundPage({ ...viewOf(request, parts, session, current), typed: form, refusal: error })
  }
}

/** GET and POST /staff/orders/:number/refund. */
export const orderRefund: StaffSection = {
  // The page of an order leads to its refund.
  entries: [],
  pages: [
    parts => endpoint({ route: 'GET /staff/orders/:number/refund', handle: request => show(request, parts) }),
    parts => endpoint({ route: 'POST /staff/orders/:number/refund', handle: request => submit(request, parts) }),
  ],
}
