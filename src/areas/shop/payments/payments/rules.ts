import { fillEach, formatMoneyInEach, type Phrase } from '#src/contract/language.ts'
import type { MethodShown, Outcome } from '#src/contract/payments.ts'
import { problem } from '#src/contract/problem.ts'
import { texts } from '#src/texts/index.ts'

/** The states of a payment: requested, with an open page or awaited, on its way, and three ends. */
export type PaymentState = 'asked' | 'open' | 'processing' | 'succeeded' | 'failed' | 'canceled'

/** The provider cannot be used for this. */
export const providerNotUsable = problem(
  409,
  'provider_not_usable',
  'The payment provider cannot be used',
  'The school does not accept payments through this provider, or its settings are incomplete. Choose another provider.',
)

/** The amount cannot be charged. */
export const amountNotChargeable = problem(
  409,
  'amount_not_chargeable',
  'The provider cannot charge this amount',
  'Providers have a smallest amount, and charge some currencies in steps only. `nearest` has the nearest amounts that the provider can charge, in minor units. Choose another provider, or ask the school to change its price.',
)

/** More than is left cannot be refunded. */
export const refundTooLarge = problem(
  409,
  'refund_too_large',
  'More than is left would be refunded',
  'A refund is at most what arrived, without what was refunded before, is being refunded or is disputed. `left` has that amount, in minor units.',
)

type Moves = Readonly<Record<PaymentState, Partial<Record<Outcome['state'], PaymentState>>>>

/**
 * Where the answer of a provider leads. Answers come late and in any order, so no state leads back: an answer that says
 * less than is known changes nothing. A payment that ended unpaid may still be paid.
 */
export const moves: Moves = {
  asked: {
    needs_person: 'open',
    processing: 'processing',
    succeeded: 'succeeded',
    failed: 'failed',
    canceled: 'canceled',
  },
  open: { processing: 'processing', succeeded: 'succeeded', failed: 'failed', canceled: 'canceled' },
  processing: { succeeded: 'succeeded', failed: 'failed', canceled: 'canceled' },
  failed: { processing: 'processing', succeeded: 'succeeded' },
  canceled: { processing: 'processing', succeeded: 'succeeded' },
  succeeded: {},
}

/** What of a payment the provider decides. */
export type SettledValues = {
  readonly state: PaymentState
  readonly amount: number
  readonly currency: string
  readonly paid_amount: number
  readonly paid_currency: string | null
  readonly method_ref: string | null
  readonly method: MethodShown | null
  readonly failure_code: string | null
  readonly may_retry: boolean | null
  readonly difference: 'amount' | 'currency' | 'state' | 'refunds' | null
  /** What the provider keeps of what was paid; null where it says nothing. */
  readonly fee: number | null
}

// With a saved method nobody is there to authenticate, so that attempt is over.
const readable = (row: Pick<SettledValues, 'method_ref'>, outcome: Outcome): Outcome =>
  row.method_ref !== null && outcome.state === 'needs_person'
    ? { ...outcome, state: 'failed', failure: { code: 'needs_person', mayRetry: false } }
    : outcome

const paidBy = (row: SettledValues, outcome: Outcome): Pick<SettledValues, 'paid_amount' | 'paid_currency'> => {
  if (outcome.state !== 'succeeded' || outcome.amount <= row.paid_amount)
    return { paid_amount: row.paid_amount, paid_currency: row.paid_currency }
  return { paid_amount: outcome.amount, paid_currency: outcome.currency }
}

const computeDifference = (row: SettledValues, outcome: Outcome): SettledValues['difference'] => {
  if (outcome.state === 'unknown') return row.difference
  if (outcome.state === 'succeeded') {
    if (outcome.currency !== row.currency) return 'currency'
    return outcome.amount < row.paid_amount ? 'amount' : null
  }
  return row.state === 'succeeded' ? 'state' : null
}

/** A payment after an answer of its provider; what arrived only ever grows. */
export const settledBy = <Row extends SettledValues>(row: Row, answered: Outcome): Row => {
  const outcome = readable(row, answered)
  const state = moves[row.state][outcome.state] ?? row.state
  const { failure } = outcome
  const fails = state === 'failed' || state === 'open'
  return {
    ...row,
    state,
    ...paidBy(row, outcome),
    method: outcome.method ?? row.method,
    failure_code: fails ? (failure?.code ?? row.failure_code) : null,
    may_retry: fails ? (failure?.mayRetry ?? row.may_retry) : null,
    difference: computeDifference(row, outcome),
    fee: outcome.state === 'succeeded' ? (outcome.fee ?? row.fee) : row.fee,
  }
}

/** Whether a payment has ended, paid or not. */
export const hasEnded = ({ state }: { readonly state: PaymentState }): boolean =>
  state === 'succeeded' || state === 'failed' || state === 'canceled'

/** Whether a payment that was asked before can go on: it has no page yet, or one that is open. */
export const hasPageFor = (
  row: {
    readonly state: PaymentState
    readonly ending_at: Date | null
    readonly page_ends_at: Date | null
  },
  now: Date,
): boolean =>
  (row.state === 'asked' || row.state === 'open') &&
  row.ending_at === null &&
  (row.page_ends_at === null || row.page_ends_at > now)

/**
 * Whether a call may be made, first or again with its key: for as long as its provider remembers keys, in milliseconds. After that
 * it would do the same once more, so the payment is looked up and never called again.
 */
export const mayCall = ({ called_at }: { readonly called_at: Date | null }, keysLast: number, now: Date): boolean =>
  called_at === null || now.getTime() - called_at.getTime() < keysLast

/** What became of a call whose key is too old and that the provider has never heard of: it had no effect. */
export const lost = ({ amount, currency, method_ref }: SettledValues): Outcome =>
  method_ref === null
    ? { state: 'canceled', amount, currency, refs: [] }
    : { state: 'failed', amount, currency, refs: [], failure: { code: 'lost', mayRetry: true } }

/** What becomes of a charge that was asked for, and not made before its provider was used for nothing or removed: it has no effect. */
export const notCharged = ({ amount, currency }: Pick<SettledValues, 'amount' | 'currency'>): Outcome => ({
  state: 'failed',
  amount,
  currency,
  refs: [],
  failure: { code: 'provider_not_used', mayRetry: true },
})

const text = texts.shop.payments.payments.rules

/** What it means that an amount arrived, in words. */
export const moneyReceived = (amount: number, currency: string): Phrase =>
  fillEach(amount < 0 ? text.notReceived : text.received, { sum: formatMoneyInEach(Math.abs(amount), currency) })

/** What a refund means, in words. */
export const moneyRefunded = (amount: number, currency: string): Phrase =>
  fillEach(text.refunded, { sum: formatMoneyInEach(amount, currency) })
