import type { Action, SavedBehaviour } from '../payment-suite/provider.ts'
import { type BookedPayment, type Books, type Method, newMollieId, readNow, sumRefundable } from './books.ts'

type Does = Action['does']

/** What an action is done to. */
type Acting = { readonly books: Books; readonly payment: BookedPayment; readonly now: Date }

const refuse = (payment: BookedPayment, does: Does): never => {
  throw new Error(`the payment ${payment.id} is ${payment.status}, so nobody can ${does} it`)
}

// Buyers choose a method that the page offers: one that can be charged later like a card, or like an account.
const methodFor = ({ methods }: BookedPayment, saves: SavedBehaviour): Method => {
  const wanted: Method = saves === 'takes_long' ? 'ideal' : 'creditcard'
  return methods.includes(wanted) ? wanted : (methods[0] ?? 'creditcard')
}

// A mandate of an account is one to debit it, whatever the first payment was made with.
const saveMethod = ({ books, payment }: Acting): void => {
  if (payment.sequenceType !== 'first' || payment.customerId === null || payment.mandateId !== null) return
  const id = newMollieId('mdt')
  const method = payment.method === 'creditcard' || payment.method === 'paypal' ? payment.method : 'directdebit'
  books.mandates.set(id, { id, customerId: payment.customerId, method, behaviour: payment.saves })
  payment.mandateId = id
}

const pay = (acting: Acting): boolean => {
  Object.assign(acting.payment, { status: 'paid', at: acting.now, times: 1, asksPerson: false, failure: null })
  saveMethod(acting)
  return true
}

// Mollie ends a payment that was declined where the buyer does not choose another method at once.
const fail = ({ payment, now }: Acting, failure: string): boolean => {
  Object.assign(payment, { status: 'failed', at: now, failure })
  return true
}

const payBy = (acting: Acting, saves: SavedBehaviour): boolean => {
  Object.assign(acting.payment, { method: methodFor(acting.payment, saves), saves })
  return pay(acting)
}

// Mollie does not call the webhook when a payment begins to be on its way.
const takeLong = ({ payment, now }: Acting, saves: SavedBehaviour): boolean => {
  const method = payment.sequenceType === 'first' ? 'directdebit' : 'multibanco'
  Object.assign(payment, { status: 'pending', at: now, method, saves })
  return false
}

const chargeBack = ({ payment, now }: Acting, amount: number): boolean => {
  payment.chargebacks.push({ id: newMollieId('chb'), amount, createdAt: now, reversedAt: null })
  return true
}

const DISPUTED_DAYS = 90

const openChargebacks = ({ payment }: Acting) => {
  const open = payment.chargebacks.filter(({ reversedAt }) => reversedAt === null)
  return open.length > 0 ? open : refuse(payment, 'win')
}

const win = (acting: Acting): boolean => {
  for (const one of openChargebacks(acting)) one.reversedAt = acting.now
  return true
}

// Mollie says nothing when a chargeback is not reversed in time: the days in which it could be have passed.
const lose = (acting: Acting): boolean => {
  for (const one of openChargebacks(acting))
    one.createdAt = new Date(acting.now.getTime() - (DISPUTED_DAYS * 24 + 1) * 3_600_000)
  return true
}

const refund = ({ payment, now }: Acting, amount: number): boolean => {
  if (amount > sumRefundable(payment)) refuse(payment, 'refund')
  payment.refunds.push({
    id: newMollieId('re'),
    amount,
    description: '',
    metadata: null,
    createdAt: now,
    status: 'refunded',
  })
  return true
}

const failRefunds = ({ payment }: Acting): boolean => {
  for (const one of payment.refunds) if (one.status === 'refunded') one.status = 'failed'
  return true
}

const askPerson = ({ payment }: Acting): boolean => {
  payment.asksPerson = true
  return false
}

const payTwice = (acting: Acting): boolean => {
  pay(acting)
  acting.payment.times = 2
  return true
}

const end = ({ payment, now }: Acting, status: 'canceled' | 'expired'): boolean => {
  Object.assign(payment, { status, at: now })
  return true
}

/** Whether an action is possible for a payment as it is. */
export const isPossible = ({ status, asksPerson, chargebacks, times }: BookedPayment, does: Does): boolean => {
  if (does === 'authenticate') return status === 'open' && asksPerson
  if (does === 'settle' || does === 'bounce') return status === 'pending'
  if (does === 'pay_late') return ['open', 'expired', 'canceled'].includes(status)
  if (does === 'pay_twice') return status === 'open' || (status === 'paid' && times === 1)
  if (does === 'win' || does === 'lose') return chargebacks.length > 0
  if (does === 'charge_back' || does === 'refund' || does === 'fail_refunds') return status === 'paid'
  return status === 'open'
}

/** Does what a buyer or a bank does to a payment; returns whether Mollie tells the school. Throws when it is impossible. */
export const actOn = (books: Books, payment: BookedPayment, action: Action): boolean => {
  if (!isPossible(payment, action.does)) refuse(payment, action.does)
  const acting: Acting = { books, payment, now: readNow(books) }
  switch (action.does) {
    case 'pay':
      return payBy(acting, action.saves ?? 'works')
    case 'pay_late':
    case 'authenticate':
      return payBy(acting, payment.saves)
    case 'settle':
      return pay(acting)
    case 'take_long':
      return takeLong(acting, action.saves ?? 'takes_long')
    case 'decline':
      payment.method = 'creditcard'
      return fail(acting, 'insufficient_funds')
    case 'decline_finally':
      payment.method = 'creditcard'
      return fail(acting, 'card_expired')
    case 'bounce':
      return fail(acting, 'AM04')
    case 'ask_person':
      return askPerson(acting)
    case 'leave':
      return end(acting, 'canceled')
    case 'expire':
      return end(acting, 'expired')
    case 'pay_twice':
      return payTwice(acting)
    case 'charge_back':
      return chargeBack(acting, action.amount ?? sumRefundable(payment))
    case 'win':
      return win(acting)
    case 'lose':
      return lose(acting)
    case 'refund':
      return refund(acting, action.amount)
    case 'fail_refunds':
      return failRefunds(acting)
  }
}
