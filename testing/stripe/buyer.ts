// One thing: what buyers do on the pages of Stripe, with the events that Stripe sends of each.
import type { Action, SavedBehaviour } from '../payment-suite/provider.ts'
import {
  bounce,
  chargeBack,
  closeDispute,
  createMethod,
  decline,
  failRefunds,
  getCharge,
  type Place,
  payBack,
  process,
  refuse,
  settle,
  succeed,
  tell,
} from './bank.ts'
import { type Intent, type Method, put, type Session, type Setup, startEntry } from './books.ts'

// As Checkout does since 2022: there is no intent before the buyer tries to pay.
const startIntent = ({ store }: Place, session: Session): Intent => {
  const known = store.intents.get(session.payment_intent ?? '')
  if (known !== undefined) return known
  const { metadata, description, saves } = session.intent
  const intent = put<Intent>(store.intents, {
    ...startEntry(store, 'pi', 'payment_intent', metadata),
    amount: session.amount_total ?? 0,
    amount_received: 0,
    currency: session.currency,
    customer: session.customer,
    description,
    status: 'requires_payment_method',
    last_payment_error: null,
    latest_charge: null,
    payment_method: null,
    setup_future_usage: saves ? 'off_session' : null,
  })
  session.payment_intent = intent.id
  return intent
}

// The customer is made when the page is completed, and keeps the method if it is saved.
const keep = ({ store }: Place, session: Session, of: Intent | Setup, method: Method, saves: boolean): void => {
  if (session.createsCustomer && session.customer === null)
    session.customer = put(store.customers, {
      ...startEntry(store, 'cus', 'customer'),
      email: session.customer_email,
    }).id
  of.customer = session.customer
  if (saves) method.customer = session.customer
}

const complete = (place: Place, session: Session, isPaid: boolean): void => {
  if (session.status === 'open') session.status = 'complete'
  session.payment_status = isPaid ? 'paid' : 'unpaid'
  tell(place, 'checkout.session.completed', session)
}

const pay = (place: Place, session: Session, later?: SavedBehaviour): void => {
  const method = createMethod(place, 'card', later)
  if (session.mode === 'setup') {
    setUp(place, session, method)
    return
  }
  const intent = startIntent(place, session)
  keep(place, session, intent, method, session.intent.saves)
  succeed(place, intent, method)
  complete(place, session, true)
}

const setUp = (place: Place, session: Session, method: Method): void => {
  const setup = place.store.setups.get(session.setup_intent ?? '')
  if (setup === undefined) throw new Error('a page that saves a method has a setup')
  keep(place, session, setup, method, true)
  setup.status = 'succeeded'
  setup.payment_method = method.id
  tell(place, 'setup_intent.succeeded', setup)
  if (session.status === 'open') session.status = 'complete'
  session.payment_status = 'no_payment_required'
  tell(place, 'checkout.session.completed', session)
}

const declineOnPage = (place: Place, session: Session, code: string): void => {
  if (session.mode === 'payment') {
    refuse(place, startIntent(place, session), decline(code))
    return
  }
  const setup = place.store.setups.get(session.setup_intent ?? '')
  if (setup !== undefined) setup.last_setup_error = decline(code)
}

const askPerson = (place: Place, session: Session): void => {
  const of =
    session.mode === 'payment' ? startIntent(place, session) : place.store.setups.get(session.setup_intent ?? '')
  if (of === undefined) return
  of.status = 'requires_action'
  tell(place, `${of.object}.requires_action`, of)
}

const takeLong = (place: Place, session: Session, later?: SavedBehaviour): void => {
  if (session.excluded_payment_method_types.includes('sepa_debit')) throw new Error('the page offers no slow method')
  const intent = startIntent(place, session)
  const method = createMethod(place, 'sepa_debit', later)
  keep(place, session, intent, method, session.intent.saves)
  process(place, intent, method)
  complete(place, session, false)
}

/** A page that nobody paid ends, by the clock or because it was asked to. */
export const expire = (place: Place, session: Session): void => {
  session.status = 'expired'
  const intent = place.store.intents.get(session.payment_intent ?? '')
  if (intent !== undefined && intent.status !== 'succeeded' && intent.status !== 'processing')
    intent.status = 'canceled'
  tell(place, 'checkout.session.expired', session)
}

// Nobody is charged twice by one intent in earnest; what arrived is more than was asked for all the same.
const payTwice = (place: Place, session: Session | undefined, intent: Intent | undefined): void => {
  if (session !== undefined && session.status === 'open') pay(place, session)
  const paid = intent ?? place.store.intents.get(session?.payment_intent ?? '')
  if (paid === undefined) throw new Error('there is nothing to pay')
  paid.amount_received += paid.amount
  getCharge(place, paid).amount += paid.amount
  tell(place, 'payment_intent.succeeded', paid)
}

const onPage = (place: Place, session: Session, action: Action): boolean => {
  switch (action.does) {
    case 'pay':
    case 'authenticate':
      pay(place, session, action.does === 'pay' ? action.saves : undefined)
      return true
    case 'decline':
      declineOnPage(place, session, 'generic_decline')
      return true
    case 'decline_finally':
      declineOnPage(place, session, 'lost_card')
      return true
    case 'ask_person':
      askPerson(place, session)
      return true
    case 'take_long':
      takeLong(place, session, action.saves)
      return true
    case 'expire':
      expire(place, session)
      return true
    default:
      return action.does === 'leave'
  }
}

const onPayment = (place: Place, intent: Intent, session: Session | undefined, action: Action): void => {
  if (action.does === 'settle') settle(place, intent, session)
  else if (action.does === 'bounce') bounce(place, intent, session)
  else if (action.does === 'charge_back') chargeBack(place, intent, action.amount)
  else if (action.does === 'win' || action.does === 'lose')
    closeDispute(place, intent, action.does === 'win' ? 'won' : 'lost')
  else if (action.does === 'refund') payBack(place, intent, { amount: action.amount, metadata: {} })
  else if (action.does === 'fail_refunds') failRefunds(place, intent)
  else throw new Error(`${action.does} is not possible now`)
}

/** Does something to a payment, by the id that we gave it; throws what is impossible now. */
export const act = (place: Place, paymentId: string, action: Action): void => {
  const { sessions, intents } = place.store
  const session = [...sessions.values()].find(one => one.metadata.stoa_payment === paymentId)
  const intent =
    intents.get(session?.payment_intent ?? '') ??
    [...intents.values()].find(one => one.metadata.stoa_payment === paymentId)
  if (session === undefined && intent === undefined) throw new Error(`Stripe has never heard of ${paymentId}`)
  if (action.does === 'pay_twice') payTwice(place, session, intent)
  // A buyer who pays while the page ends is charged all the same.
  else if (action.does === 'pay_late' && session !== undefined) pay(place, session)
  else if (session?.status !== 'open' || !onPage(place, session, action)) {
    if (intent === undefined) throw new Error(`${action.does} is not possible now`)
    onPayment(place, intent, session, action)
  }
}
