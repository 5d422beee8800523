import type { TransactionContext } from '#src/contract/context.ts'
import type { Fact } from '#src/contract/fact.ts'
import { isOnline } from '#src/contract/payment-providers.ts'
import type { ChargePurpose, Money, SavedMethod } from '#src/contract/payments.ts'
import { putJob } from '#src/db/jobs.ts'
import { toId } from '#src/kit/ids.ts'
import { orderLock, paymentChanged } from '../hooks.ts'
import { findCustomer } from '../methods/queries.ts'
import { checkChargeable, getUsable } from './lookups.ts'
import {
  insertPayment,
  lockPending,
  type PaymentRow,
  type StoredPayment,
  storeCanceled,
  storeEnding,
} from './queries.ts'
import type { PaymentState } from './rules.ts'

/** The kind of the job that asks a provider about a payment, or charges a saved method. */
export const PAYMENT_JOB = 'payment'

/** The kind of the job that ends the page of a payment that its order no longer wants. */
export const ENDING_JOB = 'payment_end'

// The request of the buyer charges the method. The job does where its process died, and by then has nothing left to do otherwise.
const PRESENT_MS = 30_000

/**
 * A payment that an order wants. With `saved` that method is charged: by the job where nobody is there, and with `isPresent` by
 * `chargePresent`, which the request of the buyer calls. With `saves` the page saves the
 * method as well, and the amount may be 0: then it does nothing else.
 */
export type PaymentRequest = Money & {
  readonly orderId: string
  readonly memberId: string
  readonly provider: string
  readonly saved?: SavedMethod
  readonly isPresent?: true
  readonly saves?: boolean
  /** Staff say that the money is there, so that the school need not offer this way to pay. */
  readonly isReceived?: true
}

// Nothing is due: it is paid in the transaction of the order. A transfer is awaited from the first moment on.
const firstStates: Partial<Record<string, PaymentState>> = { free: 'succeeded', manual: 'open' }

const buildFact = ({ id, order_id }: PaymentRow): Fact => ({
  type: 'payment.asked',
  payload: { payment_id: toId('pay', id), order_id: toId('ord', order_id) },
})

const customerFor = async (
  { db, school }: TransactionContext,
  request: PaymentRequest,
): Promise<string | undefined> => {
  const { provider, memberId, saved, saves } = request
  if (saved !== undefined) return saved.customerRef
  return saves === true && isOnline(provider) ? findCustomer(db, school.id, provider, memberId) : undefined
}

const insert = async (context: TransactionContext, request: PaymentRequest): Promise<PaymentRow> => {
  const { orderId: order_id, memberId: member_id, provider, amount, currency, saved, saves = false } = request
  const state = firstStates[provider] ?? 'asked'
  const customer_ref = (await customerFor(context, request)) ?? null
  return insertPayment<PaymentRow>(context.db, context.school.id, context.now, {
    order_id,
    setup_for: null,
    saves: saves && isOnline(provider),
    member_id,
    provider,
    amount,
    currency,
    state,
    customer_ref,
    method_ref: saved?.methodRef ?? null,
    buyer_present: request.isPresent === true,
  })
}

// What costs nothing is free, unless a method is saved for what follows.
const checkAmount = ({ provider, amount, saves }: PaymentRequest): void => {
  if (amount === 0 ? provider !== 'free' && !(saves && isOnline(provider)) : provider === 'free')
    throw new Error(`a payment by ${provider} is not of ${amount}`)
}

const choosePurpose = ({ saved, saves, amount }: PaymentRequest): ChargePurpose => {
  if (amount === 0) return 'setup'
  if (saved !== undefined) return 'charge'
  return saves === true ? 'first' : 'once'
}

/**
 * Stores a payment of an order, in the transaction that places the order; no provider is called. A payment of nothing by
 * `free` succeeds at once and tells the order. Refuses with 409 a provider that is not offered, and an amount that it cannot
 * charge. Returns the facts to record.
 */
export const askPayment = async (
  context: TransactionContext,
  request: PaymentRequest,
): Promise<{ readonly id: string; readonly facts: readonly Fact[] }> => {
  const { db, school, now } = context
  const { provider, saved, isPresent, isReceived } = request
  checkAmount(request)
  if (provider !== 'free' && isReceived === undefined)
    await getUsable(context, provider, saved === undefined || isPresent ? 'offer' : 'charge')
  await checkChargeable(context, provider, { ...request, purpose: choosePurpose(request) })
  const payment = await insert(context, request)
  const dueAt = isPresent ? new Date(now.getTime() + PRESENT_MS) : now
  if (saved !== undefined) await putJob(db, school.id, { kind: PAYMENT_JOB, id: payment.id, dueAt })
  if (provider !== 'free') return { id: payment.id, facts: [buildFact(payment)] }
  const orderFacts = await paymentChanged.call({ payment, before: 'asked', received: 0, now }, { db, school })
  return { id: payment.id, facts: [buildFact(payment), ...orderFacts.flat()] }
}

// The provider may have a page, or be about to open one.
const isAtProvider = ({ provider, called_at }: StoredPayment): boolean => provider !== 'manual' && called_at !== null

/**
 * Ends locked payments that nobody has paid yet. What a provider may have heard of stays open until the job has ended its page,
 * and may be paid in the meantime.
 */
export const endPending = async (
  { db, school, now }: TransactionContext,
  pending: readonly StoredPayment[],
): Promise<void> => {
  const local = pending.filter(row => !isAtProvider(row))
  if (local.length > 0) {
    const ids = local.map(({ id }) => id)
    await storeCanceled(db, school.id, ids, now)
  }
  for (const row of pending.filter(row => isAtProvider(row) && row.ending_at === null)) {
    await storeEnding(db, school.id, row.id, now)
    await putJob(db, school.id, { kind: ENDING_JOB, id: row.id, dueAt: now })
  }
}

/** Ends the payments of an order that nobody has paid yet, in the transaction that ends the order. */
export const cancelPayments = async (
  context: TransactionContext,
  { orderId }: { readonly orderId: string },
): Promise<void> => {
  await orderLock.call({ orderId }, context)
  await endPending(context, await lockPending(context.db, context.school.id, { orderId }))
}
