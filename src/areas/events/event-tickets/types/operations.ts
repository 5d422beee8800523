import type { Static } from 'typebox'
import { canManageEvent, EventRef, getEvent, getOccurrence, lockEvent } from '#src/areas/events/events/index.ts'
import type { Caller, SignedIn } from '#src/contract/caller.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { type AsCaller, declareFor, type WriteContext } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { readList } from '#src/db/list.ts'
import { toId } from '#src/kit/ids.ts'
import { ticketSeatsAdded, ticketSeatsLeft, ticketTypeUses } from '../hooks.ts'
import {
  deleteTicketTypeRow,
  findTicketType,
  lockTicketType,
  storeTicketType,
  type TicketTypeRow,
  ticketTypeList,
} from './queries.ts'
import { mergedTicketType, ticketTypeInUse, tooManyTicketTypes } from './rules.ts'
import {
  NewTicketType,
  TicketType,
  TicketTypeChanges,
  TicketTypePage,
  TicketTypeRef,
  TicketTypesQuery,
} from './schema.ts'
import { ticketTypeView } from './views.ts'
import { addTicketType, checkTicketType, repriceTicketType } from './writes.ts'

/** An event of the demo data with tickets, for the examples. */
const baking = { event_id: 'slug:open-kitchen' }

const buildTicket = (name: string) => exampleFrom('tkt', 'listTicketTypes', { having: { name } })

const seatsAt = async (
  context: AsCaller<Caller>,
  { eventId, occurrenceId }: { readonly eventId: string; readonly occurrenceId: string | undefined },
  ticketTypeIds: readonly string[],
): Promise<ReadonlyMap<string, number | null> | undefined> => {
  if (occurrenceId === undefined) return undefined
  const { occurrence } = await getOccurrence(context, occurrenceId)
  if (occurrence.event_id !== eventId) throw new Refusal(notFound, 'The event has no such occurrence.')
  const [left = new Map<string, number | null>()] = await ticketSeatsLeft.call({ occurrenceId, ticketTypeIds }, context)
  return left
}

const listTicketTypes = declareFor('anyone', 'events', {
  id: 'listTicketTypes',
  route: 'GET /events/:event_id/ticket-types',
  summary: "List an event's tickets",
  description:
    'Lists the kinds of tickets of an event in the order in which they are shown. With `occurrence_id`, each has the seats that are left of that date. Those who manage the event also see unlisted ones.',
  params: EventRef,
  query: TicketTypesQuery,
  returns: TicketTypePage,
  example: { params: baking },
  async handle(context) {
    const { school, caller, params, query } = context
    const event = await getEvent(context, params.event_id)
    const { occurrence_id: occurrenceId } = query
    const list = ticketTypeList(school.id, { eventId: event.id, all: canManageEvent(caller, event) })
    return readList(context, list, async rows => {
      const left = await seatsAt(
        context,
        { eventId: event.id, occurrenceId },
        rows.map(({ id }) => id),
      )
      return rows.map(row => ticketTypeView(row, left === undefined ? undefined : (left.get(row.id) ?? null)))
    })
  },
})

const noTicket = (): Refusal => new Refusal(notFound, 'There is no such ticket.')

const getRow = async ({ db, school }: Pick<WriteContext, 'db' | 'school'>, id: string): Promise<TicketTypeRow> => {
  const row = await findTicketType(db, school.id, id)
  if (row === undefined) throw noTicket()
  return row
}

const getTicketType = declareFor('anyone', 'events', {
  id: 'getTicketType',
  route: 'GET /ticket-types/:ticket_type_id',
  summary: 'Get a ticket',
  description: 'Returns one kind of ticket. Those who manage its event also see an unlisted one.',
  params: TicketTypeRef,
  returns: TicketType,
  example: { params: { ticket_type_id: buildTicket('Regular') } },
  async handle(context) {
    const row = await getRow(context, context.params.ticket_type_id)
    const event = await getEvent(context, row.event_id).catch((error: unknown) => {
      throw error instanceof Refusal && error.problem === notFound ? noTicket() : error
    })
    if (row.visibility !== 'listed' && !canManageEvent(context.caller, event)) throw noTicket()
    return ticketTypeView(row)
  },
})

const createTicketType = declareFor('staff', 'events', {
  id: 'createTicketType',
  route: 'POST /events/:event_id/ticket-types',
  summary: 'Create a ticket',
  description:
    'Adds a kind of ticket to an event, with its price. The seats of all its kinds together are never more than the capacity of the event.',
  locationPath: '/ticket-types',
  params: EventRef,
  body: NewTicketType,
  returns: TicketType,
  status: 201,
  fails: [tooManyTicketTypes],
  example: { params: baking, body: { name: 'Supporter', amount: 2500, max_per_order: 2 } },
  async handle(context) {
    const { params, body, changed, record } = context
    const event = await lockEvent(context, params.event_id)
    const rowId = await addTicketType(context, event.id, body)
    const row = await getRow(context, rowId)
    const ids = { ticket_type_id: toId('tkt', rowId), event_id: toId('evt', event.id) }
    changed({ ids: [ids.ticket_type_id], fields: Object.keys(body), revision: row.revision })
    record({ type: 'ticket_type.created', payload: ids })
    return ticketTypeView(row)
  },
})

// The event first, as everybody locks them.
const lockTicket = async (context: WriteContext<SignedIn>, id: string): Promise<TicketTypeRow> => {
  const { event_id: eventId } = await getRow(context, id)
  await lockEvent(context, eventId)
  await lockTicketType(context.db, context.school.id, id)
  return getRow(context, id)
}

const mayHaveMore = (before: TicketTypeRow, after: TicketTypeRow): boolean =>
  before.capacity !== null && (after.capacity === null || after.capacity > before.capacity)

const done = (
  context: WriteContext<SignedIn>,
  row: TicketTypeRow,
  fields: readonly string[],
): Static<typeof TicketType> => {
  const ids = { ticket_type_id: toId('tkt', row.id), event_id: toId('evt', row.event_id) }
  context.changed({ ids: [ids.ticket_type_id], fields, revision: row.revision })
  context.record({ type: 'ticket_type.updated', payload: { ...ids, fields } })
  return ticketTypeView(row)
}

const updateTicketType = declareFor('staff', 'events', {
  id: 'updateTicketType',
  route: 'PATCH /ticket-types/:ticket_type_id',
  summary: 'Update a ticket',
  description:
    'Changes the fields of a kind of ticket that the request names. Another `amount` is another price: those who have the ticket keep what they paid, and orders that wait for payment keep their amount.',
  ifMatch: 'honoured',
  params: TicketTypeRef,
  body: TicketTypeChanges,
  returns: TicketType,
  example: { params: { ticket_type_id: buildTicket('Regular') }, body: { description: 'With a loaf to take home' } },
  async handle(context) {
    const { db, school, params, body, requireMatch, record } = context
    const row = await lockTicket(context, params.ticket_type_id)
    await requireMatch(row.revision, () => ticketTypeView(row))
    const { amount = row.amount } = body
    const values = mergedTicketType(row, body)
    await checkTicketType(context, values, amount)
    if (amount !== row.amount) for (const fact of await repriceTicketType(context, row, amount)) record(fact)
    await storeTicketType(db, school.id, row.id, values)
    const stored = await getRow(context, row.id)
    if (mayHaveMore(row, stored)) await ticketSeatsAdded.call({ eventId: row.event_id }, context)
    return done(context, stored, Object.keys(body))
  },
})

const deleteTicketType = declareFor('staff', 'events', {
  id: 'deleteTicketType',
  route: 'DELETE /ticket-types/:ticket_type_id',
  summary: 'Delete a ticket',
  description: 'Deletes a kind of ticket that nobody has or had.',
  ifMatch: 'honoured',
  params: TicketTypeRef,
  returns: undefined,
  fails: [ticketTypeInUse],
  example: { params: { ticket_type_id: buildTicket('Supporter') } },
  async handle(context) {
    const { db, school, params, requireMatch, changed, record } = context
    const row = await lockTicket(context, params.ticket_type_id)
    await requireMatch(row.revision, () => ticketTypeView(row))
    const uses = await ticketTypeUses.call({ ticketTypeId: row.id }, context)
    if (uses.some(count => count > 0)) throw new Refusal(ticketTypeInUse, 'Somebody has or had this ticket.')
    await deleteTicketTypeRow(db, school.id, row.id)
    const ids = { ticket_type_id: toId('tkt', row.id), event_id: toId('evt', row.event_id) }
    changed({ ids: [ids.ticket_type_id], fields: [] })
    record({ type: 'ticket_type.deleted', payload: ids })
  },
})

/** The operations of kinds of tickets, in the order of the documentation. */
export const ticketTypeOperations = [
  listTicketTypes,
  getTicketType,
  createTicketType,
  updateTicketType,
  deleteTicketType,
]
