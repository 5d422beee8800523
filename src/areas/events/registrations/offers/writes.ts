import { findEventRow } from '#src/areas/events/events/index.ts'
import { clockNow } from '#src/areas/learning/index.ts'
import { checkAnswers } from '#src/areas/publishing/index.ts'
import type { SchoolContext, TransactionContext } from '#src/contract/context.ts'
import type { Fact } from '#src/contract/fact.ts'
import type { Offer, Reserved, SoldOut } from '#src/contract/offer.ts'
import { recordFacts } from '#src/db/audit.ts'
import type { RegistrationRow } from '../registration/conditions.ts'
import {
  insertRegistrations,
  listRegistrationsById,
  listRegistrationsOfLine,
  storeHold,
  storeMove,
} from '../registration/queries.ts'
import { buildFact } from '../registration/rules.ts'
import { newRegistrations } from '../registration/writes.ts'
import { seatsLeft } from '../seats/rules.ts'
import { lockSeats, offerEndedHolds, offerFreeSeats, readSeats } from '../seats/writes.ts'
import { isOpen } from './rules.ts'

type Line = {
  readonly lineId: string
  readonly offer: Offer
  readonly quantity: number
  readonly memberId: string
  readonly until: Date
}

const SOLD_OUT: SoldOut = { unavailable: 'sold_out' }

const listIds = (rows: readonly RegistrationRow[]): string[] => rows.map(({ id }) => id)

// What the order lost: it expired, or was released with the order, and was never confirmed.
const isLost = ({ status, cancelled_by: by, confirmed_at: at }: RegistrationRow): boolean =>
  at === null && (status === 'expired' || (status === 'cancelled' && by === 'payment'))

// The seats of a line that are held stay so; those that were lost are taken again, if there are as many.
const holdAgain = async (
  context: TransactionContext,
  { lineId, until }: Line,
  occurrenceId: string,
): Promise<Reserved | SoldOut> => {
  const { db, school } = context
  const occurrence = await lockSeats(context, occurrenceId)
  if (occurrence?.status !== 'scheduled') return SOLD_OUT
  // Read once the lock is held: whose hold ended while this waited for it may have lost the seat to another.
  const now = await clockNow(db)
  const rows = await listRegistrationsOfLine(db, school.id, lineId)
  const held = rows.filter(({ status }) => status === 'awaiting_payment')
  const lost = rows.filter(isLost)
  const missing = lost.length + held.filter(({ hold_until: end }) => end === null || end <= now).length
  if (missing > 0) {
    const ticketTypeId = rows[0]?.ticket_type_id ?? null
    const left = seatsLeft(
      await readSeats(context, occurrence, ticketTypeId === null ? [] : [ticketTypeId]),
      ticketTypeId,
    )
    if (left !== null && left < missing) return SOLD_OUT
  }
  await storeHold(db, school.id, listIds(held), { until, lineId })
  await storeMove(db, school.id, listIds(lost), { verb: 'hold_again', holdUntil: until, lineId })
  return { reservedUntil: until }
}

// Seats that were offered or approved wait for the payment of the line from now on.
const holdTaken = async (
  context: TransactionContext,
  { lineId, until }: Line,
  ids: readonly string[],
): Promise<Reserved | SoldOut> => {
  const { db, school } = context
  const rows = await listRegistrationsById(db, school.id, ids)
  await storeMove(db, school.id, ids, { verb: 'take_paid', holdUntil: until, lineId })
  await storeHold(db, school.id, ids, { until, lineId })
  const held = await listRegistrationsOfLine(db, school.id, lineId)
  return rows.length > 0 && held.length === ids.length ? { reservedUntil: until } : SOLD_OUT
}

const holdNew = async (context: TransactionContext, line: Line): Promise<Reserved | SoldOut | undefined> => {
  const { db, school, now } = context
  const { lineId, offer, quantity, memberId, until } = line
  const { occurrenceId, attendees = [], answers = [], registrationIds } = offer.ticket ?? {}
  const occurrence = occurrenceId === undefined ? undefined : await lockSeats(context, occurrenceId)
  if (occurrence === undefined) return undefined
  if (registrationIds !== undefined) return holdTaken(context, line, registrationIds)
  if (!isOpen(occurrence, now)) return SOLD_OUT
  await offerEndedHolds(context, occurrence)
  const left = seatsLeft(await readSeats(context, occurrence, [offer.item.id]), offer.item.id)
  if (left !== null && left < quantity) return SOLD_OUT
  const event = await findEventRow(db, school.id, { memberId, isStaff: true }, occurrence.event_id)
  const rows = await newRegistrations(context, {
    eventId: occurrence.event_id,
    occurrenceId: occurrence.id,
    ticketTypeId: offer.item.id,
    priceId: offer.priceId,
    memberId,
    lineId,
    amount: offer.payment.amount,
    quantity,
    attendees,
    answers: checkAnswers(event?.questions ?? [], answers).answers,
  })
  await insertRegistrations(db, school.id, rows, { verb: 'hold', holdUntil: until })
  await recordFacts(
    db,
    { schoolId: school.id, now },
    rows.map(row => buildFact(row, 'made')),
  )
  return { reservedUntil: until }
}

/** Holds the seats of a line until an instant, by the database's clock; a line that has seats keeps them. */
export const reserveSeats = async (
  { db, school }: SchoolContext,
  line: Line,
): Promise<Reserved | SoldOut | undefined> => {
  const where = { db, school, now: await clockNow(db) }
  const [first] = await listRegistrationsOfLine(db, school.id, line.lineId)
  return first === undefined ? holdNew(where, line) : holdAgain(where, line, first.occurrence_id)
}

/** Gives back the seats of a line that was not paid, and offers them to those who wait. */
export const releaseSeats = async ({ db, school }: SchoolContext, lineId: string): Promise<void> => {
  const [first] = await listRegistrationsOfLine(db, school.id, lineId)
  if (first === undefined) return
  const where = { db, school, now: await clockNow(db) }
  const occurrence = await lockSeats(where, first.occurrence_id)
  const rows = (await listRegistrationsOfLine(db, school.id, lineId)).filter(row => row.status === 'awaiting_payment')
  const isOver = ({ hold_until: end }: RegistrationRow): boolean => end !== null && end <= where.now
  const expired = await storeMove(db, school.id, listIds(rows.filter(isOver)), { verb: 'expire' })
  const others = listIds(rows.filter(row => !isOver(row)))
  const cancelled = await storeMove(db, school.id, others, { verb: 'cancel', by: 'payment' })
  const facts = [
    ...expired.map(row => buildFact(row, 'expired')),
    ...cancelled.map(row => buildFact(row, 'cancelled', { by: 'payment' })),
    ...(occurrence === undefined ? [] : await offerFreeSeats(where, occurrence)),
  ]
  await recordFacts(db, { schoolId: school.id, now: where.now }, facts)
}

/** Confirms the seats of a line that is paid; returns the facts. */
export const confirmSeats = async ({ db, school }: SchoolContext, lineId: string): Promise<readonly Fact[]> => {
  const rows = await listRegistrationsOfLine(db, school.id, lineId)
  const confirmed = await storeMove(db, school.id, listIds(rows), { verb: 'pay' })
  return confirmed.map(row => buildFact(row, 'confirmed'))
}

/** Cancels the seats of a line whose money went back; who was checked in has been there. Returns the facts. */
export const takeBackSeats = async (context: TransactionContext, lineId: string): Promise<readonly Fact[]> => {
  const { db, school } = context
  const [first] = await listRegistrationsOfLine(db, school.id, lineId)
  if (first === undefined) return []
  const occurrence = await lockSeats(context, first.occurrence_id)
  const rows = await listRegistrationsOfLine(db, school.id, lineId)
  const cancelled = await storeMove(db, school.id, listIds(rows), { verb: 'cancel', by: 'refund' })
  const offered = occurrence === undefined ? [] : await offerFreeSeats(context, occurrence)
  return [...cancelled.map(row => buildFact(row, 'cancelled', { by: 'refund' })), ...offered]
}
