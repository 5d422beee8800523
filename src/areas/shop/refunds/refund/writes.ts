import { returnRedemptions } from '#src/areas/shop/coupons/index.ts'
import {
  endLines,
  insertRefundLines,
  insertRefundNote,
  leftOfPayments,
  listLines,
  type OrderRow,
  type RefundLineRow,
  readMoney,
} from '#src/areas/shop/orders/index.ts'
import { askRefund, type RefundReason } from '#src/areas/shop/payments/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import type { Fact } from '#src/contract/fact.ts'
import { computeSum } from '#src/kit/money.ts'
import { creditRefunds } from '../invoicing/writes.ts'
import { computeRest, type RefundPart, splitSlices, taxOfPart } from './rules.ts'

// What is refunded, and why.
type RefundDecision = {
  readonly parts: readonly RefundPart[]
  readonly reason: RefundReason
  readonly note?: string | undefined
}

type Sums = Map<string, { amount: number; tax: number }>

const buildLine = (refundId: string, part: RefundPart | undefined, amount: number, sums: Sums): RefundLineRow[] => {
  if (part === undefined) return []
  const { line, quantity, endsAccess } = part
  const before = sums.get(line.id) ?? { amount: line.refunded_amount, tax: line.refunded_tax }
  const tax_amount = taxOfPart(line, before, amount)
  const after = { amount: before.amount + amount, tax: before.tax + tax_amount }
  // The units are counted once, with the last of the money for them.
  const isLast = after.amount === line.refunded_amount + part.amount
  sums.set(line.id, after)
  const row = { refund_id: refundId, line_id: line.id, amount, tax_amount, ends_access: endsAccess }
  return [{ ...row, quantity: isLast ? quantity : 0 }]
}

/**
 * Refunds parts of the lines of a locked order, and ends the access of those that say so; returns the facts and the ids of
 * the refunds. Refuses with 409 more than is left of the payments. The job calls the provider; what needs none is credited
 * here. Call it last.
 */
export const beginRefund = async (
  context: TransactionContext,
  order: OrderRow,
  { parts, reason, note }: RefundDecision,
): Promise<{ readonly facts: readonly Fact[]; readonly ids: readonly string[] }> => {
  const { db, school } = context
  const left = leftOfPayments(await readMoney(context, order.id), order.currency)
  const facts: Fact[] = []
  const ids: string[] = []
  const sums: Sums = new Map()
  for (const { paymentId, slices } of splitSlices(parts, left)) {
    const amount = computeSum(slices.map(slice => slice.amount))
    const refund = await askRefund(context, { paymentId, amount, reason })
    const rows = slices.flatMap(({ line, amount: part }) =>
      buildLine(
        refund.id,
        parts.find(one => one.line.id === line.id),
        part,
        sums,
      ),
    )
    await insertRefundLines(db, school.id, order.id, rows)
    if (note !== undefined) await insertRefundNote(db, school.id, { refundId: refund.id, orderId: order.id, note })
    facts.push(...refund.facts)
    ids.push(refund.id)
  }
  const ending = parts.filter(({ endsAccess }) => endsAccess).map(({ line }) => line)
  facts.push(...(await endLines(context, ending, 'refund')))
  const lines = await listLines(db, school.id, [order.id])
  if (lines.every(line => computeRest(line) === 0))
    facts.push(...(await returnRedemptions(context, { orderId: order.id })).facts)
  facts.push(...(await creditRefunds(context, order.id, reason)))
  return { facts, ids }
}
