import { ticketSeatsAdded, ticketSeatsLeft, ticketTypeUses } from '#src/areas/events/event-tickets/index.ts'
import {
  attendedOccurrences,
  calendarDates,
  findOccurrenceRow,
  occurrenceRegistrations,
  occurrenceSeats,
  occurrencesCancelled,
  seatsAdded,
} from '#src/areas/events/events/index.ts'
import { clockNow } from '#src/areas/learning/index.ts'
import { type Departure, findMember, memberDeparture, memberRunning, provenAddress } from '#src/areas/people/index.ts'
import type { SchoolContext, TransactionContext } from '#src/contract/context.ts'
import type { Fact } from '#src/contract/fact.ts'
import { MAX_IDS } from '#src/contract/facts/declaration.ts'
import { implement } from '#src/contract/hook.ts'
import { fillEach, formatMoneyInEach } from '#src/contract/language.ts'
import { beginsAt, fulfil, offerOf, release, reserve, unfulfil } from '#src/contract/offer.ts'
import { memberErasure, memberMerge, personalData } from '#src/contract/personal-data.ts'
import { putJob } from '#src/db/jobs.ts'
import { toId } from '#src/kit/ids.ts'
import { instant } from '#src/kit/instant.ts'
import { texts } from '#src/texts/index.ts'
import { CANCELLATION_JOB } from './cancellation/jobs.ts'
import { insertRefunds, listPaidSeats } from './cancellation/queries.ts'
import { sumToRefund } from './cancellation/rules.ts'
import { findTicketOffer } from './offers/lookups.ts'
import { confirmSeats, releaseSeats, reserveSeats, takeBackSeats } from './offers/writes.ts'
import { listAttended, listCalendarDates } from './registration/calendar.queries.ts'
import type { RegistrationRow } from './registration/conditions.ts'
import {
  countUses,
  eraseAttendee,
  findFirstStart,
  listMemberRegistrations,
  moveRegistrations,
  storeMove,
} from './registration/queries.ts'
import { buildFact } from './registration/rules.ts'
import { mayMove } from './rules.ts'
import { countRegistered, countSeats, listWaitedFor } from './seats/queries.ts'
import { seatsLeft } from './seats/rules.ts'
import { lockSeats, OFFER_JOB, offerFreeSeats, readSeats } from './seats/writes.ts'

const offerAll = async (context: TransactionContext, occurrenceIds: readonly string[]): Promise<readonly Fact[]> => {
  const facts: Fact[] = []
  for (const id of occurrenceIds.toSorted()) {
    const occurrence = await lockSeats(context, id)
    if (occurrence !== undefined) facts.push(...(await offerFreeSeats(context, occurrence)))
  }
  return facts
}

const listEndable = async ({ db, school }: SchoolContext, memberId: string): Promise<RegistrationRow[]> =>
  (await listMemberRegistrations(db, school.id, memberId)).filter(
    ({ status, is_over }) => !is_over && mayMove('cancel', status),
  )

// The seats of a member who goes are free again; what they did stays, and so do the counts of dates that are over.
const cancelAll = async (context: TransactionContext, memberId: string, by: Departure): Promise<readonly Fact[]> => {
  const open = await listEndable(context, memberId)
  const occurrenceIds = [...new Set(open.map(row => row.occurrence_id))].toSorted()
  for (const id of occurrenceIds) await lockSeats(context, id)
  const ids = open.map(({ id }) => id)
  const cancelled = await storeMove(context.db, context.school.id, ids, { verb: 'cancel', by })
  const facts = cancelled.map(row => ({
    ...buildFact(by === 'erasure' ? { ...row, member_id: null } : row, 'cancelled', { by }),
    effects: texts.events.registrations.implementations.cancelAll.cancelled,
  }))
  const offered = (await offerAll(context, occurrenceIds)).map(fact => ({
    ...fact,
    effects: texts.events.registrations.implementations.cancelAll.offered,
  }))
  return [...facts, ...offered]
}

const buildRow = (row: RegistrationRow) => ({
  id: toId('reg', row.id),
  event: row.event_name,
  starts_at: instant(row.starts_at),
  ticket: row.ticket_name,
  status: row.status,
  attendee_name: row.attendee_name,
  attendee_email: row.attendee_email,
  answers: row.answers,
  created_at: instant(row.created_at),
  checked_in_at: instant(row.checked_in_at),
})

const cancellation = async (
  { db, school }: SchoolContext,
  occurrenceIds: readonly string[],
  refund: 'all' | 'none',
): Promise<Fact> => {
  const counts = await countRegistered(db, school.id, occurrenceIds)
  const { orders, amount, currency } = sumToRefund(await listPaidSeats(db, school.id, occurrenceIds))
  const isPaidBack = refund === 'all' && amount > 0 && currency !== undefined
  const { ending } = texts.events.registrations.implementations
  const registrations = counts.reduce((sum, one) => sum + one.active, 0)
  return {
    type: 'registrations.ending',
    payload: {
      occurrence_ids: occurrenceIds.slice(0, MAX_IDS).map(id => toId('occ', id)),
      count: occurrenceIds.length,
      registration_count: registrations,
      order_count: orders,
      refund,
    },
    effects: {
      access: fillEach(ending.access, { n: registrations }),
      ...(isPaidBack && { money: fillEach(ending.money, { sum: formatMoneyInEach(amount, currency), orders }) }),
    },
  }
}

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(offerOf, (wanted, context) => findTicketOffer(context, wanted)),
  implement(reserve, async (line, context) =>
    line.offer.item.type === 'ticket' ? reserveSeats(context, line) : undefined,
  ),
  implement(release, ({ lineId }, context) => releaseSeats(context, lineId)),
  implement(fulfil, async ({ lineId, offer }, context) =>
    offer.item.type === 'ticket' ? confirmSeats(context, lineId) : [],
  ),
  implement(unfulfil, ({ lineId, now }, context) => takeBackSeats({ ...context, now }, lineId)),
  implement(beginsAt, ({ lineIds }, { db, school }) => findFirstStart(db, school.id, lineIds)),
  implement(ticketTypeUses, ({ ticketTypeId }, { db, school }) => countUses(db, school.id, ticketTypeId)),
  implement(ticketSeatsLeft, async ({ occurrenceId, ticketTypeIds }, context) => {
    const occurrence = await findOccurrenceRow(context.db, context.school.id, occurrenceId)
    const seats = occurrence && (await readSeats(context, occurrence, ticketTypeIds))
    return new Map(ticketTypeIds.map(id => [id, seats === undefined ? null : seatsLeft(seats, id)]))
  }),
  implement(ticketSeatsAdded, async ({ eventId }, { db, school }) => {
    const dueAt = await clockNow(db)
    for (const id of await listWaitedFor(db, school.id, eventId))
      await putJob(db, school.id, { kind: OFFER_JOB, id, dueAt })
  }),
  implement(occurrenceSeats, async ({ occurrenceIds }, { db, school }) => {
    const counts = Map.groupBy(await countSeats(db, school.id, occurrenceIds), row => row.occurrence_id)
    return new Map(
      [...counts].map(([id, rows]) => [
        id,
        {
          taken: rows.reduce((sum, row) => sum + row.taken + row.requested, 0),
          waiting: rows.reduce((sum, row) => sum + row.waiting, 0),
        },
      ]),
    )
  }),
  implement(occurrenceRegistrations, async ({ occurrenceIds }, { db, school }) => {
    const rows = await countRegistered(db, school.id, occurrenceIds)
    return new Map(
      rows.map(row => [
        row.occurrence_id,
        { active: row.active, people: row.people, ever: row.ever, isPaid: row.is_paid },
      ]),
    )
  }),
  implement(attendedOccurrences, ({ memberId, occurrenceIds }, { db, school }) =>
    listAttended(db, school.id, memberId, occurrenceIds),
  ),
  implement(calendarDates, ({ memberId, endsAfter }, { db, school }) =>
    listCalendarDates(db, school.id, memberId, endsAfter),
  ),
  implement(occurrencesCancelled, async ({ occurrenceIds, refund, message, now }, context) => {
    const { db, school } = context
    const fact = await cancellation(context, occurrenceIds, refund)
    await insertRefunds(db, school.id, occurrenceIds, { refund, message })
    for (const id of occurrenceIds) await putJob(db, school.id, { kind: CANCELLATION_JOB, id, dueAt: now })
    return [fact]
  }),
  implement(seatsAdded, ({ occurrenceIds, now }, context) => offerAll({ ...context, now }, occurrenceIds)),
  implement(memberRunning, async ({ memberId }, context) => ({
    registrations: (await listEndable(context, memberId)).length,
  })),
  implement(memberDeparture, ({ memberId, reason, now }, context) => cancelAll({ ...context, now }, memberId, reason)),
  // Who was merged is still somebody, so the seats for their earlier address stay.
  implement(memberErasure, async ({ memberId, intoId }, { db, school }) => {
    const row = intoId === undefined ? await findMember(db, school.id, memberId) : undefined
    await eraseAttendee(db, school.id, memberId, row?.email_folded)
  }),
  implement(memberMerge, async ({ fromId, intoId }, { db, school }) => {
    await moveRegistrations(db, school.id, fromId, intoId)
  }),
  implement(personalData, async ({ memberId }, { db, school }) => [
    {
      name: 'registrations',
      rows: (await listMemberRegistrations(db, school.id, memberId, await provenAddress(db, school.id, memberId))).map(
        buildRow,
      ),
    },
  ]),
]
