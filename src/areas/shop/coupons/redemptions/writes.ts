import type { TransactionContext } from '#src/contract/context.ts'
import type { Fact } from '#src/contract/fact.ts'
import { newUuid } from '#src/kit/ids.ts'
import type { AppliedCode } from '../quotes/lookups.ts'
import {
  countHeld,
  insertHeld,
  listLastOfOrder,
  listOfOrder,
  lockOrderCoupons,
  type RedemptionRow,
  storeMove,
} from './queries.ts'
import { countChange, findMove, redemptionFact } from './rules.ts'

type Order = { readonly orderId: string }

type Holding = Order & {
  readonly memberId: string
  readonly currency: string
  readonly applied: readonly AppliedCode[]
}

/** The order holds its codes; or one of them has no use left, for anybody or for the member. */
type Held =
  | { readonly facts: readonly Fact[] }
  | { readonly refused: { readonly code: string; readonly reason: 'used_up' | 'used_by_you' } }

/**
 * Holds one use of each coupon for an order of a member; what the order holds already stays as it is. After a refusal
 * the transaction has to be rolled back.
 */
export const holdRedemptions = async (
  { db, school, now }: TransactionContext,
  { orderId, memberId, currency, applied }: Holding,
): Promise<Held> => {
  const before = await listOfOrder(db, school.id, orderId)
  const missing = applied.filter(({ couponId }) => before.every(held => held.coupon_id !== couponId))
  const facts: Fact[] = []
  // In the order of their ids, as everybody locks them.
  for (const one of missing.toSorted((a, b) => (a.couponId < b.couponId ? -1 : 1))) {
    const { couponId, codeId, code, amount } = one
    if ((await countHeld(db, school.id, { couponId, amount })) === 0) return { refused: { code, reason: 'used_up' } }
    const id = newUuid(now.getTime())
    const row = { id, couponId, codeId, orderId, memberId, amount, currency }
    if ((await insertHeld(db, school.id, row)) === 0) return { refused: { code, reason: 'used_by_you' } }
    facts.push(redemptionFact({ id, coupon_id: couponId, order_id: orderId, member_id: memberId }, 'held'))
  }
  return { facts }
}

/** What became of the redemptions of an order: the coupons of those that have the status now, and of those that have not. */
type Moved = { readonly done: readonly string[]; readonly failed: readonly string[]; readonly facts: readonly Fact[] }

const move = async (
  { db, school }: TransactionContext,
  verb: 'take' | 'return',
  row: RedemptionRow,
): Promise<Fact | undefined> => {
  const found = findMove(verb, row.status)
  if (found === undefined) return undefined
  const change = { held: countChange(found, 'held'), taken: countChange(found, 'taken') }
  const moved = await storeMove(db, school.id, row.id, { ...found, from: row.status, ...change })
  return moved === 0 ? undefined : redemptionFact(row, found.to)
}

const moveAll = async (context: TransactionContext, verb: 'take' | 'return', { orderId }: Order): Promise<Moved> => {
  const { db, school } = context
  await lockOrderCoupons(db, school.id, orderId)
  const wanted = verb === 'take' ? 'taken' : 'returned'
  const [done, failed, facts]: [string[], string[], Fact[]] = [[], [], []]
  for (const row of await listLastOfOrder(db, school.id, orderId)) {
    const fact = await move(context, verb, row)
    if (fact !== undefined) facts.push(fact)
    const isDone = fact !== undefined || row.status === wanted
    ;(isDone ? done : failed).push(row.coupon_id)
  }
  return { done, failed, facts }
}

/**
 * Takes the uses that an order holds, once it is paid. One that was returned is taken again if its coupon has a use left,
 * for anybody and for the member; its coupon is among `failed` if not. Taking twice takes once.
 */
export const takeRedemptions = (context: TransactionContext, order: Order): Promise<Moved> =>
  moveAll(context, 'take', order)

/**
 * Returns the uses of an order that failed, expired, was canceled or was refunded in full. A use that was taken stays, and
 * its coupon is among `failed`, unless the coupon says that refunds return it. Returning twice returns once.
 */
export const returnRedemptions = (context: TransactionContext, order: Order): Promise<Moved> =>
  moveAll(context, 'return', order)
