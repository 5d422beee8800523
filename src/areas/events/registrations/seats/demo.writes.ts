import { deleteJobs, markEnded, type OccurrenceRow } from '#src/areas/events/events/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import { findTicketTypePrice } from '../offers/queries.ts'
import { insertRegistrations, storeMove } from '../registration/queries.ts'
import { newRegistrations } from '../registration/writes.ts'
import { offeredUntil, scheduleHolds } from './writes.ts'

/** Somebody with a seat that nobody pays for, or who asks or waits for one. */
export type SeatPlan = {
  readonly occurrence: OccurrenceRow
  readonly ticketTypeId: string
  readonly memberId: string | undefined
  readonly status: 'confirmed' | 'checked_in' | 'awaiting_approval' | 'waitlisted' | 'offered'
}

const firstVerbs = {
  confirmed: 'confirm',
  checked_in: 'confirm',
  awaiting_approval: 'ask',
  waitlisted: 'wait',
  offered: 'wait',
} as const

const addSeat = async (context: TransactionContext, plan: SeatPlan): Promise<void> => {
  const { db, school, now } = context
  const { occurrence, ticketTypeId, memberId, status } = plan
  if (memberId === undefined) return
  const [row] = await newRegistrations(context, {
    eventId: occurrence.event_id,
    occurrenceId: occurrence.id,
    ticketTypeId,
    memberId,
    lineId: null,
    priceId: await findTicketTypePrice(db, school.id, ticketTypeId),
    amount: 0,
    quantity: 1,
    attendees: [],
  })
  if (row === undefined) return
  await insertRegistrations(db, school.id, [row], { verb: firstVerbs[status] })
  if (status === 'checked_in') await storeMove(db, school.id, [row.id], { verb: 'check_in' })
  if (status === 'offered')
    await storeMove(db, school.id, [row.id], { verb: 'offer', holdUntil: offeredUntil(occurrence, now) })
  await scheduleHolds(context, occurrence.id)
}

/** Adds seats that cost nothing, one after the other, without a fact or a mail; for demo data. */
export const addSeats = async (context: TransactionContext, plans: readonly SeatPlan[]): Promise<void> => {
  for (const [index, plan] of plans.entries())
    await addSeat({ ...context, now: new Date(context.now.getTime() + index) }, plan)
}

/** Ends a date that is over, as its job would, without a fact; for demo data. */
export const endDate = async ({ db, school }: TransactionContext, occurrenceId: string): Promise<void> => {
  await markEnded(db, school.id, occurrenceId)
  await deleteJobs(db, school.id, [occurrenceId])
}
