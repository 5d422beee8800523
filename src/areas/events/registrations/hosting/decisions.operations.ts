import { lockOwnOccurrence, OccurrenceRef } from '#src/areas/events/events/index.ts'
import { refundTooLarge } from '#src/areas/shop/index.ts'
import { isStaff } from '#src/contract/caller.ts'
import { soldOut } from '#src/contract/offer.ts'
import { declareFor } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState, notFound, refuseInvalid, roleRequired } from '#src/contract/problems.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import { cancelSeat, mayCancel } from '../cancellation/writes.ts'
import { isOpen } from '../offers/rules.ts'
import type { RegistrationRow } from '../registration/conditions.ts'
import { listRegistrationsById, storeMove, storeOccurrence } from '../registration/queries.ts'
import { buildFact } from '../registration/rules.ts'
import { Registration, RegistrationRef } from '../registration/schema.ts'
import { buildReader, registrationView } from '../registration/views.ts'
import { registrationClosed } from '../rules.ts'
import { seatsLeft, withoutRequests } from '../seats/rules.ts'
import { lockSeats, offeredUntil, offerFreeSeats, readSeats, scheduleHolds } from '../seats/writes.ts'
import { changedView, exampleDate, exampleWith, lockManaged, renderView } from './access.ts'
import { OfferedSeats, RegistrationCancellation, RegistrationMove } from './schema.ts'

const wrongState = ({ status }: RegistrationRow): Refusal => new Refusal(invalidState, `The registration is ${status}.`)

const isFree = ({ amount }: RegistrationRow): boolean => amount === null || amount === 0

const approveRegistration = declareFor('lecturer_of', 'events', {
  id: 'approveRegistration',
  route: 'PUT /registrations/:registration_id/approval',
  summary: 'Approve a registration',
  description:
    'Lets somebody come who asked for it. A free seat is confirmed; one that costs something is held for a day, in which the person can pay for it.',
  params: RegistrationRef,
  returns: Registration,
  fails: [invalidState, soldOut, registrationClosed],
  example: { params: exampleWith('awaiting_approval') },
  async handle(context) {
    const { db, school, params, now, record } = context
    const { row } = await lockManaged(context, params.registration_id)
    const occurrence = await lockSeats(context, row.occurrence_id)
    if (row.status !== 'awaiting_approval') throw wrongState(row)
    if (occurrence === undefined || !isOpen(occurrence, now))
      throw new Refusal(registrationClosed, 'The date has begun or is cancelled.')
    const types = row.ticket_type_id === null ? [] : [row.ticket_type_id]
    const seats = withoutRequests(await readSeats(context, occurrence, types))
    if (seatsLeft(seats, row.ticket_type_id) === 0) throw new Refusal(soldOut, 'No seat is left.')
    const move = isFree(row)
      ? ({ verb: 'approve' } as const)
      : ({ verb: 'approve_paid', holdUntil: offeredUntil(occurrence, now) } as const)
    await storeMove(db, school.id, [row.id], move)
    await scheduleHolds(context, occurrence.id)
    record(buildFact(row, 'approved'))
    if (isFree(row)) record(buildFact(row, 'confirmed'))
    return changedView(context, row.id)
  },
})

const declineRegistration = declareFor('lecturer_of', 'events', {
  id: 'declineRegistration',
  route: 'DELETE /registrations/:registration_id/approval',
  summary: 'Decline a registration',
  description: 'Tells somebody who asked that they cannot come. Nothing was charged.',
  params: RegistrationRef,
  returns: Registration,
  fails: [invalidState],
  example: { params: exampleWith('awaiting_approval') },
  async handle(context) {
    const { db, school, params, record } = context
    const { row } = await lockManaged(context, params.registration_id)
    if (row.status !== 'awaiting_approval') throw wrongState(row)
    await storeMove(db, school.id, [row.id], { verb: 'decline' })
    record(buildFact(row, 'declined'))
    const occurrence = await lockSeats(context, row.occurrence_id)
    for (const fact of occurrence === undefined ? [] : await offerFreeSeats(context, occurrence)) record(fact)
    return changedView(context, row.id)
  },
})

const cancelRegistration = declareFor('lecturer_of', 'events', {
  id: 'cancelRegistration',
  route: 'PUT /registrations/:registration_id/cancellation',
  summary: 'Cancel a registration',
  description:
    'Cancels one seat, whose code then admits nobody; other seats of the same order stay. With `refund: all`, which is for staff, what was paid for it is paid back. A seat that becomes free is offered to the next who waits.',
  params: RegistrationRef,
  body: RegistrationCancellation,
  returns: Registration,
  fails: [invalidState, refundTooLarge],
  example: { params: exampleWith('confirmed'), body: {} },
  async handle(context) {
    const { caller, params, body, record } = context
    const isRefunded = body.refund === 'all'
    const seat = await lockManaged(context, params.registration_id)
    const { row } = seat
    if (!isStaff(caller) && (isRefunded || row.order_id !== null))
      throw new Refusal(roleRequired, 'Only staff cancel what was paid for.')
    if (row.status === 'cancelled') return renderView(context, row.id)
    if (!mayCancel(row.status)) throw wrongState(row)
    if (isRefunded && row.order_id !== null) context.requireProof('recent')
    for (const fact of await cancelSeat(context, seat, { by: 'host', isRefunded })) record(fact)
    return changedView(context, row.id)
  },
})

const moveRegistration = declareFor('lecturer_of', 'events', {
  id: 'moveRegistration',
  route: 'PUT /registrations/:registration_id/occurrence',
  summary: 'Move a registration',
  description: 'Moves a confirmed seat to another date of the same event, with its code and its payment.',
  params: RegistrationRef,
  body: RegistrationMove,
  returns: Registration,
  fails: [invalidState, soldOut, registrationClosed],
  example: { params: exampleWith('confirmed'), body: { occurrence_id: exampleDate } },
  async handle(context) {
    const { db, school, params, body, now, record } = context
    const { row } = await lockManaged(context, params.registration_id)
    if (body.occurrence_id === row.occurrence_id) return renderView(context, row.id)
    if (row.status !== 'confirmed') throw wrongState(row)
    const target = await lockSeats(context, body.occurrence_id)
    if (target?.event_id !== row.event_id)
      refuseInvalid([{ pointer: '/occurrence_id', code: 'unknown', message: 'is not a date of the event' }])
    if (target === undefined) throw new Refusal(notFound, 'There is no such occurrence.')
    if (!isOpen(target, now)) throw new Refusal(registrationClosed, 'The date has begun or is cancelled.')
    const types = row.ticket_type_id === null ? [] : [row.ticket_type_id]
    if (seatsLeft(await readSeats(context, target, types), row.ticket_type_id) === 0)
      throw new Refusal(soldOut, 'No seat is left on that date.')
    // Somebody may be checking it in.
    if ((await storeOccurrence(db, school.id, row.id, target.id)) === 0)
      throw new Refusal(invalidState, 'The registration is not confirmed any more.')
    record(
      buildFact({ ...row, occurrence_id: target.id }, 'moved', { from_occurrence_id: toId('occ', row.occurrence_id) }),
    )
    const left = await lockSeats(context, row.occurrence_id)
    for (const fact of left === undefined ? [] : await offerFreeSeats(context, left)) record(fact)
    return changedView(context, row.id)
  },
})

const offerSeats = declareFor('lecturer_of', 'events', {
  id: 'offerSeats',
  route: 'POST /occurrences/:occurrence_id/offers',
  summary: 'Offer free seats now',
  description:
    'Offers the free seats of a date to those who wait longest, also to those whose offers have passed. Each is held for a day.',
  params: OccurrenceRef,
  returns: OfferedSeats,
  fails: [registrationClosed],
  example: { params: { occurrence_id: exampleDate } },
  async handle(context) {
    const { db, school, caller, params, now, changed, record } = context
    const { event, occurrence } = await lockOwnOccurrence(context, params.occurrence_id)
    if (!isOpen(occurrence, now)) throw new Refusal(registrationClosed, 'The date has begun or is cancelled.')
    const facts = await offerFreeSeats(context, occurrence)
    for (const fact of facts) record(fact)
    const ids = facts.flatMap(({ payload }) => ('registration_id' in payload ? [payload.registration_id] : []))
    if (ids.length > 0) changed({ ids, fields: ['status'] })
    const rows = await listRegistrationsById(
      db,
      school.id,
      ids.flatMap(id => fromId('reg', id) ?? []),
    )
    return {
      data: rows.map(row => registrationView(row, buildReader(caller, event))),
      seats_left: seatsLeft(await readSeats(context, occurrence), null),
    }
  },
})

/** The operations that decide about registrations, in the order of the documentation. */
export const decisionOperations = [
  approveRegistration,
  declineRegistration,
  cancelRegistration,
  moveRegistration,
  offerSeats,
]
