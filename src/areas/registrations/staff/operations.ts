import type { Static } from 'typebox'
import { lockTicketType } from '#src/areas/event-tickets/index.ts'
import { EventRef, getOwnEvent, lockOwnOccurrence, OccurrenceRef } from '#src/areas/events/index.ts'
import { cellOf } from '#src/areas/form-submissions/index.ts'
import { refundTooLarge } from '#src/areas/payments/index.ts'
import { isStaff, type SignedIn } from '#src/contract/caller.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { soldOut } from '#src/contract/offer.ts'
import { type Cells, operation, type WriteContext } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState, notFound, refuseInvalid, roleRequired } from '#src/contract/problems.ts'
import { listStatement, readList } from '#src/db/list.ts'
import { lockMember } from '#src/identity/index.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import { fold } from '#src/kit/text.ts'
import { cancelSeat, lockSeat, mayCancel } from '../cancellation/writes.ts'
import { isOpen } from '../offers/rules.ts'
import { getManagedRegistration, noRegistration } from '../registration/access.ts'
import {
  findRegistration,
  insertRegistrations,
  listRegistrationsById,
  type RegistrationFilter,
  type RegistrationRow,
  registrationList,
  storeMove,
  storeOccurrence,
} from '../registration/queries.ts'
import { factOf } from '../registration/rules.ts'
import { Registration, RegistrationPage, RegistrationRef, RegistrationsQuery } from '../registration/schema.ts'
import { readerOf, registrationView } from '../registration/views.ts'
import { newRegistrations } from '../registration/writes.ts'
import { registrationClosed, shownCode, type Verb } from '../rules.ts'
import { seatsLeft } from '../seats/rules.ts'
import { lockSeats, offeredUntil, offerFreeSeats, scheduleHolds, seatsOf } from '../seats/writes.ts'
import { isMember } from './queries.ts'
import { NewHostRegistration, OfferedSeats, RegistrationCancellation, RegistrationMove } from './schema.ts'

/** An event of the demo data with registrations, for the examples. */
const bakery = { event_id: 'slug:open-kitchen' }

/** A registration of that event with a status, for the examples. */
export const exampleWith = (status: string) => ({
  registration_id: exampleFrom('reg', 'listEventRegistrations', { having: { status } }),
})

/** A date of that event, for the examples. */
export const exampleDate = exampleFrom('occ', 'listOccurrences')

const manages = { scope: 'events:write', who: 'lecturer_of', mode: 'write' } as const

type Context = WriteContext<SignedIn>

const CELLS: Cells<RegistrationRow> = {
  id: row => row.id,
  event_name: row => row.event_name,
  starts_at: row => row.starts_local,
  ticket_name: row => row.ticket_name,
  status: row => row.status,
  name: row => row.attendee_name,
  email: row => row.attendee_email,
  code: row => shownCode(row.code),
  member_id: row => row.member_id,
  confirmed_at: row => row.confirmed_at,
  checked_in_at: row => row.checked_in_at,
  created_at: row => row.created_at,
}

const filterOf = (eventId: string, query: Static<typeof RegistrationsQuery>): RegistrationFilter => ({
  eventId,
  occurrenceId: query.occurrence_id,
  ticketTypeId: query.ticket_type_id,
  status: query.status,
  isCheckedIn: query.checked_in,
  q: query.q === undefined ? undefined : fold(query.q),
})

const listEventRegistrations = operation({
  id: 'listEventRegistrations',
  route: 'GET /events/:event_id/registrations',
  summary: "List an event's registrations",
  description:
    'Lists the registrations of an event: one for each seat, with who comes. Hosts who are not staff see addresses with the scope `students:read` only. As CSV it has a column for each question.',
  scope: 'events:read',
  who: 'lecturer_of',
  mode: 'read',
  params: EventRef,
  query: RegistrationsQuery,
  returns: RegistrationPage,
  example: { params: bakery },
  csv: {
    cells: CELLS,
    async moreCells(context) {
      const event = await getOwnEvent(context, context.params.event_id)
      const answerOf = (id: string) => (row: RegistrationRow) => {
        const answer = row.answers.find(({ field_id: field }) => field === id)
        return answer === undefined ? null : cellOf(answer)
      }
      return Object.fromEntries(event.questions.map(({ id, label }) => [`${label} (${id})`, answerOf(id)]))
    },
    async statement(context) {
      const event = await getOwnEvent(context, context.params.event_id)
      return listStatement(registrationList(context.school.id, filterOf(event.id, context.query)))
    },
  },
  async handle(context) {
    const { school, caller, params, query } = context
    const event = await getOwnEvent(context, params.event_id)
    const reader = readerOf(caller, event)
    return readList(context, registrationList(school.id, filterOf(event.id, query)), rows =>
      rows.map(row => registrationView(row, reader)),
    )
  },
})

const actionsOf = ({ status }: RegistrationRow): string[] => [
  'getRegistration',
  ...(status === 'awaiting_approval' ? ['approveRegistration', 'declineRegistration'] : []),
  ...(mayCancel(status) ? ['cancelRegistration', 'moveRegistration'] : []),
  ...(status === 'confirmed' ? ['checkInRegistration'] : []),
  ...(status === 'checked_in' ? ['undoCheckIn'] : []),
]

const getRegistration = operation({
  id: 'getRegistration',
  route: 'GET /registrations/:registration_id',
  summary: 'Get a registration',
  description: 'Returns one registration for an event, to its hosts and to staff.',
  scope: 'events:read',
  who: 'lecturer_of',
  mode: 'read',
  params: RegistrationRef,
  returns: Registration,
  example: { params: exampleWith('confirmed') },
  async handle(context) {
    const { row, event } = await getManagedRegistration(context, context.params.registration_id)
    const view = registrationView(row, readerOf(context.caller, event))
    return { ...view, allowed_actions: context.allowedActions(actionsOf(row)) }
  },
})

const viewOf = async (context: Context, id: string): Promise<Static<typeof Registration>> => {
  const { row, event } = await getManagedRegistration(context, id)
  return registrationView(row, readerOf(context.caller, event))
}

const changedView = async (context: Context, id: string): Promise<Static<typeof Registration>> => {
  const view = await viewOf(context, id)
  context.changed({
    ids: [toId('reg', id)],
    fields: ['status'],
    revision: view.revision,
    ...(view.member_id === null ? {} : { memberId: view.member_id }),
  })
  return view
}

const checkPerson = async (context: Context, { member_id: id, attendee }: Static<typeof NewHostRegistration>) => {
  if (id === undefined && attendee === undefined)
    refuseInvalid([{ pointer: '/attendee', code: 'required', message: 'is missing where no member is named' }])
  if (id === undefined) return
  if (!(await isMember(context.db, context.school.id, id)))
    refuseInvalid([{ pointer: '/member_id', code: 'unknown', message: 'is not a member of the school' }])
  await lockMember(context.db, context.school.id, id)
}

const addRegistration = operation({
  id: 'addRegistration',
  route: 'POST /occurrences/:occurrence_id/registrations',
  summary: 'Add a registration',
  description:
    'Registers a member, or somebody without an account by name, for a date of an event, free of charge. It takes a seat like any other.',
  ...manages,
  locationPath: '/registrations',
  params: OccurrenceRef,
  body: NewHostRegistration,
  returns: Registration,
  status: 201,
  fails: [soldOut, registrationClosed],
  example: { params: { occurrence_id: exampleDate }, body: { attendee: { name: 'Noor Visser' } } },
  async handle(context) {
    const { db, school, params, body, now, changed, record } = context
    await checkPerson(context, body)
    const { occurrence } = await lockOwnOccurrence(context, params.occurrence_id)
    const ticketTypeId = body.ticket_type_id ?? null
    if (ticketTypeId !== null && (await lockTicketType(db, school.id, ticketTypeId)) !== occurrence.event_id)
      refuseInvalid([{ pointer: '/ticket_type_id', code: 'unknown', message: 'is not a ticket of the event' }])
    if (!isOpen(occurrence, now)) throw new Refusal(registrationClosed, 'The date has begun or is cancelled.')
    const left = seatsLeft(
      await seatsOf(context, occurrence, ticketTypeId === null ? [] : [ticketTypeId]),
      ticketTypeId,
    )
    if (left === 0) throw new Refusal(soldOut, 'No seat is left.')
    const [row] = await newRegistrations(context, {
      ...{ eventId: occurrence.event_id, occurrenceId: occurrence.id, ticketTypeId, priceId: null, lineId: null },
      ...{ memberId: body.member_id ?? null, amount: 0, quantity: 1 },
      attendees: body.attendee === undefined ? [] : [body.attendee],
    })
    if (row === undefined) throw noRegistration()
    await insertRegistrations(db, school.id, [row], { verb: 'confirm' })
    changed({ ids: [toId('reg', row.id)], fields: Object.keys(body), revision: 1 })
    record(factOf(row, 'made'))
    record(factOf(row, 'confirmed'))
    return viewOf(context, row.id)
  },
})

/** The registration in a path for those who manage its event, locked with its order and occurrence. */
const lockManaged = async (context: Context, id: string) => {
  await getManagedRegistration(context, id)
  const seat = await lockSeat(context, id)
  if (seat === undefined) throw noRegistration()
  return seat
}

const wrongState = ({ status }: RegistrationRow): Refusal => new Refusal(invalidState, `The registration is ${status}.`)

const isFree = ({ amount }: RegistrationRow): boolean => amount === null || amount === 0

const approveRegistration = operation({
  id: 'approveRegistration',
  route: 'PUT /registrations/:registration_id/approval',
  summary: 'Approve a registration',
  description:
    'Lets somebody come who asked for it. A free seat is confirmed; one that costs something is held for a day, in which the person can pay for it.',
  ...manages,
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
    if (seatsLeft(await seatsOf(context, occurrence, types), row.ticket_type_id) === 0)
      throw new Refusal(soldOut, 'No seat is left.')
    const move = isFree(row)
      ? ({ verb: 'approve' } as const)
      : ({ verb: 'approve_paid', holdUntil: offeredUntil(occurrence, now) } as const)
    await storeMove(db, school.id, [row.id], move)
    await scheduleHolds(context, occurrence.id)
    record(factOf(row, 'approved'))
    if (isFree(row)) record(factOf(row, 'confirmed'))
    return changedView(context, row.id)
  },
})

const declineRegistration = operation({
  id: 'declineRegistration',
  route: 'DELETE /registrations/:registration_id/approval',
  summary: 'Decline a registration',
  description: 'Tells somebody who asked that they cannot come. Nothing was charged.',
  ...manages,
  params: RegistrationRef,
  returns: Registration,
  fails: [invalidState],
  example: { params: exampleWith('awaiting_approval') },
  async handle(context) {
    const { db, school, params, record } = context
    const { row } = await lockManaged(context, params.registration_id)
    if (row.status !== 'awaiting_approval') throw wrongState(row)
    await storeMove(db, school.id, [row.id], { verb: 'decline' })
    record(factOf(row, 'declined'))
    return changedView(context, row.id)
  },
})

const cancelRegistration = operation({
  id: 'cancelRegistration',
  route: 'PUT /registrations/:registration_id/cancellation',
  summary: 'Cancel a registration',
  description:
    'Cancels one seat, whose code then admits nobody; other seats of the same order stay. With `refund`, which is for staff, what was paid for it is paid back. A seat that becomes free is offered to the next who waits.',
  ...manages,
  params: RegistrationRef,
  body: RegistrationCancellation,
  returns: Registration,
  fails: [invalidState, refundTooLarge],
  example: { params: exampleWith('confirmed'), body: {} },
  async handle(context) {
    const { caller, params, body, record } = context
    const { refund = false } = body
    const seat = await lockManaged(context, params.registration_id)
    const { row } = seat
    if (!isStaff(caller) && (refund || row.order_id !== null))
      throw new Refusal(roleRequired, 'Only staff cancel what was paid for.')
    if (row.status === 'cancelled') return viewOf(context, row.id)
    if (!mayCancel(row.status)) throw wrongState(row)
    for (const fact of await cancelSeat(context, seat, { by: 'host', isRefunded: refund })) record(fact)
    return changedView(context, row.id)
  },
})

const moveRegistration = operation({
  id: 'moveRegistration',
  route: 'PUT /registrations/:registration_id/occurrence',
  summary: 'Move a registration',
  description: 'Moves a confirmed seat to another date of the same event, with its code and its payment.',
  ...manages,
  params: RegistrationRef,
  body: RegistrationMove,
  returns: Registration,
  fails: [invalidState, soldOut, registrationClosed],
  example: { params: exampleWith('confirmed'), body: { occurrence_id: exampleDate } },
  async handle(context) {
    const { db, school, params, body, now, record } = context
    const { row } = await lockManaged(context, params.registration_id)
    if (body.occurrence_id === row.occurrence_id) return viewOf(context, row.id)
    if (row.status !== 'confirmed') throw wrongState(row)
    const target = await lockSeats(context, body.occurrence_id)
    if (target?.event_id !== row.event_id)
      refuseInvalid([{ pointer: '/occurrence_id', code: 'unknown', message: 'is not a date of the event' }])
    if (target === undefined) throw new Refusal(notFound, 'There is no such occurrence.')
    if (!isOpen(target, now)) throw new Refusal(registrationClosed, 'The date has begun or is cancelled.')
    const types = row.ticket_type_id === null ? [] : [row.ticket_type_id]
    if (seatsLeft(await seatsOf(context, target, types), row.ticket_type_id) === 0)
      throw new Refusal(soldOut, 'No seat is left on that date.')
    await storeOccurrence(db, school.id, row.id, target.id)
    record(factOf({ ...row, occurrence_id: target.id }, 'moved', { from: toId('occ', row.occurrence_id) }))
    const left = await lockSeats(context, row.occurrence_id)
    for (const fact of left === undefined ? [] : await offerFreeSeats(context, left)) record(fact)
    return changedView(context, row.id)
  },
})

const offerSeats = operation({
  id: 'offerSeats',
  route: 'POST /occurrences/:occurrence_id/offers',
  summary: 'Offer free seats now',
  description:
    'Offers the free seats of a date to those who wait longest, also to those whose offers have passed. Each is held for a day.',
  ...manages,
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
    const ids = facts.map(({ payload }) => String(payload.registration))
    if (ids.length > 0) changed({ ids, fields: ['status'] })
    const rows = await listRegistrationsById(
      db,
      school.id,
      ids.flatMap(id => fromId('reg', id) ?? []),
    )
    return {
      data: rows.map(row => registrationView(row, readerOf(caller, event))),
      seats_left: seatsLeft(await seatsOf(context, occurrence), null),
    }
  },
})

/** Moves a registration that those who manage the event have locked, by a verb. */
export const moveBy = async (context: Context, id: string, verb: Extract<Verb, 'check_in' | 'undo_check_in'>) => {
  const { db, school } = context
  const { event } = await getManagedRegistration(context, id)
  const moved = await storeMove(db, school.id, [id], { verb })
  const row = await findRegistration(db, school.id, id)
  if (row === undefined) throw noRegistration()
  return { row, event, isMoved: moved.length > 0 }
}

/** The operations on the registrations of events, in the order of the documentation. */
export const staffRegistrationOperations = [
  listEventRegistrations,
  getRegistration,
  addRegistration,
  approveRegistration,
  declineRegistration,
  cancelRegistration,
  moveRegistration,
  offerSeats,
]
