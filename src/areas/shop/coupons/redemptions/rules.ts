import type { Fact } from '#src/contract/fact.ts'
import { toId } from '#src/kit/ids.ts'

/** The statuses of a redemption. */
export const redemptionStatuses = ['held', 'taken', 'returned'] as const

/** The status of a redemption. */
export type RedemptionStatus = (typeof redemptionStatuses)[number]

/** What happens to the order of a redemption: it is placed, paid, or it ends or is refunded in full. */
type Verb = 'hold' | 'take' | 'return'

/** A move of a redemption, and its condition beside the status. */
type Move = {
  readonly verb: Verb
  readonly from: RedemptionStatus | undefined
  readonly to: RedemptionStatus
  /** It needs a use of the coupon that is free, or a coupon that gives uses back after refunds. */
  readonly needs?: 'free_use' | 'returns_on_refund'
}

/** Every move of a redemption. What is not in the table changes nothing. */
export const redemptionMoves: readonly Move[] = [
  { verb: 'hold', from: undefined, to: 'held', needs: 'free_use' },
  { verb: 'take', from: 'held', to: 'taken' },
  { verb: 'return', from: 'held', to: 'returned' },
  // A payment that arrives after the order expired takes the use again.
  { verb: 'take', from: 'returned', to: 'taken', needs: 'free_use' },
  { verb: 'return', from: 'taken', to: 'returned', needs: 'returns_on_refund' },
]

/** The move of a redemption by a verb, if its status allows one. */
export const findMove = (verb: Verb, from: RedemptionStatus): Move | undefined =>
  redemptionMoves.find(move => move.verb === verb && move.from === from)

/** How a move changes the number of redemptions of a status. */
export const countChange = ({ from, to }: Pick<Move, 'from' | 'to'>, status: 'held' | 'taken'): -1 | 0 | 1 => {
  if (from === to || (from !== status && to !== status)) return 0
  return to === status ? 1 : -1
}

type Redeemed = {
  readonly id: string
  readonly coupon_id: string
  readonly order_id: string
  readonly member_id: string
}

/** The fact that a redemption reached a status. */
export const redemptionFact = (row: Redeemed, status: RedemptionStatus): Fact => ({
  type: `redemption.${status}`,
  payload: {
    redemption_id: toId('red', row.id),
    coupon_id: toId('cpn', row.coupon_id),
    order_id: toId('ord', row.order_id),
    member_id: toId('mem', row.member_id),
  },
})
