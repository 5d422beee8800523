import { readProviderStanding } from '#src/areas/school/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import { isOnline } from '#src/contract/payment-providers.ts'
import type { FoundPayment, Outcome, Provider } from '#src/contract/payments.ts'
import { toId } from '#src/kit/ids.ts'
import type { Settled } from '../hooks.ts'
import { awaitAnswer, findAtProvider, findKeysLast, findPaymentProvider, type PaymentParts } from './lookups.ts'
import { findPayment, noteCharge, readClock, type StoredPayment } from './queries.ts'
import { lost, mayCall, notCharged } from './rules.ts'
import { applyFound, applyOutcome, lockPayment, recordSettled } from './settling.writes.ts'

/**
 * What a provider answered about a payment: all that it knows, only the outcome of a call, or nothing. `isPending`: the
 * same has to be asked again.
 */
export type Answer = { readonly isPending: boolean } & (
  | { readonly found: FoundPayment }
  | { readonly outcome: Outcome | undefined }
)

type Asking = {
  readonly parts: PaymentParts
  readonly provider: Provider
  readonly row: StoredPayment
  readonly now: Date
  /** Whether saved methods are charged through the provider. */
  readonly isCharging: boolean
}

// The order no longer wants the payment, and its page is still open.
const isOpenStill = ({ ending_at }: StoredPayment, { state }: FoundPayment): boolean =>
  ending_at !== null && state === 'needs_person'

const find = async ({ provider, row, now }: Asking): Promise<Answer> => {
  const found = await findAtProvider(provider, row)
  if (found !== undefined) return { found, isPending: found.state === 'unknown' || isOpenStill(row, found) }
  if (row.state !== 'asked' || row.called_at === null) return { outcome: undefined, isPending: false }
  // A call may still be on its way; later it is certain that it never arrived.
  return mayCall(row, findKeysLast(row.provider), now)
    ? { outcome: undefined, isPending: true }
    : { outcome: lost(row), isPending: false }
}

const charge = async ({ parts, provider, row }: Asking): Promise<Answer> => {
  const { database, school } = parts
  // Committed before the call: whatever happens next, it is known that the provider may have charged.
  const current = await database.statements(school.id, db => noteCharge(db, school.id, row.id))
  if (row.customer_ref === null || row.method_ref === null) return { outcome: undefined, isPending: false }
  // The row, or what its provider is used for, has changed since it was read.
  if (current === undefined) return { outcome: undefined, isPending: true }
  const { amount, currency, customer_ref: customerRef, method_ref: methodRef } = row
  const paymentId = toId('pay', row.id)
  const outcome = await awaitAnswer(
    provider.charge({
      paymentId,
      amount,
      currency,
      customerRef,
      methodRef,
      isPresent: row.buyer_present,
      description: school.name,
    }),
  )
  return { outcome, isPending: outcome.state === 'unknown' }
}

// What its order no longer wants is looked for, since it may have been charged, and never charged.
const isCharged = ({ state, method_ref, ending_at }: StoredPayment): boolean =>
  state === 'asked' && method_ref !== null && ending_at === null

const ask = async (asking: Asking): Promise<Answer> => {
  const { provider, row, now, isCharging } = asking
  if (isCharging && isCharged(row) && mayCall(row, findKeysLast(row.provider), now)) return charge(asking)
  if (row.ending_at !== null && row.reference !== null) await awaitAnswer(provider.end(row.reference))
  return find(asking)
}

/**
 * Asks the provider what became of a payment, or charges the saved method if that has not happened; where no methods are charged
 * through it any more, what it was never called for fails. Undefined when there is nothing to ask. Rejects when the provider does not answer or cannot be called.
 */
export const lookUp = async (parts: PaymentParts, id: string): Promise<Answer | undefined> => {
  const { database, school } = parts
  const [row, now] = await database.statements(school.id, db =>
    Promise.all([findPayment(db, school.id, id), readClock(db)]),
  )
  if (row === undefined || !isOnline(row.provider)) return undefined
  const { isCharging } = await database.statements(school.id, db => readProviderStanding({ db, school }, row))
  if (!isCharging && isCharged(row) && row.called_at === null) return { outcome: notCharged(row), isPending: false }
  const provider = await findPaymentProvider(parts, row)
  if (provider === undefined) throw new Error(`the provider ${row.provider} cannot be called`)
  return ask({ parts, provider, row, now, isCharging })
}

/** Settles a payment by an answer, in a transaction; returns what has changed, to record. */
export const applyAnswer = async (context: TransactionContext, id: string, answer: Answer): Promise<Settled> => {
  const row = 'found' in answer || answer.outcome !== undefined ? await lockPayment(context, id) : undefined
  if (row === undefined) return { facts: [], ids: [] }
  return 'found' in answer
    ? applyFound(context, row, answer.found)
    : applyOutcome(context, row, answer.outcome ?? lost(row))
}

/** Settles a payment by an answer, in a transaction, and records what has changed. */
export const settleAnswer = async (context: TransactionContext, id: string, answer: Answer): Promise<void> =>
  recordSettled(context, await applyAnswer(context, id, answer))
