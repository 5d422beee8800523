import { addSeats, addTicketType, endDate, listEventOccurrences, type SeatPlan } from '#src/areas/events/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import type { Database } from '#src/contract/db.ts'
import { getSchool } from '#src/db/schools.ts'
import { backdate, DAY } from '../clock.ts'
import { learners } from '../people/learners.ts'
import { findBySlug, findMemberId } from '../queries.ts'

const MINUTE_MS = 60_000

// How long before a date people register for it.
const EARLY = 2 * DAY

/** A date of an event, its number and how long ago it began, in minutes; one that is to come has fewer than none. */
type Held = Pick<SeatPlan, 'occurrence' | 'ticketTypeId'> & { readonly number: number; readonly minutes: number }

// Of those who had joined some more come from week to week, and every sixth does not come after all.
const planGuests = async (context: TransactionContext, { number, minutes, ...seat }: Held): Promise<SeatPlan[]> => {
  const joined = learners.filter(one => one.joined > minutes + EARLY)
  const count = Math.min(joined.length, 2 + Math.floor(number / 2), 9)
  const plans: SeatPlan[] = []
  for (let index = 0; index < count; index++) {
    const guest = joined[(number * 5 + index) % joined.length]
    const memberId = await findMemberId(context.db, context.school.id, guest?.email ?? '')
    plans.push({ ...seat, memberId, status: minutes > 0 && (number + index) % 6 > 0 ? 'checked_in' : 'confirmed' })
  }
  return plans
}

const fillDate = async (context: TransactionContext, held: Held): Promise<void> => {
  const { occurrence, minutes } = held
  const ended = minutes - occurrence.duration_minutes
  // Those who come are checked in as it begins.
  const isOver = ended > 0
  const registered = await backdate(context, isOver ? minutes : 0)
  await addSeats(registered, await planGuests(registered, held))
  if (isOver) await endDate(await backdate(context, ended - 1), occurrence.id)
}

/** Has learners of the demo come to the dates of the event that has taken place for weeks, and register for the next one. */
export const createDemoAttendance = (database: Database, schoolId: string): Promise<void> =>
  database.transaction(schoolId, async (db, now) => {
    const context = { db, school: await getSchool(db, schoolId), now }
    const eventId = await findBySlug(db, schoolId, 'events', 'sunday-loaves')
    if (eventId === undefined) return
    const seat = { name: 'Seat', description: 'With a knife, butter and coffee.', amount: 0 }
    const ticketTypeId = await addTicketType(context, eventId, seat)
    const dates = (await listEventOccurrences(db, schoolId, eventId)).map((occurrence, number) => {
      const minutes = Math.round((now.getTime() - occurrence.starts_at.getTime()) / MINUTE_MS)
      return { occurrence, ticketTypeId, number, minutes }
    })
    const next = dates.find(({ minutes }) => minutes < 0)
    for (const held of dates.filter(({ minutes }) => minutes > 0)) await fillDate(context, held)
    if (next !== undefined) await fillDate(context, next)
  })
