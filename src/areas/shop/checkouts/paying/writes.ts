import { getSelling } from '#src/areas/school/index.ts'
import { type AppliedCode, holdRedemptions } from '#src/areas/shop/coupons/index.ts'
import {
  byItem,
  holdUntil,
  isRenewal,
  listDiscounts,
  listLines,
  type OrderRow,
  reserveLine,
  storeOrderStatus,
} from '#src/areas/shop/orders/index.ts'
import {
  askPayment,
  cancelPayments,
  listOrderPayments,
  type PaymentRow,
  providerNotUsable,
} from '#src/areas/shop/payments/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import type { Fact } from '#src/contract/fact.ts'
import { soldOut } from '#src/contract/offer.ts'
import type { SavedMethod } from '#src/contract/payments.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState } from '#src/contract/problems.ts'
import { checkPending } from '../checkout/lookups.ts'
import { refusalOfCode } from '../checkout/rules.ts'
import { isPayable } from '../hooks.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
// A hosted page stays open for half an hour, and is ended a minute before the order.
const PAGE_MS = 31 * MINUTE_MS
const LONGEST_MS = 90 * MINUTE_MS

const holdEnd = async (context: TransactionContext, order: OrderRow, provider: string): Promise<Date> => {
  const now = context.now.getTime()
  const before = order.status === 'pending' ? (order.expires_at?.getTime() ?? now) : now
  // Whoever asks again and again keeps the places no longer.
  const latest = order.status === 'pending' ? order.created_at.getTime() + LONGEST_MS : now + PAGE_MS
  if (provider !== 'manual') return new Date(Math.max(before, Math.min(now + PAGE_MS, latest)))
  const { checkout } = await getSelling(context.db, context.school.id)
  return new Date(Math.max(before, Math.min(now, latest) + checkout.manual_hold_days * DAY_MS))
}

const holdCodesAgain = async (context: TransactionContext, order: OrderRow): Promise<readonly Fact[]> => {
  const { id: orderId, member_id: memberId, currency } = order
  const discounts = await listDiscounts(context.db, context.school.id, [orderId])
  const applied: AppliedCode[] = discounts.map(({ coupon_id, code_id, code, amount }) => ({
    couponId: coupon_id,
    codeId: code_id,
    code,
    amount,
    lines: [],
    trialDays: null,
  }))
  const held = await holdRedemptions(context, { orderId, memberId, currency, applied })
  if ('facts' in held) return held.facts
  throw refusalOfCode([held.refused.code], held.refused)
}

// An order that failed gave everything back, so it takes it again, at the prices of then.
const takeAgain = async (context: TransactionContext, order: OrderRow, until: Date): Promise<readonly Fact[]> => {
  const { db, school, now } = context
  if (isRenewal(order)) {
    await storeOrderStatus(db, school.id, order.id, { status: 'pending', now })
    return []
  }
  await checkPending(context, order.member_id)
  const facts = await holdCodesAgain(context, order)
  for (const line of byItem(await listLines(db, school.id, [order.id])))
    if (!(await reserveLine(context, line, order.member_id, until)))
      throw new Refusal(soldOut, 'Something in the order is sold out by now.')
  await storeOrderStatus(db, school.id, order.id, { status: 'pending', now })
  return facts
}

const canBeContinued = ({ state, method_ref, ending_at, page_ends_at }: PaymentRow, now: Date): boolean =>
  (state === 'asked' || state === 'open') &&
  method_ref === null &&
  ending_at === null &&
  (page_ends_at === null || page_ends_at > now)

// Through a provider, with a saved method of the buyer where there is one.
type ChosenWay = { readonly provider: string; readonly saved?: SavedMethod | undefined }

/**
 * Asks for the payment of a locked order that waits for it, or whose payment failed, through a provider of the school; keeps
 * its places for as long as that takes. A payment that was asked through it before stays, unless its page has ended. Returns the facts.
 */
export const askToPay = async (
  context: TransactionContext,
  order: OrderRow,
  { provider, saved }: ChosenWay,
): Promise<{ readonly paymentId: string; readonly facts: readonly Fact[] }> => {
  const { db, school } = context
  if (order.status !== 'pending' && order.status !== 'failed')
    throw new Refusal(invalidState, `The order is ${order.status}, so it cannot be paid.`)
  const answers =
    order.subscription_id === null ? [] : await isPayable.call({ order, now: context.now }, { db, school })
  if (answers.includes(false))
    throw new Refusal(
      invalidState,
      'What the order is for has changed since, or its amounts are too old. Ask for it again instead.',
    )
  const until = await holdEnd(context, order, provider)
  const taken = order.status === 'failed' ? await takeAgain(context, order, until) : []
  const payments = await listOrderPayments(db, school.id, [order.id])
  const open = payments.find(one => one.provider === provider && canBeContinued(one, context.now))
  if (open === undefined && payments.length > 0) await cancelPayments(context, { orderId: order.id })
  const { total: amount, currency, id: orderId, member_id: memberId } = order
  // What is paid again and again needs a method to charge.
  const saves = order.subscription_id !== null && provider !== 'manual' && saved === undefined
  if (amount === 0 && !saves)
    throw new Refusal(providerNotUsable, 'Nothing is due now; choose a provider that saves a payment method.')
  const present = saved === undefined ? {} : ({ saved, isPresent: true } as const)
  const asked =
    open === undefined
      ? await askPayment(context, { orderId, memberId, provider, amount, currency, saves, ...present })
      : { id: open.id, facts: [] }
  await holdUntil(context, order, until)
  return { paymentId: asked.id, facts: [...taken, ...asked.facts] }
}
