import {
  addSeats,
  addTicketType,
  listEventOccurrences,
  type SeatPlan,
  type TicketTypeInput,
} from '#src/areas/events/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import type { Database, Db } from '#src/contract/db.ts'
import { getSchool } from '#src/db/schools.ts'
import { people } from '../people/people.ts'
import { findBySlug, findMemberId, hasRows } from '../queries.ts'

const kitchenTickets = [
  { name: 'Regular', description: 'A place at the long table, with flour and tea.', amount: 1500 },
  { name: 'Guest', description: 'For whoever comes to look.', amount: 0, capacity: 4, max_per_order: 2 },
  { name: 'Helper', description: 'You light the ovens with us.', amount: 0, needs_approval: true },
  { name: 'Supporter', amount: 1000, visibility: 'unlisted' },
] as const

const addTickets = async (context: TransactionContext, eventId: string, tickets: readonly TicketTypeInput[]) => {
  const ids: string[] = []
  for (const ticket of tickets) ids.push(await addTicketType(context, eventId, { ...ticket }))
  return ids
}

const members = async (db: Db, schoolId: string) => {
  const [ada, dev, eli, femi] = await Promise.all(
    [people.ada, people.dev, people.eli, people.femi].map(({ email }) => findMemberId(db, schoolId, email)),
  )
  return { ada, dev, eli, femi }
}

const fillKitchen = async (context: TransactionContext, eventId: string): Promise<void> => {
  const { db, school } = context
  const [, guest = '', helper = ''] = await addTickets(context, eventId, kitchenTickets)
  const [first, second] = await listEventOccurrences(db, school.id, eventId)
  if (first === undefined || second === undefined) return
  const { ada, dev, eli, femi } = await members(db, school.id)
  const at = (ticketTypeId: string, memberId: string | undefined, status: SeatPlan['status']): SeatPlan => ({
    occurrence: first,
    ticketTypeId,
    memberId,
    status,
  })
  await addSeats(context, [
    at(guest, dev, 'confirmed'),
    at(guest, eli, 'confirmed'),
    at(helper, femi, 'confirmed'),
    at(helper, dev, 'confirmed'),
    at(helper, eli, 'awaiting_approval'),
    at(helper, femi, 'awaiting_approval'),
    at(guest, femi, 'checked_in'),
    at(helper, ada, 'confirmed'),
    { ...at(guest, ada, 'offered'), occurrence: second },
  ])
}

const fillNight = async (context: TransactionContext, eventId: string): Promise<void> => {
  const { db, school } = context
  const [entry = ''] = await addTickets(context, eventId, [{ name: 'Entry', amount: 2500 }])
  const [date] = await listEventOccurrences(db, school.id, eventId)
  if (date === undefined) return
  const { ada, dev, eli } = await members(db, school.id)
  const at = (memberId: string | undefined, status: SeatPlan['status']): SeatPlan => ({
    occurrence: date,
    ticketTypeId: entry,
    memberId,
    status,
  })
  await addSeats(context, [at(dev, 'confirmed'), at(eli, 'confirmed'), at(ada, 'waitlisted')])
}

/** Adds tickets and registrations to the events of the demo: one event with some of each status, and one that is sold out. */
export const createDemoRegistrations = async (database: Database, schoolId: string): Promise<void> => {
  await database.transaction(schoolId, async (db, now) => {
    if (await hasRows(db, schoolId, 'ticket_types')) return
    const where = { db, school: await getSchool(db, schoolId), now }
    const kitchen = await findBySlug(db, schoolId, 'events', 'open-kitchen')
    const night = await findBySlug(db, schoolId, 'events', 'night-of-ovens')
    if (kitchen !== undefined) await fillKitchen(where, kitchen)
    if (night !== undefined) await fillNight(where, night)
  })
}
