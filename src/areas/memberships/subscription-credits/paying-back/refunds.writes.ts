import type { LineRow, OrderRow } from '#src/areas/shop/index.ts'
import type { SchoolContext, TransactionContext } from '#src/contract/context.ts'
import type { Fact } from '#src/contract/fact.ts'
import { toId } from '#src/kit/ids.ts'
import { computeSum } from '#src/kit/money.ts'
import { addEntries, lockSubscriptionRow, readCredit } from '../ledger/queries.ts'
import { listCreditedLines, readGiven } from './queries.ts'
import { computeLockedMoney, computeStanding, computeUnrefunded } from './rules.ts'

const standingIn = async (
  { db, school }: SchoolContext,
  subscriptionId: string,
): Promise<ReadonlyMap<string, number>> => {
  const credit = await readCredit(db, school.id, subscriptionId)
  const lines = await listCreditedLines(db, school.id, subscriptionId)
  return new Map(computeStanding(lines, credit).map(({ line, standing }) => [line.line_id, standing]))
}

/** How much money of the lines of a locked order cannot go back, since its credit was used. */
export const lockCredited = async (
  context: SchoolContext,
  { subscription_id: id }: OrderRow,
  lines: readonly LineRow[],
) => {
  if (id === null) return []
  await lockSubscriptionRow(context.db, context.school.id, id)
  const standing = await standingIn(context, id)
  const locked: { lineId: string; amount: number }[] = []
  for (const line of lines) {
    const used = (await readGiven(context.db, context.school.id, line.id)) - (standing.get(line.id) ?? 0)
    if (used > 0) locked.push({ lineId: line.id, amount: computeLockedMoney(line, used) })
  }
  return locked
}

type Refunded = { readonly line: LineRow; readonly amount: number }

// What a refund takes back in terms of the price.
const computePrice = ({ line, amount }: Refunded): number =>
  computeUnrefunded(line) - computeUnrefunded({ ...line, refunded_amount: line.refunded_amount + amount })

/** Takes back what stands of the credit of lines whose money is refunded or lost, so that it goes back once; returns the facts. */
export const takeRefunded = async (
  context: TransactionContext,
  { subscription_id: id, member_id: memberId }: OrderRow,
  parts: readonly Refunded[],
): Promise<readonly Fact[]> => {
  if (id === null) return []
  await lockSubscriptionRow(context.db, context.school.id, id)
  const standing = await standingIn(context, id)
  const entries = parts
    .map(part => ({ line: part.line.id, credit: Math.min(standing.get(part.line.id) ?? 0, computePrice(part)) }))
    .filter(({ credit }) => credit > 0)
    .map(({ line, credit }) => ({ kind: 'paid_back' as const, amount: -credit, from_line_id: line }))
  if (entries.length === 0) return []
  await addEntries(context.db, context.school.id, id, entries, context.now)
  const amount = computeSum(entries.map(entry => -entry.amount))
  const payload = { subscription_id: toId('sub', id), member_id: toId('mem', memberId), amount, transfer: 0 }
  return [{ type: 'subscription.credit_paid_back', payload }]
}
