import {
  type EventRow,
  findEventRow,
  listEventOccurrences,
  type OccurrenceRow,
} from '#src/areas/events/events/index.ts'
import { isEntitledTo, readAccess } from '#src/areas/learning/index.ts'
import { checkAnswers } from '#src/areas/publishing/index.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import { toLanguage } from '#src/contract/language.ts'
import type { Offer, TicketChoice, Unavailable } from '#src/contract/offer.ts'
import { formatPeriod } from '#src/kit/format.ts'
import { listRegistrationsById } from '../registration/queries.ts'
import { MAX_SEATS } from '../rules.ts'
import { countOwnSeats } from '../seats/queries.ts'
import { seatsLeft } from '../seats/rules.ts'
import { readSeats } from '../seats/writes.ts'
import { findTicketPrice, type TicketOfferRow } from './queries.ts'
import { buildPayment, chosenOccurrence, computeAmount, reasonOfSale } from './rules.ts'

/** Who wants tickets at a price, for which date; undefined for somebody who is not signed in. */
type WantedTickets = {
  readonly priceId: string
  readonly memberId: string | undefined
  readonly at: Date
  readonly ticket?: TicketChoice | undefined
}

/** What a price of a ticket offers before seats are counted. */
export type Found = {
  readonly row: TicketOfferRow
  readonly event: EventRow
  readonly occurrence: OccurrenceRow
  readonly amount: number
}

type Reason = Unavailable['unavailable']

const isInAudience = async (
  { db, school }: SchoolContext,
  { audience, group_ids: groups, plan_ids: plans }: TicketOfferRow,
  memberId: string | undefined,
): Promise<boolean> => {
  if (audience === 'everybody') return true
  if (memberId === undefined) return false
  const bundle =
    audience === 'groups' ? { type: 'group' as const, ids: groups } : { type: 'membership_plan' as const, ids: plans }
  return isEntitledTo(db, school.id, memberId, bundle)
}

const isOpenTo = async (
  { db, school }: SchoolContext,
  eventId: string,
  memberId: string | undefined,
): Promise<boolean> => {
  if (memberId === undefined) return false
  const { access } = await readAccess(db, school.id, { memberId, item: { type: 'event', id: eventId } })
  return access.state === 'active'
}

/** What a price of a ticket offers to somebody, or why it is not available; undefined when no ticket has the price. */
export const findTickets = async (
  context: SchoolContext,
  wanted: WantedTickets,
): Promise<Found | Reason | undefined> => {
  const { db, school } = context
  const { priceId, memberId, at, ticket = {} } = wanted
  const row = await findTicketPrice(db, school.id, priceId)
  if (row === undefined) return undefined
  const event = await findEventRow(db, school.id, { memberId, isStaff: false }, row.event_id)
  if (event?.status !== 'published') return 'not_published'
  const occurrences = await listEventOccurrences(db, school.id, event.id)
  const occurrence = chosenOccurrence(occurrences, ticket.occurrenceId, at)
  if (typeof occurrence === 'string') return occurrence
  const isHeld = ticket.registrationIds !== undefined
  const reason = isHeld ? undefined : reasonOfSale(row, at)
  if (reason !== undefined) return reason
  if (event.visibility === 'members' && memberId === undefined) return 'members_only'
  if (!isHeld && !(await isInAudience(context, row, memberId))) return 'not_for_you'
  if (!isHeld && (ticket.quantity ?? 1) < row.min_per_order) return 'too_few'
  const amount = isHeld ? row.amount : computeAmount(row, ticket, await isOpenTo(context, event.id, memberId))
  return typeof amount === 'string' ? amount : { row, event, occurrence, amount }
}

// What was asked for with an amount of its own keeps it.
const heldAmount = async ({ db, school }: SchoolContext, ids: readonly string[]): Promise<number | undefined> =>
  (await listRegistrationsById(db, school.id, ids))[0]?.amount ?? undefined

const computeMost = async ({ db, school }: SchoolContext, { row, occurrence }: Found, memberId: string | undefined) => {
  const own = memberId === undefined ? 0 : await countOwnSeats(db, school.id, occurrence.id, memberId)
  return Math.max(0, Math.min(row.max_per_order, MAX_SEATS - own))
}

/** What a price of a ticket offers for an order. */
export const findTicketOffer = async (
  context: SchoolContext,
  wanted: WantedTickets,
): Promise<Offer | Unavailable | undefined> => {
  const found = await findTickets(context, wanted)
  if (found === undefined) return undefined
  if (typeof found === 'string') return { unavailable: found }
  const { row, event, occurrence } = found
  const { memberId, ticket = {} } = wanted
  const about = {
    item: { type: 'ticket', id: row.id },
    name: `${event.name}: ${row.name}, ${formatPeriod(occurrence.starts_at, occurrence.ends_at, occurrence.time_zone, toLanguage(context.school.locale))}`,
  } as const
  const { registrationIds } = ticket
  if (row.needs_approval && registrationIds === undefined) return { unavailable: 'needs_approval', about }
  const most = registrationIds === undefined ? await computeMost(context, found, memberId) : registrationIds.length
  const left = registrationIds === undefined ? seatsLeft(await readSeats(context, occurrence, [row.id]), row.id) : null
  if (most === 0 || (left !== null && left < (ticket.quantity ?? 1))) return { unavailable: 'sold_out', about }
  const amount =
    registrationIds === undefined ? found.amount : ((await heldAmount(context, registrationIds)) ?? found.amount)
  return {
    ...about,
    priceId: row.price_id,
    payment: buildPayment(row, amount),
    access: null,
    mostPerOrder: most,
    ticket: { ...ticket, occurrenceId: occurrence.id },
    // Who was offered a seat or approved has answered before.
    answerErrors: registrationIds === undefined ? checkAnswers(event.questions, ticket.answers ?? []).errors : [],
    taxClass: 'standard',
  }
}
