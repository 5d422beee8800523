import type { LineRow, OrderRow } from '#src/areas/shop/orders/index.ts'
import type { Fact } from '#src/contract/fact.ts'
import { hook } from '#src/contract/hook.ts'
import type { RefundPart } from './refund/rules.ts'

/** Asks how much money of the lines of a locked order cannot go back by a decision of staff, since it paid for something else. */
export const lockedMoney = hook<
  { readonly order: OrderRow; readonly lines: readonly LineRow[] },
  readonly { readonly lineId: string; readonly amount: number }[]
>('lockedMoney')

/** Called before parts of the lines of a locked order are refunded by a decision of staff. */
export const refundDecided = hook<
  { readonly order: OrderRow; readonly parts: readonly RefundPart[]; readonly now: Date },
  readonly Fact[]
>('refundDecided')
