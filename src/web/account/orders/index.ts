import { billingPages } from './billing.ts'
import { orderListPages } from './list.ts'
import { orderPages } from './one.ts'
import { payPages } from './pay.ts'

export { beginOpenPayment } from './beginning.ts'
export { describeMethod, type Method, methodsFor } from './methods.ts'
export { orderPage } from './one.ts'
export { type OwnOrder, openPayment, orderPath } from './own.ts'
export { findFreeKind, statusName } from './status.ts'
export { buildTable, type LineFacts } from './sums.ts'
export { orderTable } from './table.ts'

/** The pages of orders: what a person has bought, one order, how it is paid, and to whom it is billed. */
export const ordersPages = [...orderListPages, ...orderPages, ...payPages, ...billingPages]
