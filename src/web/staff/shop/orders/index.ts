import type { StaffSection } from '../../section.ts'
import { orderList } from './list.ts'
import { orderDetails } from './order.ts'
import { orderRecord } from './record.ts'
import { orderRefund } from './refund.ts'

/** The pages of orders. */
export const orders: readonly StaffSection[] = [orderList, orderRecord, orderDetails, orderRefund]
