import type { StaffSection } from '../../section.ts'
import { orderList } from './list.ts'
import { orderDetail } from './order.ts'
import { orderRecord } from './record.ts'
import { orderRefund } from './refund.ts'

/** The pages of orders. */
export const orders: readonly StaffSection[] = [
  {
    pages: [...orderList, ...orderRecord, ...orderDetail, ...orderRefund],
  },
]
