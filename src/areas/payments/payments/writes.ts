import type { Fact } from '#src/contract/fact.ts'
import type { Money, PaymentProviderName } from '#src/contract/payments.ts'
import { putJob } from '#src/db/jobs.ts'
import { toId } from '#src/kit/ids.ts'
import { lockOrder, paymentChanged, type SettlingPlace } from '../hooks.ts'
import { checkChargeable, getUsable } from './lookups.ts'
import { insertPayment, lockPending, type PaymentRow, storeCanceled, storeEnding } from './queries.ts'
import type { PaymentState } from './rules.ts'

/** The kind of the job that asks a provider about a payment, or charges a saved method. */
export const PAYMENT_JOB = 'payment'

/** The kind of the job that ends the page of a payment that its order no longer wants. */
export const ENDING_JOB = 'payment_end'

/** A payment that an order wants. With `saved` nobody is there, and the job charges that method. */
type PaymentRequest = Money & {
  readonly orderId: string
  readonly memberId: string
  readonly provider: PaymentProviderName
  readonly saved?: { readonly customerRef: string; readonly methodRef: string }
}

// Nothing is due: it is paid in the transaction of the order. A transfer is awaited from the first moment on.
const firstStates: Partial<Record<PaymentProviderName, PaymentState>> = { free: 'succeeded', manual: 'open' }

const askedFact = ({ id, order_id }: PaymentRow): Fact => ({
  type: 'payment.asked',
  payload: { payment: toId('pay', id), order: toId('ord', order_id) },
})

const insert = ({ db, school, now }: SettlingPlace, request: PaymentRequest): Promise<PaymentRow> => {
  const { orderId: order_id, memberId: member_id, provider, amount, currency, saved } = request
  const state = firstStates[provider] ?? 'asked'
  const method = { customer_ref: saved?.customerRef ?? null, method_ref: saved?.methodRef ?? null }
  return insertPayment(db, school.id, now, { order_id, member_id, provider, amount, currency, state, ...method })
}

/**
 * Stores a payment of an order, in the transaction that places the order; no provider is called. A payment of nothing by
 * `free` succeeds at once and tells the order. Refuses with 409 a provider that is not offered, and an amount that it cannot
 * charge. Returns the facts to record.
 */
export const askPayment = async (
  place: SettlingPlace,
  request: PaymentRequest,
): Promise<{ readonly id: string; readonly facts: readonly Fact[] }> => {
  const { db, school, now } = place
  const { provider, amount, saved } = request
  if ((provider === 'free') !== (amount === 0)) throw new Error(`a payment by ${provider} is not of ${amount}`)
  if (provider !== 'free') await getUsable(place, provider)
  await checkChargeable(place, provider, request)
  const payment = await insert(place, request)
  if (saved !== undefined) await putJob(db, school.id, { kind: PAYMENT_JOB, id: payment.id, dueAt: now })
  if (provider !== 'free') return { id: payment.id, facts: [askedFact(payment)] }
  const told = await paymentChanged.call({ payment, before: 'asked', received: 0, now }, { db, school })
  return { id: payment.id, facts: [askedFact(payment), ...told.flat()] }
}

// The provider may have a page, or be about to open one.
const isAtProvider = ({ provider, called_at }: PaymentRow): boolean => provider !== 'manual' && called_at !== null

/**
 * Ends the payments of an order that nobody has paid yet, in the transaction that ends the order. What a provider may
 * have heard of stays open until the job has ended its page, and may be paid in the meantime.
 */
export const cancelPayments = async (
  { db, school, now }: SettlingPlace,
  { orderId }: { readonly orderId: string },
): Promise<void> => {
  await lockOrder.call({ orderId }, { db, school })
  const pending = await lockPending(db, school.id, orderId)
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
