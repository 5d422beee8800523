// One thing: the nine calls of Mollie's API that the adapter makes, with what Mollie refuses of them.
import type { Call } from '../payment-suite/provider.ts'
import {
  buildCustomer,
  buildError,
  buildList,
  buildMethods,
  buildPayment,
  buildProfile,
  buildRefund,
  type Place,
} from './answers.ts'
import {
  type BookedPayment,
  type Books,
  type Mandate,
  type Method,
  newMollieId,
  readNow,
  readOurId,
  sumRefundable,
} from './books.ts'
import { checkCustomer, checkPayment, checkRefund, parseAmount, type SentPayment } from './checks.ts'

/** An answer of the server. */
export type Answer = { readonly status: number; readonly body: unknown }

/** A request, after its key was checked. */
export type Asked = {
  readonly books: Books
  readonly place: Place
  /** Whether an address can be called from the server. */
  readonly reaches: (url: string) => boolean
  readonly ids: readonly string[]
  readonly query: URLSearchParams
  readonly sent: Readonly<Record<string, unknown>>
}

/** A call that the server answers. */
export type MollieCall = {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: RegExp
  /** The call of the port that it is made for, if one alone makes it. */
  readonly name: Call | undefined | ((text: string) => Call)
  answer(asked: Asked): Answer
}

const notFound = (what: string): Answer => buildError(404, 'Not Found', `No ${what} exists with that id.`)
const refuse = (detail: string, field?: string): Answer => buildError(422, 'Unprocessable Entity', detail, field)

// As long as a page of no chosen method is open.
const OPEN_MS = 15 * 60_000

const failures: Record<Mandate['behaviour'], string | null> = {
  works: null,
  takes_long: null,
  declines: 'insufficient_funds',
  declines_finally: 'card_expired',
  asks_person: 'authentication_required',
}

const chargeOf = ({ method, behaviour, id }: Mandate): Partial<BookedPayment> => {
  if (behaviour === 'takes_long') return { method, mandateId: id, status: 'pending' }
  const failure = failures[behaviour]
  return { method, mandateId: id, failure, ...(failure === null ? { status: 'paid', times: 1 } : { status: 'failed' }) }
}

const book = ({ books }: Asked, sent: SentPayment, methods: readonly Method[], charge: Partial<BookedPayment>) => {
  const createdAt = readNow(books)
  const payment: BookedPayment = {
    id: newMollieId('tr'),
    amount: parseAmount(sent.amount) ?? 0,
    currency: sent.amount.currency,
    description: sent.description.slice(0, 255),
    sequenceType: sent.sequenceType ?? 'oneoff',
    redirectUrl: sent.redirectUrl ?? null,
    cancelUrl: sent.cancelUrl ?? null,
    webhookUrl: sent.webhookUrl ?? null,
    locale: sent.locale ?? null,
    metadata: sent.metadata ?? null,
    customerId: sent.customerId ?? null,
    methods,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + OPEN_MS),
    mandateId: null,
    method: null,
    status: 'open',
    at: createdAt,
    isCancelable: books.cancelable,
    times: 0,
    asksPerson: false,
    saves: 'works',
    failure: null,
    refunds: [],
    chargebacks: [],
    ...charge,
  }
  books.payments.set(payment.id, payment)
  books.effects.push(
    `${payment.sequenceType === 'recurring' ? 'charge' : 'page'} ${readOurId(payment.metadata, 'stoa_payment')}`,
  )
  return payment
}

const createPayment = (asked: Asked): Answer => {
  const { books, place } = asked
  const checked = checkPayment(asked)
  if ('refusal' in checked) return refuse(checked.refusal, checked.field)
  const { sent, methods } = checked
  if (sent.sequenceType !== 'recurring')
    return { status: 201, body: buildPayment(place, book(asked, sent, methods, {})) }
  const mandate = books.mandates.get(sent.mandateId ?? '')
  if (mandate === undefined || mandate.customerId !== sent.customerId || !books.customers.has(mandate.customerId))
    return refuse('The customer has no suitable mandate.', 'mandateId')
  return { status: 201, body: buildPayment(place, book(asked, sent, [], chargeOf(mandate))) }
}

const MOST_LISTED = 250

const listPayments = ({ books, place, query }: Asked): Answer => {
  const limit = Number(query.get('limit') ?? 50)
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST_LISTED)
    return refuse('The limit is from 1 to 250.', 'limit')
  // Of equal times the one that was made last comes first.
  const newest = [...books.payments.values()]
    .reverse()
    .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
  const from = query.get('from')
  const at = from === null ? 0 : newest.findIndex(({ id }) => id === from)
  if (at < 0) return refuse('There is no such payment to begin with.', 'from')
  return { status: 200, body: buildList(place, newest.slice(at, at + limit), limit, newest[at + limit]?.id) }
}

const readPayment = ({ books, place, ids: [id = ''], query }: Asked): Answer => {
  const payment = books.payments.get(id)
  if (payment === undefined) return notFound('payment')
  return { status: 200, body: buildPayment(place, payment, query.get('embed')?.split(',') ?? []) }
}

const cancelPayment = ({ books, place, ids: [id = ''] }: Asked): Answer => {
  const payment = books.payments.get(id)
  if (payment === undefined) return notFound('payment')
  if (payment.status !== 'open' || !payment.isCancelable) return refuse('The payment cannot be canceled.')
  Object.assign(payment, { status: 'canceled', at: readNow(books) })
  return { status: 200, body: buildPayment(place, payment) }
}

const stateOfRefund = { succeed: 'refunded', take_long: 'pending', fail: 'failed' } as const

const createRefund = (asked: Asked): Answer => {
  const {
    books,
    place,
    ids: [id = ''],
  } = asked
  const payment = books.payments.get(id)
  if (payment === undefined) return notFound('payment')
  const checked = checkRefund(asked.sent, payment.currency)
  if ('refusal' in checked) return refuse(checked.refusal, checked.field)
  const { amount } = checked
  if (payment.status !== 'paid') return refuse('The payment is not paid.')
  if (amount > sumRefundable(payment)) return refuse('The amount is higher than what is left.', 'amount')
  const refund = {
    id: newMollieId('re'),
    amount,
    description: checked.description,
    metadata: checked.metadata,
    createdAt: readNow(books),
    status: stateOfRefund[books.refunds],
  }
  payment.refunds.push(refund)
  books.effects.push(`refund ${readOurId(refund.metadata, 'stoa_refund')}`)
  return { status: 201, body: buildRefund(place, payment, refund) }
}

const createCustomer = ({ books, place, sent }: Asked): Answer => {
  const refusal = checkCustomer(sent)
  if (refusal !== undefined) return refuse(refusal)
  const customer = {
    id: newMollieId('cst'),
    metadata: sent.metadata ?? null,
    name: typeof sent.name === 'string' ? sent.name : null,
  }
  books.customers.set(customer.id, customer)
  return { status: 201, body: buildCustomer(place, customer, readNow(books)) }
}

const deleteCustomer = ({ books, ids: [id = ''] }: Asked): Answer => {
  if (!books.customers.delete(id)) return buildError(410, 'Gone', 'The customer is no longer available.')
  for (const [key, { customerId }] of books.mandates) if (customerId === id) books.mandates.delete(key)
  return { status: 204, body: undefined }
}

const saving: readonly Method[] = ['creditcard', 'paypal', 'ideal', 'bancontact']

const listMethods = ({ books, place, query }: Asked): Answer => {
  const isFirst = query.get('sequenceType') === 'first'
  const currency = query.get('amount[currency]')
  const fitting = books.methods
    .filter(one => !isFirst || saving.includes(one))
    .filter(one => currency === null || currency === 'EUR' || one === 'creditcard' || one === 'paypal')
  return { status: 200, body: buildMethods(place, fitting) }
}

const nameOfPayment = (text: string): Call =>
  (JSON.parse(text) as Asked['sent']).sequenceType === 'recurring' ? 'charge' : 'begin'

const all: readonly MollieCall[] = [
  { method: 'POST', path: /^\/v2\/payments$/, name: nameOfPayment, answer: createPayment },
  { method: 'GET', path: /^\/v2\/payments$/, name: 'find', answer: listPayments },
  { method: 'GET', path: /^\/v2\/payments\/([^/]+)$/, name: 'find', answer: readPayment },
  { method: 'DELETE', path: /^\/v2\/payments\/([^/]+)$/, name: 'end', answer: cancelPayment },
  { method: 'POST', path: /^\/v2\/payments\/([^/]+)\/refunds$/, name: 'refund', answer: createRefund },
  { method: 'POST', path: /^\/v2\/customers$/, name: undefined, answer: createCustomer },
  { method: 'DELETE', path: /^\/v2\/customers\/([^/]+)$/, name: 'forget', answer: deleteCustomer },
  { method: 'GET', path: /^\/v2\/methods$/, name: undefined, answer: listMethods },
  {
    method: 'GET',
    path: /^\/v2\/profiles\/me$/,
    name: undefined,
    answer: ({ books, place }) => ({ status: 200, body: buildProfile(place, books) }),
  },
]

/** The call of a request, with the ids in its path; undefined for one that the adapter has no use for. */
export const findCall = (
  method: string,
  path: string,
): { readonly call: MollieCall; readonly ids: string[] } | undefined => {
  for (const call of all) {
    const matched = call.method === method ? call.path.exec(path) : null
    if (matched !== null) return { call, ids: matched.slice(1) }
  }
  return undefined
}
