import { area } from '#src/contract/area.ts'
import { sweepRows } from '#src/contract/sweep.ts'
import { billingOperations } from './billing/operations.ts'
import { discountMetrics } from './checkout/metrics.ts'
import { checkoutOperations } from './checkout/operations.ts'
import { implementations } from './implementations.ts'
import { payingOperations } from './paying/operations.ts'
import { checkoutMails } from './visitors/mails.ts'
import { visitorOperations } from './visitors/operations.ts'
import { deleteExpiredCheckouts } from './visitors/queries.ts'

export { checkPaidBilling } from './billing/lookups.ts'
export { billingChangesTax, changedBilling } from './billing/rules.ts'
export { computeOrder, type LineAmounts, type Taxation, type Totals } from './checkout/amounts.rules.ts'
export { checkoutRefusals, mergeBilling, quoteChanged, tooManyPendingOrders } from './checkout/rules.ts'
export { Attendee, type CheckoutInput, NewCheckout, ticketFields } from './checkout/schema.ts'
export { computeTaxation, errorsOfBuyer } from './checkout/tax.rules.ts'
export { countCodes } from './checkout/tries.writes.ts'
export { placeOrder } from './checkout/writes.ts'
export { isPayable, subscriptionOrdered, trialDaysFor } from './hooks.ts'
export { type ChargedOrder, chargeForOrder } from './paying/rules.ts'
export { askToPay } from './paying/writes.ts'
export { checkoutMails } from './visitors/mails.ts'
export { type CheckoutRow, findCheckout, storeCheckout } from './visitors/queries.ts'
export { CheckoutQuote } from './visitors/schema.ts'
export { buildInput, countCheckout, refundCheckout } from './visitors/writes.ts'

/** How orders come to be: quotes, placing, billing and paying, also for buyers who are not signed in yet. */
export const checkouts = area({
  name: 'checkouts',
  operations: [...checkoutOperations, ...billingOperations, ...payingOperations, ...visitorOperations],
  hooks: implementations,
  mails: Object.values(checkoutMails),
  sweeps: [sweepRows(deleteExpiredCheckouts)],
  metrics: discountMetrics,
})
