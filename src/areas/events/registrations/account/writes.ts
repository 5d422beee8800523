import type { OccurrenceRow } from '#src/areas/events/events/index.ts'
import { type AnswerInput, checkAnswers, type Field, type StoredAnswer } from '#src/areas/publishing/index.ts'
import { type OrderRow, placeOrder } from '#src/areas/shop/index.ts'
import type { SignedIn } from '#src/contract/caller.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import type { Fact } from '#src/contract/fact.ts'
import { soldOut } from '#src/contract/offer.ts'
import type { WriteContext } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import { lockMember } from '#src/identity/index.ts'
import { type Found, findTickets } from '../offers/lookups.ts'
import { isOpen } from '../offers/rules.ts'
import type { RegistrationRow } from '../registration/conditions.ts'
import { insertRegistrations, listRegistrationsOfOrder, storeMove } from '../registration/queries.ts'
import { buildFact } from '../registration/rules.ts'
import { newRegistrations, type Seating } from '../registration/writes.ts'
import { MAX_SEATS, registrationClosed, tooManySeats } from '../rules.ts'
import { countOwnSeats } from '../seats/queries.ts'
import { seatsLeft } from '../seats/rules.ts'
import { lockSeats, offerEndedHolds, offerFreeSeats, readSeats } from '../seats/writes.ts'
import { refusalOfTicket } from './rules.ts'
import type { RegistrationsInput } from './schema.ts'

/** What registering led to: the ids of the registrations, the order where they cost something, and the facts. */
type Outcome = {
  readonly ids: readonly string[]
  readonly order: OrderRow | undefined
  readonly facts: readonly Fact[]
}

type Context = WriteContext<SignedIn>

/** The answers to the questions of an event; refuses those that do not fit. */
export const checkedAnswers = (questions: readonly Field[], given: readonly AnswerInput[]): readonly StoredAnswer[] => {
  const { answers, errors } = checkAnswers(questions, given)
  refuseInvalid(errors)
  return answers
}

const buildSeating = (
  found: Found,
  { quantity = 1, attendees = [] }: RegistrationsInput,
  memberId: string,
  answers: readonly StoredAnswer[],
) => ({
  eventId: found.event.id,
  occurrenceId: found.occurrence.id,
  ticketTypeId: found.row.id,
  priceId: found.row.price_id,
  memberId,
  lineId: null,
  amount: found.amount,
  quantity,
  attendees,
  answers,
})

const made = async (
  context: TransactionContext,
  seating: Seating,
  verb: 'ask' | 'wait' | 'confirm',
): Promise<Outcome> => {
  const rows = await newRegistrations(context, seating)
  await insertRegistrations(context.db, context.school.id, rows, { verb })
  const facts = rows.flatMap(row => [
    buildFact(row, 'made'),
    ...(verb === 'confirm' ? [buildFact(row, 'confirmed')] : []),
  ])
  return { ids: rows.map(({ id }) => id), order: undefined, facts }
}

// Where fewer seats are free than somebody wants, these are offered at once.
const waitFor = async (context: TransactionContext, seating: Seating, occurrence: OccurrenceRow): Promise<Outcome> => {
  const { facts, ...outcome } = await made(context, seating, 'wait')
  return { ...outcome, facts: [...facts, ...(await offerFreeSeats(context, occurrence))] }
}

const orderSeats = async (context: Context, input: RegistrationsInput, found: Found): Promise<Outcome> => {
  const { db, school, caller } = context
  const { price_id, quantity = 1, attendees, answers, amount, codes, billing, accept_terms } = input
  const item = {
    price_id,
    quantity,
    occurrence_id: found.occurrence.id,
    ...(attendees && { attendees }),
    ...(answers && { answers }),
    ...(amount !== undefined && { amount }),
  }
  const { order, facts } = await placeOrder(context, {
    memberId: caller.member.id,
    input: {
      items: [item],
      ...(codes && { codes }),
      ...(billing && { billing }),
      ...(accept_terms !== undefined && { accept_terms }),
    },
    clientId: caller.clientId,
  })
  const ids = (await listRegistrationsOfOrder(db, school.id, order.id)).map(({ id }) => id)
  return { ids, order, facts }
}

const checkOwnSeats = async (
  { db, school }: TransactionContext,
  occurrenceId: string,
  memberId: string,
  quantity: number,
) => {
  if ((await countOwnSeats(db, school.id, occurrenceId, memberId)) + quantity > MAX_SEATS)
    throw new Refusal(tooManySeats, `One person can have at most ${MAX_SEATS} seats of one date.`)
}

const checkQuantity = ({ row }: Found, quantity: number): void => {
  if (quantity > row.max_per_order)
    refuseInvalid([
      { pointer: '/quantity', code: 'maximum', message: `is at most ${row.max_per_order} for this ticket` },
    ])
}

/**
 * Registers the caller: asks the host, waits for a seat, confirms a free one, or orders one that costs something. Two
 * requests of one member: the second one waits and counts the seats of the first.
 */
export const register = async (context: Context, input: RegistrationsInput): Promise<Outcome> => {
  const { school, db, caller, now } = context
  const { id: memberId } = caller.member
  const { price_id: priceId, quantity = 1, occurrence_id: occurrenceId, amount, attendees } = input
  await lockMember(db, school.id, memberId)
  const found = await findTickets(context, {
    priceId,
    memberId,
    at: now,
    ticket: { occurrenceId, quantity, amount, attendees },
  })
  if (found === undefined || typeof found === 'string') throw refusalOfTicket(found)
  checkQuantity(found, quantity)
  const answers = checkedAnswers(found.event.questions, input.answers ?? [])
  await checkOwnSeats(context, found.occurrence.id, memberId, quantity)
  const seating = buildSeating(found, input, memberId, answers)
  const occurrence = await lockSeats(context, found.occurrence.id)
  if (occurrence === undefined || !isOpen(occurrence, now)) throw refusalOfTicket('ended')
  const { needs_approval: isAsking } = found.row
  if (isAsking && !found.event.approval_holds_seat) return made(context, seating, 'ask')
  await offerEndedHolds(context, occurrence)
  const left = seatsLeft(await readSeats(context, occurrence, [found.row.id]), found.row.id)
  if (left !== null && left < quantity) {
    // Whoever waited would be offered a seat that nobody approved.
    if (isAsking || !found.event.waitlist)
      throw new Refusal(soldOut, 'No seat is left, and this ticket has no waiting list.')
    if (input.join_waitlist !== true) throw refusalOfTicket('sold_out')
    return waitFor(context, seating, occurrence)
  }
  if (isAsking) return made(context, seating, 'ask')
  return found.amount === 0 ? made(context, seating, 'confirm') : orderSeats(context, input, found)
}

type Taking = Pick<RegistrationsInput, 'codes' | 'billing' | 'accept_terms'>

const orderTaken = async (context: Context, rows: readonly RegistrationRow[], input: Taking): Promise<Outcome> => {
  const { caller } = context
  const [first] = rows
  if (first?.price_id == null) throw new Error('a seat that is paid for has a price')
  const ids = rows.map(({ id }) => id)
  const item = { price_id: first.price_id, quantity: rows.length, occurrence_id: first.occurrence_id }
  const { order, facts } = await placeOrder(context, {
    memberId: caller.member.id,
    input: { items: [item], ...input },
    clientId: caller.clientId,
    registrationIds: ids,
  })
  return { ids, order, facts }
}

/** Takes seats that were offered to the caller or that the host approved: free ones are confirmed, others ordered. */
export const takeSeats = async (
  context: Context,
  rows: readonly RegistrationRow[],
  input: Taking,
): Promise<Outcome> => {
  const { db, school, now } = context
  const [first] = rows
  const occurrence = first && (await lockSeats(context, first.occurrence_id))
  if (occurrence === undefined || !isOpen(occurrence, now))
    throw new Refusal(registrationClosed, 'The date has begun or is cancelled.')
  const isFree = rows.every(({ amount, price_id: price }) => price === null || amount === 0)
  if (!isFree) return orderTaken(context, rows, input)
  const taken = await storeMove(
    db,
    school.id,
    rows.map(({ id }) => id),
    { verb: 'take' },
  )
  return { ids: taken.map(({ id }) => id), order: undefined, facts: taken.map(row => buildFact(row, 'confirmed')) }
}
