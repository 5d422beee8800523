import { Order, refreshPayments } from '#src/areas/shop/index.ts'
import type { EndpointRequest, Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import type { Session } from '#src/identity/index.ts'
import type { Pairs } from '#src/kit/form.ts'
import { fromId } from '#src/kit/ids.ts'
import { atPage, formToken, isReply, languageAt, personOf, readForm } from '#src/web/page/index.ts'
import { missingOrderPage } from './pages/order.ts'
import { type OwnOrder, waitsForProvider } from './pages/order-status.ts'
import type { AccountPagesParts } from './parts.ts'

const NUMBER = /^[A-Z0-9-]{1,40}$/

/** Returns what `undefined` stands for when an operation says that there is nothing. */
export const orNothing = async <T>(call: Promise<T>): Promise<T | undefined> => {
  try {
    return await call
  } catch (error) {
    if (error instanceof Refusal && error.problem === notFound) return undefined
    throw error
  }
}

const readOrder = async (
  request: EndpointRequest,
  { performAs }: AccountPagesParts,
  session: Session,
): Promise<OwnOrder | undefined> => {
  const { number = '' } = request.params
  if (!NUMBER.test(number)) return undefined
  const params = { order_id: `number:${number}` }
  return orNothing(performAs(atPage(request, session), { operation: 'getAccountOrder', params, returns: Order }))
}

/** Asks the providers of an order what became of its payments, and returns the order as it is then. */
export const askProviders = async (
  request: EndpointRequest,
  parts: AccountPagesParts,
  session: Session,
  order: OwnOrder,
): Promise<OwnOrder> => {
  const { database, school } = request
  const orderId = fromId('ord', order.id)
  if (orderId === undefined || !waitsForProvider(order)) return order
  await refreshPayments({ database, school, keyFor: parts.keyFor }, { orderId })
  return (await readOrder(request, parts, session)) ?? order
}

const answerFor = async (
  request: EndpointRequest,
  parts: AccountPagesParts,
  session: Session,
  answer: (order: OwnOrder) => Promise<Reply>,
): Promise<Reply> => {
  const order = await readOrder(request, parts, session)
  if (order !== undefined) return answer(order)
  return missingOrderPage({
    school: request.school,
    language: languageAt(request, session),
    person: session.member,
    token: formToken(parts.secret, request.school.id, { session }),
  })
}

/** Answers for the order whose number is in the path; for an order of somebody else as for one that does not exist. */
export const withOwnOrder = async (
  request: EndpointRequest,
  parts: AccountPagesParts,
  answer: (session: Session, order: OwnOrder) => Promise<Reply>,
): Promise<Reply> => {
  const session = await personOf(request)
  return isReply(session) ? session : answerFor(request, parts, session, order => answer(session, order))
}

/** The same for a form that was shown to this person; refuses any other form before it looks for the order. */
export const withPostedOrder = async (
  request: EndpointRequest,
  parts: AccountPagesParts,
  answer: (session: Session, order: OwnOrder, form: Pairs) => Promise<Reply>,
): Promise<Reply> => {
  const session = await personOf(request)
  if (isReply(session)) return session
  const form = await readForm(request, parts.secret, { session })
  return answerFor(request, parts, session, order => answer(session, order, form))
}
