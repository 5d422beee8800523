import {
  beginRefund,
  cancelPending,
  listLines,
  lockPaidOrder,
  type OrderRow,
  refundTooLarge,
  seatPart,
} from '#src/areas/shop/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import type { Fact } from '#src/contract/fact.ts'
import { Refusal } from '#src/contract/problem.ts'
import type { CancelledBy, RegistrationRow } from '../registration/conditions.ts'
import { findRegistration, storeMove } from '../registration/queries.ts'
import { buildFact } from '../registration/rules.ts'
import { mayMove, type RegistrationStatus } from '../rules.ts'
import { lockSeats, offerFreeSeats } from '../seats/writes.ts'

/** A registration whose order and occurrence are locked, in this order. */
type LockedSeat = { readonly row: RegistrationRow; readonly order: OrderRow | undefined }

/**
 * Locks a registration with what decides about it: the member and the order that pays for it, then the occurrence. Undefined
 * when there is none.
 */
export const lockSeat = async (context: TransactionContext, id: string): Promise<LockedSeat | undefined> => {
  const { db, school } = context
  const before = await findRegistration(db, school.id, id)
  if (before === undefined) return undefined
  const order = before.order_id === null ? undefined : await lockPaidOrder(context, before.order_id)
  await lockSeats(context, before.occurrence_id)
  const row = await findRegistration(db, school.id, id)
  return row && { row, order }
}

/** Whether the status of a registration allows it to be cancelled. */
export const mayCancel = (status: RegistrationStatus): boolean => mayMove('cancel', status)

const refundSeat = async (
  context: TransactionContext,
  { row, order }: LockedSeat,
  reason: 'requested' | 'event_cancelled',
): Promise<readonly Fact[]> => {
  if (order?.status !== 'paid' || row.line_id === null) return []
  const lines = await listLines(context.db, context.school.id, [order.id])
  const line = lines.find(({ id }) => id === row.line_id)
  const part = line && seatPart(line)
  if (part === undefined) return []
  try {
    return (await beginRefund(context, order, { parts: [part], reason })).facts
  } catch (error) {
    // Of a payment that is disputed nothing is left; the seat of an event that does not take place ends all the same.
    if (reason === 'event_cancelled' && error instanceof Refusal && error.problem === refundTooLarge) return []
    throw error
  }
}

/** How a seat is cancelled. */
type Cancelling = { readonly by: CancelledBy; readonly isRefunded: boolean }

/**
 * Cancels a locked registration and offers its seat to the next; refunds what was paid for this seat, and nothing else, where
 * that is wanted. An order that waits for payment ends as a whole. Returns the facts.
 */
export const cancelSeat = async (
  context: TransactionContext,
  seat: LockedSeat,
  { by, isRefunded }: Cancelling,
): Promise<readonly Fact[]> => {
  const { db, school } = context
  const { row, order } = seat
  if (row.status === 'awaiting_payment' && order?.status === 'pending')
    return cancelPending(context, order, by === 'person' ? 'buyer' : 'staff')
  const cancelled = await storeMove(db, school.id, [row.id], { verb: 'cancel', by })
  if (cancelled.length === 0) return []
  const occurrence = await lockSeats(context, row.occurrence_id)
  const offered = occurrence === undefined ? [] : await offerFreeSeats(context, occurrence)
  // Documents of a refund are numbered last.
  const refunded = isRefunded ? await refundSeat(context, seat, by === 'event' ? 'event_cancelled' : 'requested') : []
  return [...cancelled.map(one => buildFact(one, 'cancelled', { by })), ...offered, ...refunded]
}
