// One thing: the calls that the server speaks, each as https://docs.stripe.com/api describes it. There are no others.
import { decline, type Place, payBack, process, refuse, succeed, tell } from './bank.ts'
import { type Entry, findEntry, type Intent, put, render, type Session, type Setup, startEntry } from './books.ts'
import { expire } from './buyer.ts'
import { listOf, ofIntent } from './lists.ts'
import { findAmountError } from './money.ts'
import { type Asked, invalid, type Nested, need, pick, pickAll, Refused } from './request.ts'

/** A call: its route, the parameters that it has, and what it does. `origin` is that of the server. */
export type StripeCall = {
  readonly route: `${'GET' | 'POST' | 'DELETE'} ${string}`
  readonly names: readonly string[]
  handle(place: Place & { readonly origin: string }, asked: Asked, id: string): Readonly<Record<string, unknown>>
}

const needEntry = <T extends Entry>(kind: ReadonlyMap<string, T>, id: string, param: string): T => {
  const found = kind.get(id)
  if (found === undefined) throw invalid('resource_missing', `No such object: '${id}'`, param)
  return found
}

const checkAmount = (amount: number, currency: string): void => {
  const error = findAmountError(amount, currency)
  if (error !== undefined) throw invalid(error.code, error.message, 'amount')
}

const note = ({ store }: Place, kind: string, id: string | undefined): void => {
  if (id !== undefined) store.effects.push(`${kind} ${id}`)
}

const HALF_HOUR = 30 * 60
const DAY = 24 * 3600

const readExpiry = ({ store }: Place, fields: Nested): number => {
  const at = Number(pick(fields, 'expires_at') ?? store.now() + DAY)
  if (at < store.now() + HALF_HOUR || at > store.now() + DAY)
    throw invalid('invalid_expires_at', 'expires_at must be between 30 minutes and 24 hours from now.', 'expires_at')
  return at
}

const checkBuyer = ({ store }: Place, fields: Nested): void => {
  const customer = pick(fields, 'customer')
  const email = pick(fields, 'customer_email')
  if (customer !== undefined && email !== undefined)
    throw invalid('parameter_invalid', 'You may only specify one of customer and customer_email.', 'customer')
  if (customer !== undefined) needEntry(store.customers, customer, 'customer')
  if (email !== undefined && !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(email))
    throw invalid('email_invalid', `Invalid email address: ${email}`, 'customer_email')
}

const readPrice = (fields: Nested): { readonly amount: number | null; readonly currency: string } => {
  if (pick(fields, 'mode') === 'setup') return { amount: null, currency: need(fields, 'currency') }
  const price = 'line_items.0.price_data'
  need(fields, `${price}.product_data.name`)
  const amount = Number(need(fields, `${price}.unit_amount`))
  const currency = need(fields, `${price}.currency`)
  checkAmount(amount, currency)
  return { amount, currency }
}

const createSession: StripeCall['handle'] = (place, { fields, expand }) => {
  const { store, origin } = place
  const mode = need(fields, 'mode')
  if (mode !== 'payment' && mode !== 'setup') throw invalid('parameter_invalid', 'Invalid mode.', 'mode')
  const { amount, currency } = readPrice(fields)
  checkBuyer(place, fields)
  const expires_at = readExpiry(place, fields)
  const start = startEntry(store, 'cs_test', 'checkout.session', pickAll(fields, 'metadata'))
  const inner = mode === 'payment' ? 'payment_intent_data' : 'setup_intent_data'
  const session = put<Session>(store.sessions, {
    ...start,
    mode,
    status: 'open',
    payment_status: 'unpaid',
    amount_total: amount,
    currency,
    expires_at,
    success_url: need(fields, 'success_url'),
    cancel_url: pick(fields, 'cancel_url') ?? null,
    customer: pick(fields, 'customer') ?? null,
    customer_email: pick(fields, 'customer_email') ?? null,
    excluded_payment_method_types: Object.values(pickAll(fields, 'excluded_payment_method_types')),
    payment_intent: null,
    setup_intent: null,
    url: `${origin}/c/pay/${start.id}`,
    intent: {
      metadata: pickAll(fields, `${inner}.metadata`),
      description: pick(fields, `${inner}.description`) ?? null,
      saves: pick(fields, `${inner}.setup_future_usage`) === 'off_session',
    },
    createsCustomer: pick(fields, 'customer_creation') === 'always',
  })
  if (mode === 'setup') session.setup_intent = createSetup(place, session).id
  note(place, 'page', session.metadata.stoa_payment)
  return render(store, session, expand)
}

const createSetup = ({ store }: Place, { intent, customer }: Session): Setup =>
  put<Setup>(store.setups, {
    ...startEntry(store, 'seti', 'setup_intent', intent.metadata),
    customer,
    status: 'requires_payment_method',
    last_setup_error: null,
    payment_method: null,
  })

const expireSession: StripeCall['handle'] = (place, { expand }, id) => {
  const session = needEntry(place.store.sessions, id, 'session')
  if (session.status !== 'open')
    throw invalid('resource_state_invalid', `Only Checkout Sessions with a status of open can be expired.`)
  expire(place, session)
  return render(place.store, session, expand)
}

const cardError = (place: Place, intent: Intent, code: string): Refused => {
  const error = decline(code)
  refuse(place, intent, error)
  return new Refused(402, { ...error, payment_intent: render(place.store, intent, []) })
}

const createIntent: StripeCall['handle'] = (place, { fields, expand }) => {
  const { store } = place
  const amount = Number(need(fields, 'amount'))
  const currency = need(fields, 'currency')
  checkAmount(amount, currency)
  const customer = needEntry(store.customers, need(fields, 'customer'), 'customer')
  const method = needEntry(store.methods, need(fields, 'payment_method'), 'payment_method')
  if (method.customer !== customer.id)
    throw invalid(
      'payment_method_unexpected_state',
      'The PaymentMethod does not belong to the Customer.',
      'payment_method',
    )
  const intent = put<Intent>(store.intents, {
    ...startEntry(store, 'pi', 'payment_intent', pickAll(fields, 'metadata')),
    amount,
    amount_received: 0,
    currency,
    customer: customer.id,
    description: pick(fields, 'description') ?? null,
    status: 'requires_payment_method',
    last_payment_error: null,
    latest_charge: null,
    payment_method: method.id,
    setup_future_usage: null,
  })
  note(place, 'charge', intent.metadata.stoa_payment)
  if (method.later === 'declines') throw cardError(place, intent, 'generic_decline')
  if (method.later === 'declines_finally') throw cardError(place, intent, 'lost_card')
  if (method.later === 'asks_person') throw cardError(place, intent, 'authentication_required')
  if (method.later === 'takes_long') process(place, intent, method)
  else succeed(place, intent, method)
  return render(store, intent, expand)
}

// What a dispute that was won gave back can be refunded again.
const isTakenBack = ({ store }: Place, { id }: Intent): boolean =>
  [...store.disputes.values()].some(one => one.payment_intent === id && one.status !== 'won')

const createRefund: StripeCall['handle'] = (place, { fields, expand }) => {
  const { store } = place
  const intent = needEntry(store.intents, need(fields, 'payment_intent'), 'payment_intent')
  const charge = store.charges.get(intent.latest_charge ?? '')
  const left = intent.amount_received - (charge?.amount_refunded ?? 0)
  const amount = Number(pick(fields, 'amount') ?? left)
  if (charge === undefined) throw invalid('payment_intent_unexpected_state', 'This PaymentIntent has no charge.')
  if (isTakenBack(place, intent)) throw invalid('charge_disputed', 'The charge has been charged back.')
  if (left === 0) throw invalid('charge_already_refunded', 'The charge has already been refunded.')
  if (amount > left) throw invalid('amount_too_large', 'Refund amount is greater than unrefunded amount.', 'amount')
  const refund = payBack(place, intent, { amount, metadata: pickAll(fields, 'metadata') })
  note(place, 'refund', refund.metadata.stoa_refund)
  return render(store, refund, expand)
}

const deleteCustomer: StripeCall['handle'] = (place, _, id) => {
  const { customers, methods } = place.store
  const customer = needEntry(customers, id, 'id')
  customers.delete(id)
  for (const method of methods.values()) if (method.customer === id) method.customer = null
  tell(place, 'customer.deleted', customer)
  return { id, object: 'customer', deleted: true }
}

const listIntents: StripeCall['handle'] = (place, asked) => {
  const customer = pick(asked.fields, 'customer')
  if (customer !== undefined) needEntry(place.store.customers, customer, 'customer')
  const all = [...place.store.intents.values()]
  return listOf(
    place,
    asked,
    all.filter(one => customer === undefined || one.customer === customer),
  )
}

const retrieve: StripeCall['handle'] = ({ store }, { expand, path }, id) => {
  const found = findEntry(store, id)
  // Each kind has a path of its own, at which an object of another is unknown.
  const kind = path.split('/').slice(2, -1).join('.').replace(/s$/, '')
  if (found === undefined || found.object !== kind) throw invalid('resource_missing', `No such ${kind}: '${id}'`, 'id')
  return render(store, found, expand)
}

const pages = ['limit', 'starting_after']

/** All calls that the server speaks. */
export const stripeCalls: readonly StripeCall[] = [
  {
    route: 'POST /v1/checkout/sessions',
    names: [
      ...[
        'mode',
        'currency',
        'success_url',
        'cancel_url',
        'expires_at',
        'locale',
        'client_reference_id',
        'submit_type',
      ],
      ...['customer', 'customer_creation', 'customer_email', 'metadata.*', 'adaptive_pricing.enabled'],
      ...['line_items.*.quantity', 'line_items.*.price_data.currency', 'line_items.*.price_data.unit_amount'],
      ...['line_items.*.price_data.product_data.name', 'excluded_payment_method_types.*'],
      ...['payment_intent_data.description', 'payment_intent_data.metadata.*'],
      ...['payment_intent_data.setup_future_usage', 'setup_intent_data.description', 'setup_intent_data.metadata.*'],
    ],
    handle: createSession,
  },
  { route: 'POST /v1/checkout/sessions/:id/expire', names: [], handle: expireSession },
  { route: 'GET /v1/checkout/sessions/:id', names: [], handle: retrieve },
  {
    route: 'GET /v1/checkout/sessions',
    names: [...pages, 'payment_intent'],
    handle: (place, asked) => listOf(place, asked, ofIntent(place.store.sessions, asked.fields)),
  },
  {
    route: 'POST /v1/payment_intents',
    names: [
      ...['amount', 'currency', 'customer', 'payment_method', 'off_session', 'confirm', 'description', 'return_url'],
      'error_on_requires_action',
      'metadata.*',
    ],
    handle: createIntent,
  },
  { route: 'GET /v1/payment_intents/:id', names: [], handle: retrieve },
  {
    route: 'GET /v1/payment_intents',
    names: [...pages, 'customer', 'created.gte', 'created.lte'],
    handle: listIntents,
  },
  { route: 'GET /v1/setup_intents/:id', names: [], handle: retrieve },
  { route: 'POST /v1/refunds', names: ['payment_intent', 'amount', 'metadata.*'], handle: createRefund },
  {
    route: 'GET /v1/refunds',
    names: [...pages, 'payment_intent'],
    handle: (place, asked) => listOf(place, asked, ofIntent(place.store.refunds, asked.fields)),
  },
  { route: 'GET /v1/refunds/:id', names: [], handle: retrieve },
  {
    route: 'GET /v1/disputes',
    names: [...pages, 'payment_intent'],
    handle: (place, asked) => listOf(place, asked, ofIntent(place.store.disputes, asked.fields)),
  },
  { route: 'GET /v1/disputes/:id', names: [], handle: retrieve },
  { route: 'DELETE /v1/customers/:id', names: [], handle: deleteCustomer },
]
