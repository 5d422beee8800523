import type Stripe from 'stripe'
import type { ChargeInput, Outcome, RefundInput } from '#src/contract/payments.ts'
import {
  type Account,
  type Client,
  isKeptFailure,
  isRefused,
  openClient,
  readStripeError,
  unlessMissing,
} from './client.lookups.ts'
import { toStripeAmount } from './money.rules.ts'
import { asksPerson, buildFailure, buildOutcome, buildRefund, PAYMENT, REFUND, readId } from './outcome.rules.ts'

// A decline has made an intent, whose id leads later notices to the payment.
const readRefusal = ({ amount, currency }: ChargeInput, error: unknown): Outcome | undefined => {
  const refusal = readStripeError(error)
  if (refusal === undefined || !(refusal.statusCode === 402 || isRefused(error))) return undefined
  const ref = refusal.payment_intent?.id
  const refs = ref === undefined ? [] : [ref]
  if (asksPerson(refusal)) return { state: 'needs_person', refs, amount, currency }
  return { state: 'failed', refs, amount, currency, failure: buildFailure(refusal) }
}

const findCharge = async (
  { stripe, options }: Client,
  { paymentId, customerRef: customer }: ChargeInput,
): Promise<Outcome | undefined> => {
  const { data } = await stripe.paymentIntents.list({ customer, limit: 100 }, options())
  const intent = data.find(({ metadata }) => metadata[PAYMENT] === paymentId)
  return intent === undefined ? undefined : buildOutcome({ intent })
}

/** Charges a saved method without a page; a bank that asks for the buyer refuses it, also where they are there. */
export const chargeMethod = async (account: Account, input: ChargeInput): Promise<Outcome> => {
  const { paymentId, currency, customerRef, methodRef, isPresent, description } = input
  const client = await openClient(account)
  const { stripe, options } = client
  const params: Stripe.PaymentIntentCreateParams = {
    amount: toStripeAmount(input),
    currency: currency.toLowerCase(),
    customer: customerRef,
    payment_method: methodRef,
    ...(isPresent ? { error_on_requires_action: true } : { off_session: true }),
    confirm: true,
    // Methods that lead to a page of their own are confirmed with it only, though nobody is led there.
    return_url: account.returnUrl,
    description,
    metadata: { [PAYMENT]: paymentId },
    expand: ['latest_charge.balance_transaction'],
  }
  try {
    return buildOutcome({ intent: await stripe.paymentIntents.create(params, options(paymentId)) })
  } catch (error) {
    // What Stripe keeps for a key is answered for a day, so what the call did is looked for.
    const outcome = readRefusal(input, error) ?? (isKeptFailure(error) ? await findCharge(client, input) : undefined)
    if (outcome === undefined) throw error
    return outcome
  }
}

const readIntentId = async ({ stripe, options }: Client, ref: string): Promise<string | undefined> => {
  if (!ref.startsWith('cs_')) return ref
  const session = await unlessMissing(stripe.checkout.sessions.retrieve(ref, {}, options()))
  return readId(session?.payment_intent)
}

/** Pays back a payment or a part of it, by its intent. */
export const refundIntent = async (account: Account, input: RefundInput): Promise<Outcome> => {
  const { refundId, paymentId, paymentRef, amount, currency } = input
  const client = await openClient(account)
  const intent = await readIntentId(client, paymentRef)
  if (intent === undefined) throw new Error(`the payment ${paymentId} has no intent`)
  const { stripe, options } = client
  const metadata = { [REFUND]: refundId, [PAYMENT]: paymentId }
  try {
    const params = { payment_intent: intent, amount: toStripeAmount({ amount, currency }), metadata }
    const { refundId: _, ...outcome } = buildRefund(await stripe.refunds.create(params, options(refundId)))
    return outcome
  } catch (error) {
    if (!isRefused(error)) throw error
    const failure = { code: readStripeError(error)?.code ?? 'refused', mayRetry: false }
    return { state: 'failed', refs: [], amount: 0, currency, failure }
  }
}

/** Forgets a customer with all saved methods; nothing happens to one who is gone. */
export const forgetCustomer = async (account: Account, ref: string): Promise<void> => {
  const { stripe, options } = await openClient(account)
  await unlessMissing(stripe.customers.del(ref, {}, options()))
}
