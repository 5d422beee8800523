import type { OrderRow } from '#src/areas/shop/orders/index.ts'
import type { ChargePurpose, Money } from '#src/contract/payments.ts'

/** What of an order decides what is charged for it. */
export type ChargedOrder = Pick<OrderRow, 'total' | 'currency' | 'subscription_id'>

/** What is charged for an order, and what for: a subscription saves a method, also where nothing is due now. */
export const chargeForOrder = ({
  total: amount,
  currency,
  subscription_id: subscriptionId,
}: ChargedOrder): Money & { readonly purpose: ChargePurpose } => {
  const paid = subscriptionId === null ? 'once' : 'first'
  return { amount, currency, purpose: amount === 0 ? 'setup' : paid }
}
