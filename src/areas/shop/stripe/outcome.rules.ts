import type Stripe from 'stripe'
import type { FoundDispute, FoundRefund, MethodShown, Outcome, SavedMethod } from '#src/contract/payments.ts'
import { fromStripeAmount } from './money.rules.ts'

/** The name of our id of a payment, `pay_…`, in the metadata of sessions, intents and setups. */
export const PAYMENT = 'stoa_payment'

/** The name of our id of a refund, `rfd_…`. */
export const REFUND = 'stoa_refund'

/** The id of an object that may be expanded. */
export const readId = (value: string | { readonly id: string } | null | undefined): string | undefined =>
  typeof value === 'string' ? value : value?.id

const readObject = <T extends { readonly id: string }>(value: string | T | null | undefined): T | undefined =>
  typeof value === 'object' && value !== null ? value : undefined

// https://docs.stripe.com/declines/codes: with these the same method is never accepted again.
const final =
  /^(?:lost_card|stolen_card|pickup_card|expired_card|incorrect_number|do_not_try_again|revocation_of_.+|resource_missing)$/

/** What is kept of an error of a payment: the reason of the bank where there is one. */
export const buildFailure = (error: {
  readonly code?: string | undefined
  readonly decline_code?: string | undefined
  readonly advice_code?: string | undefined
}): { readonly code: string; readonly mayRetry: boolean } => {
  const codes = [error.decline_code, error.code, error.advice_code].filter(code => code !== undefined && code !== '')
  return { code: codes[0] ?? 'declined', mayRetry: !codes.some(code => final.test(code ?? '')) }
}

/** Whether the bank of the buyer wants them to authenticate. */
export const asksPerson = (error: { readonly code?: string | undefined } | null): boolean =>
  error?.code === 'authentication_required'

/** A payment at Stripe: its page, what was begun on it, or both. */
export type Known = {
  readonly session?: Stripe.Checkout.Session | undefined
  readonly intent?: Stripe.PaymentIntent | undefined
  readonly setup?: Stripe.SetupIntent | undefined
}

type State = Outcome['state']

const stateWithout = (status: string | null | undefined): State =>
  status === 'open' ? 'needs_person' : status === 'expired' ? 'canceled' : 'unknown'

// An attempt that failed ends a payment unless its page is open still.
const stateAfterFailure = ({ session, intent, setup }: Known): State => {
  if (session?.status === 'open') return 'needs_person'
  if (session?.status === 'expired') return 'canceled'
  const { status } = intent ?? setup ?? {}
  return status === 'requires_action' || asksPerson(intent?.last_payment_error ?? null) ? 'needs_person' : 'failed'
}

const readState = (known: Known): State => {
  const status = (known.intent ?? known.setup)?.status
  if (status === undefined) return stateWithout(known.session?.status)
  if (status === 'succeeded') return 'succeeded'
  if (status === 'canceled') return 'canceled'
  return status === 'processing' || status === 'requires_capture' ? 'processing' : stateAfterFailure(known)
}

/** What a charge says of the method: its type, and under that name what depends on it. */
type Details = { readonly type: string } & Readonly<Record<string, unknown>>

const readText = (value: unknown, name: string): string | undefined => {
  const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
  return typeof found === 'string' && found !== '' ? found : undefined
}

const readExpiry = (value: unknown): string | null => {
  if (typeof value !== 'object' || value === null) return null
  const month: unknown = Reflect.get(value, 'exp_month')
  const year: unknown = Reflect.get(value, 'exp_year')
  return typeof month === 'number' && typeof year === 'number' ? `${String(month).padStart(2, '0')}/${year}` : null
}

// A method without digits, such as PayPal, is named by its type alone.
const readMethod = (details: Details): MethodShown | undefined => {
  const detail = details[details.type]
  const last4 = readText(detail, 'last4')
  if (last4 === undefined) return undefined
  return { brand: readText(detail, 'brand') ?? details.type, last4, expires: readExpiry(detail) }
}

const readFee = (charge: Stripe.Charge): number | undefined => {
  const transaction = readObject(charge.balance_transaction)
  // The fee is in the currency of the account, which is told where it is that of the payment.
  if (transaction === undefined || transaction.currency !== charge.currency) return undefined
  return fromStripeAmount(transaction.fee, transaction.currency).amount
}

// What Bancontact and iDEAL leave to be charged later is the account behind them.
const readGenerated = (details: Details | undefined): string | undefined => {
  const detail = details?.[details.type]
  const generated: unknown =
    typeof detail === 'object' && detail !== null ? Reflect.get(detail, 'generated_sepa_debit') : null
  return typeof generated === 'string' ? generated : readText(generated, 'id')
}

const readSaved = (
  customer: string | { readonly id: string } | null | undefined,
  method: string | { readonly id: string } | null | undefined,
  details: Details | undefined,
): SavedMethod | undefined => {
  const customerRef = readId(customer)
  const methodRef = readGenerated(details) ?? readId(method)
  return customerRef === undefined || methodRef === undefined ? undefined : { customerRef, methodRef }
}

const listRefs = ({ session, intent, setup }: Known): string[] =>
  [session?.id, intent?.id, readId(intent?.latest_charge), setup?.id].filter(id => id !== undefined)

const describe = (details: Details): Pick<Outcome, 'method' | 'methodType' | 'country'> => {
  const method = readMethod(details)
  const country = readText(details[details.type], 'country')
  return {
    methodType: details.type,
    ...(method === undefined ? {} : { method }),
    ...(country === undefined ? {} : { country }),
  }
}

const describePaid = (intent: Stripe.PaymentIntent): Partial<Outcome> => {
  const charge = readObject(intent.latest_charge)
  const details = (charge?.payment_method_details ?? undefined) as Details | undefined
  const fee = charge === undefined ? undefined : readFee(charge)
  const saves = intent.setup_future_usage === 'off_session'
  const saved = saves ? readSaved(intent.customer, intent.payment_method, details) : undefined
  return {
    ...(details === undefined ? {} : describe(details)),
    ...(fee === undefined ? {} : { fee }),
    ...(saved === undefined ? {} : { saved }),
  }
}

const describeSetup = (setup: Stripe.SetupIntent): Partial<Outcome> => {
  const method = readObject(setup.payment_method)
  const attempt = readObject(setup.latest_attempt)
  const saved = readSaved(setup.customer, setup.payment_method, attempt?.payment_method_details as Details | undefined)
  return {
    ...(method === undefined ? {} : describe(method as unknown as Details)),
    ...(saved === undefined ? {} : { saved }),
  }
}

const readCurrency = ({ session, intent, setup }: Known): string =>
  intent?.currency ?? session?.currency ?? setup?.metadata?.stoa_currency ?? 'xxx'

/** What Stripe knows of a payment, without refunds and disputes. */
export const buildOutcome = (known: Known): Outcome => {
  const { intent, setup } = known
  const state = readState(known)
  const error = intent?.last_payment_error ?? setup?.last_setup_error ?? null
  const currency = readCurrency(known)
  const isOver = state === 'succeeded' || state === 'processing'
  return {
    state,
    refs: listRefs(known),
    ...(intent === undefined
      ? { amount: 0, currency: currency.toUpperCase() }
      : fromStripeAmount(intent.amount_received, currency)),
    ...(error === null || isOver ? {} : { failure: buildFailure(error) }),
    ...(intent !== undefined && state === 'succeeded' ? describePaid(intent) : {}),
    ...(setup !== undefined && state === 'succeeded' ? describeSetup(setup) : {}),
  }
}

const refundStates: Readonly<Record<string, State>> = {
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'failed',
  pending: 'processing',
  // The buyer is asked where to send it.
  requires_action: 'processing',
}

/** A refund as Stripe has it. */
export const buildRefund = (refund: Stripe.Refund): FoundRefund => {
  const { id, amount, currency, status, metadata, failure_reason: code } = refund
  const refundId = metadata?.[REFUND]
  const state = refundStates[status ?? ''] ?? 'unknown'
  return {
    state,
    refs: [id],
    ...fromStripeAmount(amount, currency),
    ...(refundId === undefined ? {} : { refundId }),
    ...(state === 'failed' ? { failure: { code: code ?? 'failed', mayRetry: false } } : {}),
  }
}

const disputeStates: Readonly<Record<string, FoundDispute['state']>> = { won: 'won', lost: 'lost' }

/**
 * A dispute as Stripe has it; undefined for a question of a bank, which takes no money (`warning_…`), and for what was prevented. An
 * appeal is open, which does not lead back from `lost`.
 */
export const buildDispute = (dispute: Stripe.Dispute): FoundDispute | undefined => {
  const { id, amount, currency, status, reason, evidence_details: evidence } = dispute
  if (status.startsWith('warning_') || status === 'prevented') return undefined
  const due = evidence?.due_by ?? undefined
  return {
    ref: id,
    state: disputeStates[status] ?? 'open',
    reason,
    ...(due === undefined ? {} : { due: new Date(due * 1000) }),
    ...fromStripeAmount(amount, currency),
  }
}
