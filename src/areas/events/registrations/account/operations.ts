import type { Static } from 'typebox'
import { buildViewer, findEventRow } from '#src/areas/events/events/index.ts'
import {
  checkoutRefusals,
  countCodes,
  placedOrderView,
  refundTooLarge,
  tooManyPendingOrders,
} from '#src/areas/shop/index.ts'
import type { SignedIn } from '#src/contract/caller.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { declareFor, type WriteContext } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState } from '#src/contract/problems.ts'
import { readList } from '#src/db/list.ts'
import { lockMember } from '#src/identity/index.ts'
import { toId } from '#src/kit/ids.ts'
import { cancelSeat, lockSeat, mayCancel } from '../cancellation/writes.ts'
import { getOwnRegistration, noRegistration } from '../registration/access.ts'
import { type RegistrationRow, registrationList } from '../registration/conditions.ts'
import { findRegistration, listRegistrationsById, listTakeable, storeAnswers } from '../registration/queries.ts'
import { buildFact } from '../registration/rules.ts'
import {
  Registered,
  Registration,
  RegistrationAnswers,
  RegistrationPage,
  RegistrationRef,
} from '../registration/schema.ts'
import { asPerson, registrationView } from '../registration/views.ts'
import { cancellationOver, isRefunded, mayMove, mayStillCancel, tooManySeats } from '../rules.ts'
import { lockSeats } from '../seats/writes.ts'
import { registrationRefusals } from './rules.ts'
import { Acceptance, NewRegistrations, OwnRegistrationsQuery } from './schema.ts'
import { checkedAnswers, register, takeSeats } from './writes.ts'

const own = (status: string) => ({
  registration_id: exampleFrom('reg', 'listAccountRegistrations', { having: { status } }),
})
const ticket = exampleFrom('prc', 'listTicketTypes', {
  having: { name: 'Guest' },
  at: 'price_id',
})

const listAccountRegistrations = declareFor('self', 'account', {
  id: 'listAccountRegistrations',
  route: 'GET /account/registrations',
  summary: 'List your registrations',
  description: 'Lists your registrations for events, newest first, whatever became of them: one for each seat.',
  query: OwnRegistrationsQuery,
  returns: RegistrationPage,
  handle(context) {
    const { school, caller, query } = context
    const { status, event_id: eventId, occurrence_id: occurrenceId } = query
    const filter = { memberId: caller.member.id, status, eventId, occurrenceId }
    return readList(context, registrationList(school.id, filter, '-created_at'), rows =>
      rows.map(row => registrationView(row, asPerson)),
    )
  },
})

const listActions = ({ status, line_id: line }: RegistrationRow): string[] => [
  'getAccountRegistration',
  ...(mayMove('take', status) || (status === 'awaiting_payment' && line === null) ? ['acceptAccountRegistration'] : []),
  ...(mayCancel(status) ? ['setAccountRegistrationAnswers', 'cancelAccountRegistration'] : []),
]

const getAccountRegistration = declareFor('self', 'account', {
  id: 'getAccountRegistration',
  route: 'GET /account/registrations/:registration_id',
  summary: 'Get your registration',
  description: 'Returns one of your registrations, with the code that admits the person once the seat is confirmed.',
  params: RegistrationRef,
  returns: Registration,
  example: { params: own('confirmed') },
  async handle(context) {
    const row = await getOwnRegistration(context, context.params.registration_id)
    return { ...registrationView(row, asPerson), allowed_actions: context.allowedActions(listActions(row)) }
  },
})

type Outcome = Awaited<ReturnType<typeof register>>

const registered = async (
  context: WriteContext<SignedIn>,
  { ids, order, facts }: Outcome,
  fields: readonly string[],
): Promise<Static<typeof Registered>> => {
  const { db, school, caller, changed, record } = context
  changed({ ids: ids.map(id => toId('reg', id)), fields, memberId: caller.member.id })
  for (const fact of facts) record(fact)
  const rows = await listRegistrationsById(db, school.id, ids)
  return {
    data: rows.map(row => registrationView(row, asPerson)),
    order: order === undefined ? null : await placedOrderView(context, order),
  }
}

const createAccountRegistration = declareFor('self', 'account', {
  id: 'createAccountRegistration',
  route: 'POST /account/registrations',
  summary: 'Register for an event',
  description:
    'Registers you for a date of an event: a registration for each seat. A free seat is confirmed at once; one that costs something is held, and `order` says where you pay. A ticket that needs an approval waits for the host, and with `join_waitlist` you wait where no seat is left; nothing is charged for either.',
  idempotency: 'required',
  countTries: countCodes,
  body: NewRegistrations,
  returns: Registered,
  status: 200,
  fails: [tooManyPendingOrders, tooManySeats, ...new Set([...checkoutRefusals, ...registrationRefusals])],
  example: { body: { price_id: ticket, occurrence_id: exampleFrom('occ', 'listOccurrences') } },
  async handle(context) {
    return registered(context, await register(context, context.body), Object.keys(context.body))
  },
})

const acceptAccountRegistration = declareFor('self', 'account', {
  id: 'acceptAccountRegistration',
  route: 'PUT /account/registrations/:registration_id/acceptance',
  summary: 'Take an offered seat',
  description:
    'Takes a seat that was offered to you from the waiting list, or that the host approved, with all other seats that you can take for the same amount. Free seats are confirmed; others lead to an order, which you pay until it expires.',
  countTries: countCodes,
  params: RegistrationRef,
  body: Acceptance,
  returns: Registered,
  fails: [invalidState, tooManyPendingOrders, ...new Set([...checkoutRefusals, ...registrationRefusals])],
  example: { params: own('offered'), body: { billing: { country: 'PT' } } },
  async handle(context) {
    const { db, school, caller, params, body } = context
    const { id: memberId } = caller.member
    await lockMember(db, school.id, memberId)
    const row = await getOwnRegistration(context, params.registration_id)
    // Whose hold ended while this waited for the lock may have lost the seat to another.
    await lockSeats(context, row.occurrence_id)
    const at = { memberId, occurrenceId: row.occurrence_id, priceId: row.price_id ?? '', amount: row.amount }
    const rows = row.price_id === null ? [] : await listTakeable(db, school.id, at)
    if (!rows.some(({ id }) => id === row.id))
      throw new Refusal(invalidState, `The registration is ${row.status}, or its seat is no longer held.`)
    return registered(context, await takeSeats(context, rows, body), ['status'])
  },
})

const checkCancelable = ({ status }: RegistrationRow): void => {
  if (!mayCancel(status)) throw new Refusal(invalidState, `The registration is ${status}.`)
}

const stored = async ({ db, school }: WriteContext<SignedIn>, id: string): Promise<RegistrationRow> => {
  const row = await findRegistration(db, school.id, id)
  if (row === undefined) throw noRegistration()
  return row
}

const setAccountRegistrationAnswers = declareFor('self', 'account', {
  id: 'setAccountRegistrationAnswers',
  route: 'PUT /account/registrations/:registration_id/answers',
  summary: 'Answer the questions of an event',
  description: 'Replaces your answers to the questions of the event.',
  ifMatch: 'honoured',
  params: RegistrationRef,
  body: RegistrationAnswers,
  returns: Registration,
  fails: [invalidState],
  example: { params: own('confirmed'), body: { answers: [] } },
  async handle(context) {
    const { db, school, caller, params, body, requireMatch, changed, record } = context
    const own = await getOwnRegistration(context, params.registration_id)
    const seat = await lockSeat(context, own.id)
    const row = seat?.row ?? own
    await requireMatch(row.revision, () => registrationView(row, asPerson))
    checkCancelable(row)
    const event = await findEventRow(db, school.id, { ...buildViewer(caller), isStaff: true }, row.event_id)
    await storeAnswers(db, school.id, [row.id], checkedAnswers(event?.questions ?? [], body.answers))
    const after = await stored(context, row.id)
    changed({ ids: [toId('reg', row.id)], fields: ['answers'], revision: after.revision, memberId: caller.member.id })
    record(buildFact(row, 'answered'))
    return registrationView(after, asPerson)
  },
})

const cancelAccountRegistration = declareFor('self', 'account', {
  id: 'cancelAccountRegistration',
  route: 'DELETE /account/registrations/:registration_id',
  summary: 'Cancel your registration',
  description:
    'Cancels one of your seats; the others stay. What you paid for it is refunded by the rule of the event. One that waits for payment ends with its order.',
  ifMatch: 'honoured',
  params: RegistrationRef,
  returns: Registration,
  fails: [invalidState, cancellationOver, refundTooLarge],
  example: { params: own('waitlisted') },
  async handle(context) {
    const { db, school, caller, params, now, requireMatch, changed, record } = context
    const before = await getOwnRegistration(context, params.registration_id)
    const seat = await lockSeat(context, before.id)
    if (seat === undefined) throw noRegistration()
    const { row } = seat
    await requireMatch(row.revision, () => registrationView(row, asPerson))
    if (row.status === 'cancelled') return registrationView(row, asPerson)
    checkCancelable(row)
    const event = await findEventRow(db, school.id, { ...buildViewer(caller), isStaff: true }, row.event_id)
    const isInTime = event !== undefined && mayStillCancel(row.starts_at, event.cancellation_until, now)
    if (row.status === 'confirmed' && !isInTime)
      throw new Refusal(cancellationOver, 'The time until which one can cancel is over.')
    const refunds = isRefunded(event?.refund_rule ?? 'none', isInTime)
    for (const fact of await cancelSeat(context, seat, { by: 'person', isRefunded: refunds })) record(fact)
    const after = await stored(context, row.id)
    changed({ ids: [toId('reg', row.id)], fields: ['status'], revision: after.revision, memberId: caller.member.id })
    return registrationView(after, asPerson)
  },
})

/** The operations on the caller's own registrations, in the order of the documentation. */
export const accountRegistrationOperations = [
  listAccountRegistrations,
  getAccountRegistration,
  createAccountRegistration,
  acceptAccountRegistration,
  setAccountRegistrationAnswers,
  cancelAccountRegistration,
]
