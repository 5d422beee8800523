import type { Booked, Controls } from '../payment-suite/provider.ts'
import { actOn } from './actions.ts'
import { type BookedPayment, type BookedRefund, type Books, readNow, readOurId, sumCollected } from './books.ts'
import type { Sender } from './notices.ts'

/** What the server itself does with requests. */
type OfServer = Pick<Controls, 'fail' | 'release' | 'countRequests'>

const states: Record<BookedPayment['status'], Booked['state']> = {
  open: 'open',
  pending: 'processing',
  paid: 'succeeded',
  failed: 'failed',
  canceled: 'ended',
  expired: 'ended',
}

const stateOfRefund = ({ status }: BookedRefund): 'processing' | 'succeeded' | 'failed' => {
  if (status === 'refunded') return 'succeeded'
  return status === 'failed' || status === 'canceled' ? 'failed' : 'processing'
}

const DISPUTED_MS = 90 * 24 * 3_600_000

const describe = (books: Books, payment: BookedPayment): Booked => ({
  paymentId: readOurId(payment.metadata, 'stoa_payment'),
  refs: [payment.id],
  state: states[payment.status],
  received: sumCollected(payment),
  currency: payment.currency,
  refunds: payment.refunds.map(one => ({
    refundId: readOurId(one.metadata, 'stoa_refund') || undefined,
    amount: one.amount,
    state: stateOfRefund(one),
  })),
  disputes: payment.chargebacks.map(({ amount, createdAt, reversedAt }) => {
    const isOver = payment.method === 'directdebit' || readNow(books).getTime() - createdAt.getTime() >= DISPUTED_MS
    return { amount, state: reversedAt !== null ? 'won' : isOver ? 'lost' : 'open' }
  }),
})

const getPayment = ({ payments }: Books, paymentId: string): BookedPayment => {
  const found = [...payments.values()].findLast(({ metadata }) => readOurId(metadata, 'stoa_payment') === paymentId)
  if (found === undefined) throw new Error(`Mollie has no payment ${paymentId}`)
  return found
}

/** The controls of the server over its books. */
export const createControls = (books: Books, sender: Sender, ofServer: OfServer): Controls => ({
  ...ofServer,
  act: async (paymentId, action) => {
    const payment = getPayment(books, paymentId)
    if (actOn(books, payment, action)) await sender.send(payment)
  },
  setRefunds: how => {
    books.refunds = how
  },
  settleRefunds: async () => {
    for (const payment of books.payments.values()) {
      const pending = payment.refunds.filter(one => stateOfRefund(one) === 'processing')
      for (const one of pending) one.status = 'refunded'
      if (pending.length > 0) await sender.send(payment)
    }
  },
  forgetKeys: () => books.kept.clear(),
  moveClock: seconds => {
    books.ahead += seconds * 1000
  },
  readBooks: async () => {
    await sender.expire()
    return {
      payments: [...books.payments.values()].map(one => describe(books, one)),
      customers: [...books.customers.keys()],
      effects: books.effects,
    }
  },
  notices: sender.notices,
})
