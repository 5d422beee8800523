import type { IdPrefix } from '#src/kit/ids.ts'

/** The types of what an order may have, and the prefixes of their ids. */
export const itemPrefixes = { course: 'crs', membership_plan: 'mpl', digital_product: 'dpr', ticket: 'tkt' } as const

/** The type of what a line is about. */
export type OrderedType = keyof typeof itemPrefixes

/** The id prefix of a type. */
export const getPrefix = (type: OrderedType): IdPrefix => itemPrefixes[type]

/** The stored statuses of an order. */
export const orderStatuses = ['pending', 'processing', 'paid', 'failed', 'expired', 'canceled'] as const

/** The stored status of an order. */
export type OrderStatus = (typeof orderStatuses)[number]

/**
 * The statuses that each status may be followed by. Money that arrives late pays an order that had ended without it, and a
 * paid order waits for payment again when staff undo the confirmation of a transfer.
 */
export const orderMoves: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
  pending: ['processing', 'paid', 'failed', 'expired', 'canceled'],
  processing: ['paid', 'failed'],
  paid: ['pending'],
  // Canceled with the subscription that it was for.
  failed: ['pending', 'paid', 'canceled'],
  expired: ['paid'],
  canceled: ['paid'],
}

/** The statuses from which an order may get into a status. */
export const statusesBefore = (status: OrderStatus): OrderStatus[] =>
  orderStatuses.filter(before => orderMoves[before].includes(status))

/** The kinds of orders: by what an order came to be. */
export const orderKinds = ['checkout', 'renewal', 'instalment', 'plan_change', 'outside'] as const

/** The statuses that are shown: those that are stored, and how much of a paid order was refunded. */
export const shownStatuses = [...orderStatuses, 'partially_refunded', 'refunded'] as const

/** The amounts that decide how much of an order was refunded. */
type RefundedLine = { readonly amount: number; readonly refunded_amount: number }

/** The status that is shown; what was refunded of the lines is compared with what they cost. */
export const shownStatus = (status: OrderStatus, lines: readonly RefundedLine[]): (typeof shownStatuses)[number] => {
  if (status !== 'paid' || lines.every(line => line.refunded_amount === 0)) return status
  return lines.every(line => line.refunded_amount === line.amount) ? 'refunded' : 'partially_refunded'
}
