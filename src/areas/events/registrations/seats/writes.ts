import { findOccurrenceRow, lockOccurrenceRows, type OccurrenceRow } from '#src/areas/events/events/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import type { Fact } from '#src/contract/fact.ts'
import { recordFacts } from '#src/db/audit.ts'
import { putJob } from '#src/db/jobs.ts'
import { storeMove } from '../registration/queries.ts'
import { buildFact } from '../registration/rules.ts'
import { OFFER_HOURS } from '../rules.ts'
import { countSeats, findFirstHold, hasEndedHold, listCapacities, listWaiting } from './queries.ts'
import { firstWithSeat, type Seats } from './rules.ts'

/** The kind of job that ends offers of seats which nobody took. */
export const OFFER_JOB = 'waitlist_offer'

// However many wait, so many are looked at when a seat is free.
const MAX_LOOKED_AT = 500
const HOUR_MS = 3_600_000

/** The seats of an occurrence; exact while it is locked. */
export const readSeats = async (
  { db, school }: Pick<TransactionContext, 'db' | 'school'>,
  { id, capacity }: Pick<OccurrenceRow, 'id' | 'capacity'>,
  ticketTypeIds: readonly string[] = [],
): Promise<Seats> => {
  const counts = await countSeats(db, school.id, [id])
  const types = [...ticketTypeIds, ...counts.flatMap(({ ticket_type_id: type }) => (type === null ? [] : [type]))]
  const limits = await listCapacities(db, school.id, [...new Set(types)])
  return { capacity, counts, limits: new Map(limits.map(row => [row.id, row.capacity])) }
}

/** Locks an occurrence, so that nobody else counts or takes its seats; undefined when there is none. */
export const lockSeats = async (
  { db, school }: Pick<TransactionContext, 'db' | 'school'>,
  occurrenceId: string,
): Promise<OccurrenceRow | undefined> => {
  await lockOccurrenceRows(db, school.id, [occurrenceId])
  return findOccurrenceRow(db, school.id, occurrenceId)
}

/** Has the worker end the next hold of an occurrence that no order ends. */
export const scheduleHolds = async (
  { db, school }: Pick<TransactionContext, 'db' | 'school'>,
  occurrenceId: string,
) => {
  const dueAt = await findFirstHold(db, school.id, occurrenceId)
  if (dueAt !== undefined) await putJob(db, school.id, { kind: OFFER_JOB, id: occurrenceId, dueAt })
}

/** Until when a seat that is offered now is held: for a day, and not beyond the start. */
export const offeredUntil = ({ starts_at: start }: Pick<OccurrenceRow, 'starts_at'>, now: Date): Date =>
  new Date(Math.min(now.getTime() + OFFER_HOURS * HOUR_MS, start.getTime()))

/**
 * Offers the seats of a locked occurrence that are free to those who wait longest, but not to `except`, whose offers have
 * just passed; returns the facts.
 */
export const offerFreeSeats = async (
  context: TransactionContext,
  occurrence: OccurrenceRow,
  except: readonly string[] = [],
): Promise<readonly Fact[]> => {
  const { db, school, now } = context
  if (occurrence.status !== 'scheduled' || occurrence.starts_at <= now) return []
  const waiting = (await listWaiting(db, school.id, occurrence.id, MAX_LOOKED_AT)).filter(
    ({ id }) => !except.includes(id),
  )
  if (waiting.length === 0) return []
  const types = waiting.flatMap(({ ticket_type_id: type }) => (type === null ? [] : [type]))
  const ids = firstWithSeat(await readSeats(context, occurrence, types), waiting)
  const until = offeredUntil(occurrence, now)
  const rows = await storeMove(db, school.id, ids, { verb: 'offer', holdUntil: until })
  await scheduleHolds(context, occurrence.id)
  return rows.map(row => buildFact(row, 'offered'))
}

/**
 * Offers the seats of a locked occurrence whose holds are over to those who wait, so that nobody who comes later takes one
 * before the worker has ended the hold.
 */
export const offerEndedHolds = async (context: TransactionContext, occurrence: OccurrenceRow): Promise<void> => {
  const { db, school, now } = context
  if (!(await hasEndedHold(db, school.id, occurrence.id))) return
  await recordFacts(db, { schoolId: school.id, now }, await offerFreeSeats(context, occurrence))
}
