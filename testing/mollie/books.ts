import { randomBytes } from 'node:crypto'
import type { SavedBehaviour } from '../payment-suite/provider.ts'

/** A method of payment, as Mollie names it. */
export type Method = 'creditcard' | 'paypal' | 'ideal' | 'bancontact' | 'multibanco' | 'banktransfer' | 'directdebit'

/** An amount as Mollie writes it, such as `{currency: 'EUR', value: '10.00'}`. */
export type MollieAmount = { readonly currency: string; readonly value: string }

/** A refund in the books; amounts are in minor units everywhere. */
export type BookedRefund = {
  readonly id: string
  readonly amount: number
  readonly description: string
  readonly metadata: unknown
  readonly createdAt: Date
  status: 'queued' | 'pending' | 'processing' | 'refunded' | 'failed' | 'canceled'
}

/** A chargeback in the books. */
export type BookedChargeback = {
  readonly id: string
  readonly amount: number
  createdAt: Date
  reversedAt: Date | null
}

/** A payment in the books. */
export type BookedPayment = {
  readonly id: string
  readonly amount: number
  readonly currency: string
  readonly description: string
  readonly sequenceType: 'oneoff' | 'first' | 'recurring'
  readonly redirectUrl: string | null
  readonly cancelUrl: string | null
  readonly webhookUrl: string | null
  readonly locale: string | null
  readonly metadata: unknown
  readonly customerId: string | null
  /** The methods that its page offers. */
  readonly methods: readonly Method[]
  readonly createdAt: Date
  readonly expiresAt: Date
  mandateId: string | null
  method: Method | null
  status: 'open' | 'pending' | 'paid' | 'failed' | 'canceled' | 'expired'
  /** When it reached its status. */
  at: Date
  /** Whether it can be canceled while nobody has paid it. */
  isCancelable: boolean
  /** How often its amount was collected. */
  times: number
  /** The bank asks the buyer to authenticate. */
  asksPerson: boolean
  /** How a method behaves that is saved with it. */
  saves: SavedBehaviour
  failure: string | null
  readonly refunds: BookedRefund[]
  readonly chargebacks: BookedChargeback[]
}

/** What a customer allowed, and how the method behind it behaves. */
export type Mandate = {
  readonly id: string
  readonly customerId: string
  readonly method: Method
  readonly behaviour: SavedBehaviour
}

/** A customer. */
export type Customer = { readonly id: string; readonly metadata: unknown; readonly name: string | null }

/** An answer that is kept under its idempotency key. */
type Kept = {
  readonly fingerprint: string
  readonly at: number
  readonly answer: { readonly status: number; readonly body: unknown }
}

/** Everything that the server knows. */
export type Books = {
  readonly payments: Map<string, BookedPayment>
  readonly customers: Map<string, Customer>
  readonly mandates: Map<string, Mandate>
  readonly kept: Map<string, Kept>
  /** Every effect of a request, such as `charge pay_…`. */
  readonly effects: string[]
  /** The methods that the owner has enabled. */
  methods: Method[]
  profileStatus: 'unverified' | 'verified' | 'blocked'
  /** Whether an open payment can be canceled, which depends on the method and is up to Mollie. */
  cancelable: boolean
  refunds: 'succeed' | 'take_long' | 'fail'
  /** By how much the server's own clock is ahead, in milliseconds. */
  ahead: number
}

/** Empty books of an owner who has enabled every method. */
export const createBooks = (): Books => ({
  payments: new Map(),
  customers: new Map(),
  mandates: new Map(),
  kept: new Map(),
  effects: [],
  methods: ['creditcard', 'paypal', 'ideal', 'bancontact', 'multibanco', 'banktransfer'],
  profileStatus: 'verified',
  cancelable: true,
  refunds: 'succeed',
  ahead: 0,
})

/** The time by the server's own clock. */
export const readNow = ({ ahead }: Books): Date => new Date(Date.now() + ahead)

/** A new id with the prefix of its kind, such as `tr`. */
export const newMollieId = (prefix: string): string => `${prefix}_${randomBytes(8).toString('hex')}`

/** What was collected of a payment, in minor units. */
export const sumCollected = ({ amount, times }: BookedPayment): number => amount * times

const sum = (all: readonly { readonly amount: number }[]): number =>
  all.reduce((total, { amount }) => total + amount, 0)

/** What was refunded of a payment, or is being refunded, in minor units. */
export const sumRefunded = ({ refunds }: BookedPayment): number =>
  sum(refunds.filter(({ status }) => status !== 'failed' && status !== 'canceled'))

/** What the buyer's bank has taken back of a payment, in minor units. */
export const sumChargedBack = ({ chargebacks }: BookedPayment): number =>
  sum(chargebacks.filter(({ reversedAt }) => reversedAt === null))

/** What of a payment could be refunded, in minor units. */
export const sumRefundable = (payment: BookedPayment): number =>
  sumCollected(payment) - sumRefunded(payment) - sumChargedBack(payment)

/** Our id, `pay_…` or `rfd_…`, in the metadata of a resource; an empty text where there is none. */
export const readOurId = (metadata: unknown, name: 'stoa_payment' | 'stoa_refund'): string => {
  const value = typeof metadata === 'object' && metadata !== null ? Reflect.get(metadata, name) : undefined
  return typeof value === 'string' ? value : ''
}

/** Ends by the clock what nobody has paid in time. */
export const expirePages = (books: Books): BookedPayment[] => {
  const now = readNow(books)
  const over = [...books.payments.values()].filter(({ status, expiresAt }) => status === 'open' && expiresAt <= now)
  for (const one of over) Object.assign(one, { status: 'expired', at: one.expiresAt })
  return over
}
