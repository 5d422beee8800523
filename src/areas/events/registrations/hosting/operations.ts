import type { Static } from 'typebox'
import { lockTicketType } from '#src/areas/events/event-tickets/index.ts'
import {
  EventRef,
  type EventRow,
  getOwnEvent,
  lockOwnOccurrence,
  OccurrenceRef,
} from '#src/areas/events/events/index.ts'
import { formatCell } from '#src/areas/publishing/index.ts'
import type { Caller } from '#src/contract/caller.ts'
import { soldOut } from '#src/contract/offer.ts'
import { type AsCaller, type Cells, declareFor } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import { listStatement, readList } from '#src/db/list.ts'
import { lockMember } from '#src/identity/index.ts'
import { toId } from '#src/kit/ids.ts'
import { fold } from '#src/kit/text.ts'
import { mayCancel } from '../cancellation/writes.ts'
import { isOpen } from '../offers/rules.ts'
import { noRegistration } from '../registration/access.ts'
import { type RegistrationFilter, type RegistrationRow, registrationList } from '../registration/conditions.ts'
import { insertRegistrations } from '../registration/queries.ts'
import { buildFact } from '../registration/rules.ts'
import { Registration, RegistrationPage, RegistrationRef, RegistrationsQuery } from '../registration/schema.ts'
import { answersFor, buildReader, readCode, registrationView } from '../registration/views.ts'
import { newRegistrations } from '../registration/writes.ts'
import { registrationClosed } from '../rules.ts'
import { seatsLeft } from '../seats/rules.ts'
import { readSeats } from '../seats/writes.ts'
import { type Context, exampleDate, exampleWith, getManagedRegistration, renderView } from './access.ts'
import { isMember } from './queries.ts'
import { NewHostRegistration } from './schema.ts'

// An event of the demo data with registrations, for the examples.
const bakery = { event_id: 'slug:open-kitchen' }

const CELLS: Cells<RegistrationRow> = {
  id: row => row.id,
  event_name: row => row.event_name,
  starts_at: row => ({ plain: row.starts_local, spreadsheet: row.starts_at }),
  ticket_name: row => row.ticket_name,
  status: row => row.status,
  name: row => row.attendee_name,
  email: row => row.attendee_email,
  code: readCode,
  member_id: row => row.member_id,
  confirmed_at: row => row.confirmed_at,
  checked_in_at: row => row.checked_in_at,
  created_at: row => row.created_at,
}

type Query = Static<typeof RegistrationsQuery>

const readFilter = ({ caller }: AsCaller<Caller>, event: EventRow, query: Query): RegistrationFilter => ({
  eventId: event.id,
  hidesEmail: !buildReader(caller, event).seesEmail,
  occurrenceId: query.occurrence_id,
  ticketTypeId: query.ticket_type_id,
  status: query.status,
  isCheckedIn: query.checked_in,
  q: query.q === undefined ? undefined : fold(query.q),
})

const listEventRegistrations = declareFor('lecturer_of', 'events', {
  id: 'listEventRegistrations',
  route: 'GET /events/:event_id/registrations',
  summary: "List an event's registrations",
  description:
    'Lists the registrations of an event: one for each seat, with who comes. Addresses are there with the scope `students:read` only, for staff also with `members:read`. As CSV it has a column for each question.',
  params: EventRef,
  query: RegistrationsQuery,
  returns: RegistrationPage,
  example: { params: bakery },
  csv: {
    cells: CELLS,
    async moreCells(context) {
      const event = await getOwnEvent(context, context.params.event_id)
      const reader = buildReader(context.caller, event)
      const createAnswerCell = (id: string) => (row: RegistrationRow) => {
        const answer = answersFor(row, reader).find(({ field_id: field }) => field === id)
        return answer === undefined ? null : formatCell(answer)
      }
      return Object.fromEntries(event.questions.map(({ id, label }) => [`${label} (${id})`, createAnswerCell(id)]))
    },
    async statement(context) {
      const event = await getOwnEvent(context, context.params.event_id)
      return listStatement(registrationList(context.school.id, readFilter(context, event, context.query)))
    },
  },
  async handle(context) {
    const { school, caller, params, query } = context
    const event = await getOwnEvent(context, params.event_id)
    const reader = buildReader(caller, event)
    return readList(context, registrationList(school.id, readFilter(context, event, query)), rows =>
      rows.map(row => registrationView(row, reader)),
    )
  },
})

const listActions = ({ status }: RegistrationRow): string[] => [
  'getRegistration',
  ...(status === 'awaiting_approval' ? ['approveRegistration', 'declineRegistration'] : []),
  ...(mayCancel(status) ? ['cancelRegistration', 'moveRegistration'] : []),
  ...(status === 'confirmed' ? ['checkInRegistration'] : []),
  ...(status === 'checked_in' ? ['undoCheckIn'] : []),
]

const getRegistration = declareFor('lecturer_of', 'events', {
  id: 'getRegistration',
  route: 'GET /registrations/:registration_id',
  summary: 'Get a registration',
  description: 'Returns one registration for an event, to its hosts and to staff.',
  params: RegistrationRef,
  returns: Registration,
  example: { params: exampleWith('confirmed') },
  async handle(context) {
    const { row, event } = await getManagedRegistration(context, context.params.registration_id)
    const view = registrationView(row, buildReader(context.caller, event))
    return { ...view, allowed_actions: context.allowedActions(listActions(row)) }
  },
})

const checkPerson = async (context: Context, { member_id: id, attendee }: Static<typeof NewHostRegistration>) => {
  if (id === undefined && attendee === undefined)
    refuseInvalid([{ pointer: '/attendee', code: 'required', message: 'is missing where no member is named' }])
  if (id === undefined) return
  if (!(await isMember(context.db, context.school.id, id)))
    refuseInvalid([{ pointer: '/member_id', code: 'unknown', message: 'is not a member of the school' }])
  await lockMember(context.db, context.school.id, id)
}

const createRegistration = declareFor('lecturer_of', 'events', {
  id: 'createRegistration',
  route: 'POST /occurrences/:occurrence_id/registrations',
  summary: 'Add a registration',
  description:
    'Registers a member, or somebody without an account by name, for a date of an event, free of charge. It takes a seat like any other. With an address the person gets the code and all mails about the date, also without an account.',
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
      await readSeats(context, occurrence, ticketTypeId === null ? [] : [ticketTypeId]),
      ticketTypeId,
    )
    if (left === 0) throw new Refusal(soldOut, 'No seat is left.')
    const [row] = await newRegistrations(context, {
      eventId: occurrence.event_id,
      occurrenceId: occurrence.id,
      ticketTypeId,
      priceId: null,
      lineId: null,
      memberId: body.member_id ?? null,
      amount: 0,
      quantity: 1,
      attendees: body.attendee === undefined ? [] : [body.attendee],
    })
    if (row === undefined) throw noRegistration()
    await insertRegistrations(db, school.id, [row], { verb: 'confirm' })
    changed({ ids: [toId('reg', row.id)], fields: Object.keys(body), revision: 1 })
    record(buildFact(row, 'made'))
    record(buildFact(row, 'confirmed'))
    return renderView(context, row.id)
  },
})

/** The operations that list and add registrations, in the order of the documentation. */
export const hostingOperations = [listEventRegistrations, getRegistration, createRegistration]
