import { isErased } from '#src/areas/people/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import type { Fact } from '#src/contract/fact.ts'
import { canCharge, isOnline } from '#src/contract/payment-providers.ts'
import type { MethodShown, Outcome } from '#src/contract/payments.ts'
import { problem, Refusal } from '#src/contract/problem.ts'
import { putJob } from '#src/db/jobs.ts'
import { toId } from '#src/kit/ids.ts'
import { lockSetup, methodSaved } from '../hooks.ts'
import { checkChargeable, getUsable } from '../payments/lookups.ts'
import { insertPayment, lockPending, type StoredPayment } from '../payments/queries.ts'
import { hasPageFor, providerNotUsable } from '../payments/rules.ts'
import { endPending } from '../payments/writes.ts'
import { eraseSavedMethods, findCustomer, insertMethod, listCustomers, type MethodRow } from './queries.ts'

/** The kind of the job that has providers forget the customers that a member was. */
export const FORGET_JOB = 'payment_forget'

/** The kind of the job that has a provider forget the customer of a method, once none of their methods is charged. */
export const FORGET_METHOD_JOB = 'payment_method_forget'

/** Something is charged with the method. */
export const methodInUse = problem(
  409,
  'payment_method_in_use',
  'Something is charged with the payment method',
  'A subscription that runs, or a payment on its way, uses it. Choose another method there, or cancel it, first.',
)

/** A method as its owner and staff may see it; null without one, and for one that was erased. */
export const methodView = (row: MethodRow | undefined): MethodShown | null =>
  row === undefined || row.brand === null || row.last4 === null
    ? null
    : { brand: row.brand, last4: row.last4, expires: row.expires }

/** What happened to a method of a member, as a fact. */
export const buildFact = (
  type: 'payment_method.removed' | 'payment_method.saved',
  { id, member_id, provider }: Pick<MethodRow, 'id' | 'member_id' | 'provider'>,
): Fact => ({
  type,
  payload: { payment_method_id: toId('pym', id), member_id: toId('mem', member_id), provider },
})

/**
 * Stores the method that was saved with a payment that succeeded, and tells whoever it was saved for; done before the order is
 * told, so that what it settles finds the method. The method of somebody who was erased is forgotten at once.
 */
export const keepMethod = async (
  context: TransactionContext,
  payment: StoredPayment,
  { saved, method }: Outcome,
): Promise<readonly Fact[]> => {
  const { db, school, now } = context
  if (saved === undefined || !payment.saves || payment.state !== 'succeeded' || !isOnline(payment.provider)) return []
  const { id: paymentId, member_id: memberId, provider } = payment
  const one = { memberId, provider, paymentId, saved, shown: method ?? payment.method }
  const row = await insertMethod(db, school.id, now, one)
  if (row === undefined) return []
  if (await isErased(db, school.id, memberId)) {
    await forgetMethods(context, memberId)
    return []
  }
  const facts = await methodSaved.call({ method: row, payment, now }, { db, school })
  return [buildFact('payment_method.saved', row), ...facts.flat()]
}

/** A method that is to be saved without paying, for something of a later area, such as a subscription. */
type SetupRequest = {
  readonly setupFor: string
  readonly memberId: string
  readonly provider: string
  readonly currency: string
}

/**
 * Stores that a member wants to save a method without paying; no provider is called. One that was asked before and whose page
 * has not ended stays. Refuses with 409 a provider that is not offered.
 */
export const askSetup = async (
  context: TransactionContext,
  request: SetupRequest,
): Promise<{ readonly id: string; readonly facts: readonly Fact[] }> => {
  const { db, school, now } = context
  const { setupFor, memberId: member_id, provider, currency } = request
  await getUsable(context, provider)
  if (!canCharge(provider, 'setup'))
    throw new Refusal(providerNotUsable, `No payment methods are saved by ${provider}.`)
  await checkChargeable(context, provider, { amount: 0, currency, purpose: 'setup' })
  await lockSetup.call({ setupFor }, context)
  const pending = await lockPending(db, school.id, { setupFor })
  const open = pending.find(row => row.provider === provider && hasPageFor(row, now))
  if (open !== undefined) return { id: open.id, facts: [] }
  await endPending(context, pending)
  const customer_ref = (await findCustomer(db, school.id, provider, member_id)) ?? null
  const payment = await insertPayment(db, school.id, now, {
    order_id: null,
    setup_for: setupFor,
    saves: true,
    member_id,
    provider,
    amount: 0,
    currency,
    state: 'asked',
    customer_ref,
    method_ref: null,
    buyer_present: false,
  })
  const payload = { payment_id: toId('pay', payment.id), member_id: toId('mem', member_id) }
  return { id: payment.id, facts: [{ type: 'payment_method.asked', payload }] }
}

/** Ends the pages on which a method would be saved for something that has ended. */
export const cancelSetups = async (
  context: TransactionContext,
  { setupFor }: { readonly setupFor: string },
): Promise<void> => {
  await lockSetup.call({ setupFor }, context)
  await endPending(context, await lockPending(context.db, context.school.id, { setupFor }))
}

/** Ends the methods of a member who is erased, and has the providers forget them. */
export const forgetMethods = async ({ db, school, now }: TransactionContext, memberId: string): Promise<void> => {
  await eraseSavedMethods(db, school.id, memberId)
  if ((await listCustomers(db, school.id, memberId)).length === 0) return
  await putJob(db, school.id, { kind: FORGET_JOB, id: memberId, dueAt: now })
}
