import { Course } from '#src/areas/courses/index.ts'
import { Subscription } from '#src/areas/memberships/index.ts'
import { listUsableProviders } from '#src/areas/school/index.ts'
import { InvoicePage, OrderPage } from '#src/areas/shop/index.ts'
import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import type { Language } from '#src/contract/language.ts'
import { Refusal } from '#src/contract/problem.ts'
import { signInRequired } from '#src/contract/problems.ts'
import { findAppName, hasPassword, type Session } from '#src/identity/index.ts'
import { formField } from '#src/kit/form.ts'
import { formatMoney } from '#src/kit/format.ts'
import { cleanLine } from '#src/kit/text.ts'
import { atPage, doneOf, formToken, isReply, languageAt, personOf, redirect, timeOf } from '#src/web/page/index.ts'
import { askProviders, orNothing, withOwnOrder, withPostedOrder } from './own-order.ts'
import { type OrderView, orderPage, orderPath } from './pages/order.ts'
import { freeKindOf, isWaiting, type OwnOrder, openPayment } from './pages/order-status.ts'
import { ordersPage } from './pages/orders.ts'
import type { TransferView } from './pages/transfer.ts'
import type { AccountPagesParts } from './parts.ts'

const PATH = '/account/orders'
const PAGE = '10'
const MAX_CURSOR = 500

const showList = async (request: EndpointRequest, { performAs }: AccountPagesParts): Promise<Reply> => {
  const session = await personOf(request)
  if (isReply(session)) return session
  const cursor = cleanLine(new URLSearchParams(request.query).get('cursor') ?? '', MAX_CURSOR)
  const { data, next_cursor: next } = await performAs(atPage(request, session), {
    operation: 'listAccountOrders',
    query: [['limit', PAGE], ...(cursor === '' ? [] : [['cursor', cursor] as const])],
    returns: OrderPage,
  })
  return ordersPage({
    school: request.school,
    language: languageAt(request, session),
    person: session.member,
    ...{ orders: data, next, isFirst: cursor === '' },
  })
}

// How often a page looks again by itself, and after how many seconds: a transfer takes hours, unless somebody at the
// school confirms it while the buyer is there.
const MOST_LOOKS = 20
const SECONDS = { page: 3, transfer: 10 } as const

const refreshOf = ({ query }: EndpointRequest, order: OwnOrder): OrderView['refresh'] => {
  const payment = openPayment(order)
  if (!isWaiting(order) || payment === undefined) return undefined
  const typed = new URLSearchParams(query).get('again') ?? ''
  const count = /^\d{1,2}$/.test(typed) ? Number(typed) : 0
  const seconds = payment.provider === 'manual' ? SECONDS.transfer : SECONDS.page
  return count >= MOST_LOOKS ? undefined : { count, seconds }
}

const coursesIn = async (
  request: EndpointRequest,
  { performAs }: AccountPagesParts,
  session: Session,
  { lines, paid_at: paidAt }: OwnOrder,
): Promise<ReadonlyMap<string, string>> => {
  const ids = paidAt === null ? [] : lines.flatMap(({ item }) => (item.type === 'course' ? [item.id] : []))
  const courses = await Promise.all(
    [...new Set(ids)].map(id =>
      orNothing(
        performAs(atPage(request, session), { operation: 'getCourse', params: { course_id: id }, returns: Course }),
      ),
    ),
  )
  return new Map(courses.flatMap(course => (course === undefined ? [] : [[course.id, course.slug] as const])))
}

const documentsOf = async (
  request: EndpointRequest,
  { performAs }: AccountPagesParts,
  session: Session,
  { id, paid_at: paidAt }: OwnOrder,
): Promise<OrderView['documents']> => {
  if (paidAt === null) return []
  const call = { operation: 'listAccountOrderInvoices', params: { order_id: id }, returns: InvoicePage } as const
  return (await orNothing(performAs(atPage(request, session), call)))?.data ?? []
}

// The free days of the subscription that an order began.
const trialEndOf = async (
  request: EndpointRequest,
  { performAs }: AccountPagesParts,
  session: Session,
  order: OwnOrder,
): Promise<string | undefined> => {
  if (freeKindOf(order) !== 'trial' || order.subscription_id === null) return undefined
  const params = { subscription_id: order.subscription_id }
  const call = { operation: 'getAccountSubscription', params, returns: Subscription } as const
  return (await orNothing(performAs(atPage(request, session), call)))?.trial_end ?? undefined
}

const transferOf = async (
  { database, school }: EndpointRequest,
  { member: person }: Session,
  order: OwnOrder,
  language: Language,
): Promise<TransferView | undefined> => {
  const { expires_at: until, number, total, paid_total: paid, currency } = order
  if (order.status !== 'pending' || until === null || openPayment(order)?.provider !== 'manual') return undefined
  const providers = await database.statements(school.id, db => listUsableProviders(db, school))
  const provider = providers.find(({ name }) => name === 'manual')
  if (provider === undefined) return undefined
  const { instructions } = provider
  return {
    language,
    accountHolder: instructions?.account_holder ?? null,
    iban: instructions?.iban ?? null,
    text: instructions?.text ?? null,
    reference: number,
    amount: formatMoney(total - paid, currency, language),
    until: timeOf(new Date(until), language, person),
  }
}

const pageOf = async (
  request: EndpointRequest,
  parts: AccountPagesParts,
  session: Session,
  order: OwnOrder,
  isRefused = false,
): Promise<Reply> => {
  const { school, database } = request
  const language = languageAt(request, session)
  const { client_id: clientId } = order.source
  const [courses, documents, trialEnd, transfer, [app, hasOne]] = await Promise.all([
    coursesIn(request, parts, session, order),
    documentsOf(request, parts, session, order),
    trialEndOf(request, parts, session, order),
    transferOf(request, session, order, language),
    database.statements(school.id, db =>
      Promise.all([
        clientId === null ? undefined : findAppName(db, school.id, clientId),
        hasPassword(db, school.id, session.member.id),
      ]),
    ),
  ])
  return orderPage({
    ...{ school, language, order, courses, documents, trialEnd, transfer, app, isRefused },
    person: session.member,
    token: formToken(parts.secret, school.id, { session }),
    hasPassword: hasOne,
    refresh: isRefused ? undefined : refreshOf(request, order),
    done: doneOf(request),
  })
}

// What the page says comes from our own books, whatever the query of the address says.
const show = (request: EndpointRequest, parts: AccountPagesParts): Promise<Reply> =>
  withOwnOrder(request, parts, async (session, order) =>
    pageOf(request, parts, session, await askProviders(request, parts, session, order)),
  )

const cancel = async (
  request: EndpointRequest,
  parts: AccountPagesParts,
  session: Session,
  order: OwnOrder,
): Promise<Reply> => {
  const params = { order_id: order.id }
  try {
    await parts.performAs(atPage(request, session), { operation: 'cancelAccountOrder', params })
    return redirect(`${orderPath(order)}?done=canceled`)
  } catch (error) {
    if (!(error instanceof Refusal) || error.problem.status >= 500) throw error
    if (error.problem === signInRequired) return redirect(orderPath(order))
    return withOwnOrder(request, parts, (again, now) => pageOf(request, parts, again, now, true))
  }
}

const submit = (request: EndpointRequest, parts: AccountPagesParts): Promise<Reply> =>
  withPostedOrder(request, parts, async (session, order, form) =>
    formField(form, 'act') === 'cancel' ? cancel(request, parts, session, order) : redirect(orderPath(order)),
  )

/** GET /account/orders; GET and POST /account/orders/:number: what a person has bought, and what to do next. */
export const ordersEndpoints = (parts: AccountPagesParts): Endpoint[] => [
  endpoint({ route: `GET ${PATH}`, handle: request => showList(request, parts) }),
  endpoint({ route: `GET ${PATH}/:number`, handle: request => show(request, parts) }),
  endpoint({ route: `POST ${PATH}/:number`, handle: request => submit(request, parts) }),
]
