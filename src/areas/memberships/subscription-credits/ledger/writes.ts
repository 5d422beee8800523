import type { TransactionContext } from '#src/contract/context.ts'
import type { Fact } from '#src/contract/fact.ts'
import { toId } from '#src/kit/ids.ts'
import {
  addEntries,
  findOrderOfLine,
  listUsed,
  type NewEntry,
  readCredit,
  readHold,
  storeHeld,
  storeUsed,
} from './queries.ts'

/** The locked subscription whose credit changes. */
type Credited = { readonly id: string; readonly member_id: string }

/** An order of the subscription, and how much of its credit; in minor units. */
type Part = { readonly orderId: string; readonly amount: number }

const creditFact = (
  { id, member_id }: Credited,
  type: 'held' | 'used' | 'returned',
  { orderId, amount }: Part,
): Fact => ({
  type: `subscription.credit_${type}`,
  payload: {
    subscription_id: toId('sub', id),
    member_id: toId('mem', member_id),
    order_id: toId('ord', orderId),
    amount,
  },
})

const add = (
  { db, school, now }: TransactionContext,
  { id }: Credited,
  entries: readonly NewEntry[],
): Promise<number> => addEntries(db, school.id, id, entries, now)

/** Holds credit for an order that waits for payment; returns the facts. */
export const holdCredit = async (context: TransactionContext, of: Credited, part: Part): Promise<readonly Fact[]> => {
  if (part.amount === 0) return []
  await add(context, of, [{ kind: 'held', amount: -part.amount, order_id: part.orderId }])
  return [creditFact(of, 'held', part)]
}

/** Whether an order holds so much credit, or as much stands as it needs. */
export const isCreditReady = async (
  { db, school }: Pick<TransactionContext, 'db' | 'school'>,
  { id }: Pick<Credited, 'id'>,
  { orderId, amount }: Part,
): Promise<boolean> =>
  (await readHold(db, school.id, orderId)) === amount || (await readCredit(db, school.id, id)) >= amount

/**
 * Uses credit for an order that was paid: what it holds, or what stands where it has given that back. Returns the facts;
 * undefined, and nothing is used, when the credit is not there any more.
 */
export const useCredit = async (
  context: TransactionContext,
  of: Credited,
  part: Part,
): Promise<readonly Fact[] | undefined> => {
  const { db, school } = context
  const { orderId, amount } = part
  if (amount === 0) return []
  if (!(await isCreditReady(context, of, part))) return undefined
  if ((await readHold(db, school.id, orderId)) === amount) await storeUsed(db, school.id, orderId)
  else await add(context, of, [{ kind: 'used', amount: -amount, order_id: orderId }])
  return [creditFact(of, 'used', part)]
}

/** Holds again what an order had used whose payment was undone. */
export const holdAgain = ({ db, school }: TransactionContext, orderId: string): Promise<number> =>
  storeHeld(db, school.id, orderId)

/** Gives back the credit that an order holds; returns the facts. */
export const returnHeld = async (
  context: TransactionContext,
  of: Credited,
  orderId: string,
): Promise<readonly Fact[]> => {
  const amount = await readHold(context.db, context.school.id, orderId)
  if (amount === 0) return []
  await add(context, of, [{ kind: 'returned', amount, order_id: orderId }])
  return [creditFact(of, 'returned', { orderId, amount })]
}

/** Gives back a part of the credit that an order has used, to the money that it came from first; returns the facts. */
export const returnUsed = async (context: TransactionContext, of: Credited, part: Part): Promise<readonly Fact[]> => {
  const { orderId, amount } = part
  if (amount === 0) return []
  let left = amount
  const entries: NewEntry[] = []
  for (const used of await listUsed(context.db, context.school.id, orderId)) {
    const returned = Math.min(left, used.amount)
    if (returned === 0) continue
    entries.push({ kind: 'returned', amount: returned, order_id: orderId, from_line_id: used.from_line_id })
    left -= returned
  }
  // Of an order before the ledger nothing is known but its line.
  if (left > 0) entries.push({ kind: 'returned', amount: left, order_id: orderId })
  await add(context, of, entries)
  return [creditFact(of, 'returned', part)]
}

// Whose money and credit it is, and how much of it the order of the change uses.
type Unused = {
  readonly money: number
  readonly credit: number
  readonly fromLineId: string | null
  readonly used: number
}

/** Credits what a change of the price leaves of the period that ran, and uses a part of it for the order of the change. */
export const creditUnused = async (
  context: TransactionContext,
  of: Credited,
  orderId: string,
  { money, credit, fromLineId, used }: Unused,
): Promise<void> => {
  const fromLine = { from_line_id: fromLineId }
  if (money > 0) await add(context, of, [{ kind: 'given', amount: money, ...fromLine }])
  const paidBy = fromLineId === null ? undefined : await findOrderOfLine(context.db, context.school.id, fromLineId)
  if (paidBy !== undefined) await returnUsed(context, of, { orderId: paidBy, amount: credit })
  const ofMoney = Math.min(money, used)
  const entries: NewEntry[] = [
    { kind: 'used', amount: -ofMoney, order_id: orderId, ...fromLine },
    { kind: 'used', amount: ofMoney - used, order_id: orderId },
  ]
  const changed = entries.filter(({ amount }) => amount !== 0)
  if (changed.length > 0) await add(context, of, changed)
}
