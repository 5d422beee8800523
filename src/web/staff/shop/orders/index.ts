import { texts } from '#src/texts/index.ts'
import type { StaffSection } from '../../section.ts'
import { orderList } from './list.ts'
import { orderDetail } from './order.ts'
import { orderRecord } from './record.ts'
import { orderRefund } from './refund.ts'

const { title, about, record, recordAbout } = texts.staff.orders.common

/** The pages of orders. */
export const orders: readonly StaffSection[] = [
  {
    entries: [
      { path: '/staff/orders', name: title, about },
      { path: '/staff/orders/record', name: record, about: recordAbout },
    ],
    pages: [...orderList, ...orderRecord, ...orderDetail, ...orderRefund],
  },
]
