import type { SavedBehaviour } from '../payment-suite/provider.ts'
import {
  type Charge,
  type Dispute,
  type Entry,
  type Intent,
  type Method,
  type PaymentError,
  put,
  render,
  type Session,
  type Store,
  startEntry,
} from './books.ts'
import type { Events } from './events.ts'

/** The objects, and who is told of changes. */
export type Place = { readonly store: Store; readonly events: Events }

const FEE_PER_MILLE = 14

/** Tells what has happened to an object. */
export const tell = ({ store, events }: Place, type: string, entry: Entry): void =>
  events.notify(type, render(store, entry, []))

/** A decline by the bank of the buyer. */
export const decline = (decline_code: string): PaymentError => ({
  type: 'card_error',
  code: decline_code === 'authentication_required' ? decline_code : 'card_declined',
  decline_code,
  message: 'Your card was declined.',
})

/** A card or an account of a buyer, with what it does when it is charged later. */
export const createMethod = ({ store }: Place, type: Method['type'], later: SavedBehaviour = 'works'): Method => {
  const detail =
    type === 'card'
      ? { card: { brand: 'visa', last4: '4242', exp_month: 8, exp_year: 2031, country: 'DE' } }
      : { sepa_debit: { last4: '3000', country: 'AT', bank_code: '19043' } }
  const method = { ...startEntry(store, 'pm', 'payment_method'), type, customer: null, later, ...detail }
  return put<Method>(store.methods, method)
}

/** The fees of charges that are not known yet become known. */
export const settleFees = ({ store }: Place): void => {
  for (const charge of store.charges.values()) charge.balance_transaction ??= createTransaction(store, charge)
}

const createTransaction = (store: Store, { amount, currency }: Charge): string =>
  put(store.transactions, {
    ...startEntry(store, 'txn', 'balance_transaction'),
    amount,
    currency,
    fee: Math.round((amount * FEE_PER_MILLE) / 1000),
  }).id

/** Charges a method for all of an intent, which succeeds. */
export const succeed = (place: Place, intent: Intent, method: Method): void => {
  const { store } = place
  const { type } = method
  const charge = put<Charge>(store.charges, {
    ...startEntry(store, 'ch', 'charge', intent.metadata),
    amount: intent.amount,
    currency: intent.currency,
    amount_refunded: 0,
    disputed: false,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: { type, [type]: { ...(method[type] ?? {}) } },
    balance_transaction: null,
  })
  if (store.tellsFees) charge.balance_transaction = createTransaction(store, charge)
  intent.latest_charge = charge.id
  intent.status = 'succeeded'
  intent.amount_received = intent.amount
  intent.last_payment_error = null
  intent.payment_method = method.id
  tell(place, 'charge.succeeded', charge)
  tell(place, 'payment_intent.succeeded', intent)
}

/** An intent whose last attempt failed. */
export const refuse = (place: Place, intent: Intent, error: PaymentError): void => {
  intent.status = 'requires_payment_method'
  intent.last_payment_error = error
  intent.payment_method = null
  tell(place, 'payment_intent.payment_failed', intent)
}

/** Begins to collect an intent from an account, which takes days. */
export const process = (place: Place, intent: Intent, method: Method): void => {
  intent.status = 'processing'
  intent.payment_method = method.id
  tell(place, 'payment_intent.processing', intent)
}

/** The charge by which an intent was paid; throws when nothing was charged. */
export const getCharge = (place: Place, intent: Intent): Charge => {
  const charge = place.store.charges.get(intent.latest_charge ?? '')
  if (charge === undefined) throw new Error('nothing was charged')
  return charge
}

/** The bank of the buyer takes back all of a payment, or a part of it. */
export const chargeBack = (place: Place, intent: Intent, amount?: number): void => {
  const charge = getCharge(place, intent)
  charge.disputed = true
  const dispute = put<Dispute>(place.store.disputes, {
    ...startEntry(place.store, 'dp', 'dispute'),
    amount: amount ?? intent.amount_received,
    currency: intent.currency,
    charge: charge.id,
    payment_intent: intent.id,
    reason: 'fraudulent',
    status: 'needs_response',
  })
  tell(place, 'charge.dispute.created', dispute)
}

/** An open dispute is decided. */
export const closeDispute = (place: Place, intent: Intent, status: 'won' | 'lost'): void => {
  const open = [...place.store.disputes.values()].find(
    one => one.payment_intent === intent.id && one.status === 'needs_response',
  )
  if (open === undefined) throw new Error('there is no open dispute')
  open.status = status
  tell(place, 'charge.dispute.closed', open)
}

/** Pays back a part of an intent; with metadata by a request of ours, and without at the dashboard. */
export const payBack = (
  place: Place,
  intent: Intent,
  { amount, metadata }: { readonly amount: number; readonly metadata: Readonly<Record<string, string>> },
) => {
  const { store } = place
  const charge = getCharge(place, intent)
  const status = ({ succeed: 'succeeded', take_long: 'pending', fail: 'failed' } as const)[store.refundsEnd]
  const refund = put(store.refunds, {
    ...startEntry(store, 're', 'refund', metadata),
    amount,
    currency: intent.currency,
    charge: charge.id,
    payment_intent: intent.id,
    status,
    ...(status === 'failed' ? { failure_reason: 'lost_or_stolen_card' } : {}),
  })
  if (status !== 'failed') charge.amount_refunded += amount
  tell(place, status === 'failed' ? 'refund.failed' : 'refund.created', refund)
  return refund
}

/** Refunds fail at the bank of the buyer after they succeeded. */
export const failRefunds = (place: Place, intent: Intent): void => {
  const charge = getCharge(place, intent)
  for (const refund of place.store.refunds.values()) {
    if (refund.payment_intent !== intent.id || refund.status === 'failed') continue
    refund.status = 'failed'
    refund.failure_reason = 'expired_or_canceled_card'
    charge.amount_refunded -= refund.amount
    tell(place, 'refund.failed', refund)
  }
}

/** Refunds that are on their way succeed. */
export const settleRefunds = (place: Place): void => {
  for (const refund of place.store.refunds.values()) {
    if (refund.status !== 'pending') continue
    refund.status = 'succeeded'
    tell(place, 'refund.updated', refund)
  }
}

/** What is on its way arrives. */
export const settle = (place: Place, intent: Intent, session: Session | undefined): void => {
  const method = place.store.methods.get(intent.payment_method ?? '')
  if (intent.status !== 'processing' || method === undefined) throw new Error('nothing is on its way')
  succeed(place, intent, method)
  if (session === undefined) return
  session.payment_status = 'paid'
  tell(place, 'checkout.session.async_payment_succeeded', session)
}

/** What is on its way fails. */
export const bounce = (place: Place, intent: Intent, session: Session | undefined): void => {
  if (intent.status !== 'processing') throw new Error('nothing is on its way')
  refuse(place, intent, decline('insufficient_funds'))
  if (session !== undefined) tell(place, 'checkout.session.async_payment_failed', session)
}
