import { amountOfQuantity } from '#src/areas/shop/index.ts'
import type { listPaidSeats } from './queries.ts'

type PaidSeats = Awaited<ReturnType<typeof listPaidSeats>>[number]

/** What goes back when seats end that were paid for, and to how many orders. */
export const sumToRefund = (paid: readonly PaidSeats[]) => ({
  amount: paid.reduce((sum, one) => sum + amountOfQuantity(one, one.seats) * one.lines, 0),
  orders: paid.reduce((sum, { orders }) => sum + orders, 0),
  currency: paid[0]?.currency,
})
