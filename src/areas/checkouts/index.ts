import { area } from '#src/contract/area.ts'
import { billingOperations } from './billing/operations.ts'
import { checkoutOperations } from './checkout/operations.ts'
import { payingOperations } from './paying/operations.ts'

export { checkPaidBilling } from './billing/lookups.ts'
export { billingChangesTax, changedBilling } from './billing/rules.ts'
export { billingOf, checkoutRefusals } from './checkout/rules.ts'
export { NewCheckout } from './checkout/schema.ts'
export { placeOrder } from './checkout/writes.ts'

/** How orders come to be: quotes, placing, billing and paying. */
export const checkouts = area({
  name: 'checkouts',
  operations: [...checkoutOperations, ...billingOperations, ...payingOperations],
})
