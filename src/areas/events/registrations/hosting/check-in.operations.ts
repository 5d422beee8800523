import { getOwnOccurrence, OccurrenceRef } from '#src/areas/events/events/index.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { declareFor } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState } from '#src/contract/problems.ts'
import { toId } from '#src/kit/ids.ts'
import { noRegistration } from '../registration/access.ts'
import type { RegistrationRow } from '../registration/conditions.ts'
import { findByCode, findRegistration, storeMove } from '../registration/queries.ts'
import { buildFact } from '../registration/rules.ts'
import { Registration, RegistrationRef } from '../registration/schema.ts'
import { buildReader, registrationView } from '../registration/views.ts'
import { foldCode } from '../rules.ts'
import { type Context, exampleDate, exampleWith, getManagedRegistration } from './access.ts'
import { alreadyCheckedIn, codeNotExpected } from './rules.ts'
import { CheckInCode } from './schema.ts'

// Moves a registration that those who manage the event have locked, by a verb.
const moveBy = async (context: Context, id: string, verb: 'check_in' | 'undo_check_in') => {
  const { db, school } = context
  const { event } = await getManagedRegistration(context, id)
  const moved = await storeMove(db, school.id, [id], { verb })
  const row = await findRegistration(db, school.id, id)
  if (row === undefined) throw noRegistration()
  return { row, event, isMoved: moved.length > 0 }
}

type Moved = Awaited<ReturnType<typeof moveBy>>

const done = (context: Context, { row, event }: Moved, what: 'checked_in' | 'check_in_undone') => {
  context.changed({
    ids: [toId('reg', row.id)],
    fields: ['status'],
    revision: row.revision,
    ...(row.member_id === null ? {} : { memberId: row.member_id }),
  })
  context.record(buildFact(row, what))
  return registrationView(row, buildReader(context.caller, event))
}

const wasCheckedIn = ({ checked_in_at: at }: RegistrationRow): Refusal =>
  new Refusal(alreadyCheckedIn, 'The person was checked in before.', {
    members: { checked_in_at: at?.toISOString() ?? null },
  })

const checkIn = async (context: Context, id: string) => {
  const moved = await moveBy(context, id, 'check_in')
  if (moved.isMoved) return done(context, moved, 'checked_in')
  if (moved.row.status === 'checked_in') throw wasCheckedIn(moved.row)
  throw new Refusal(invalidState, `The registration is ${moved.row.status}.`)
}

const checkInRegistration = declareFor('lecturer_of', 'events', {
  id: 'checkInRegistration',
  route: 'PUT /registrations/:registration_id/check-in',
  summary: 'Check somebody in',
  description: 'Notes that the person of a confirmed seat has come.',
  params: RegistrationRef,
  returns: Registration,
  fails: [invalidState, alreadyCheckedIn],
  example: { params: exampleWith('confirmed') },
  handle: context => checkIn(context, context.params.registration_id),
})

const undoCheckIn = declareFor('lecturer_of', 'events', {
  id: 'undoCheckIn',
  route: 'DELETE /registrations/:registration_id/check-in',
  summary: 'Undo a check-in',
  description: 'Takes back a check-in, so that the code admits the person again.',
  params: RegistrationRef,
  returns: Registration,
  fails: [invalidState],
  example: { params: exampleWith('checked_in') },
  async handle(context) {
    const moved = await moveBy(context, context.params.registration_id, 'undo_check_in')
    if (moved.isMoved) return done(context, moved, 'check_in_undone')
    throw new Refusal(invalidState, `The registration is ${moved.row.status}.`)
  },
})

type Unexpected = 'unknown' | 'other_date' | 'not_confirmed'

const sentences: Readonly<Record<Unexpected, string>> = {
  unknown: 'The code is unknown.',
  other_date: 'The code is of another date of this event.',
  not_confirmed: 'The registration of the code is not confirmed.',
}

const notExpected = (reason: Unexpected): Refusal =>
  new Refusal(codeNotExpected, sentences[reason], { members: { reason } })

// A code of another event is as unknown as one of nobody.
const findReason = (
  row: RegistrationRow | undefined,
  occurrenceId: string,
  eventId: string,
): Unexpected | undefined => {
  if (row === undefined || row.event_id !== eventId) return 'unknown'
  if (row.occurrence_id !== occurrenceId) return 'other_date'
  return row.status === 'confirmed' || row.status === 'checked_in' ? undefined : 'not_confirmed'
}

const checkInByCode = declareFor('lecturer_of', 'events', {
  id: 'checkInByCode',
  route: 'POST /occurrences/:occurrence_id/check-ins',
  summary: 'Check in by code',
  description:
    'Checks in the person of a code at a date of an event. A code admits once: at two entrances at the same time, one is refused.',
  // Generous for one entrance, and nothing for somebody who guesses.
  rateLimit: { times: 300, seconds: 60, by: 'member' },
  params: OccurrenceRef,
  body: CheckInCode,
  returns: Registration,
  fails: [codeNotExpected, alreadyCheckedIn, invalidState],
  example: {
    params: { occurrence_id: exampleDate },
    body: {
      code: exampleFrom('reg', 'listEventRegistrations', {
        having: { status: 'confirmed' },
        at: 'code',
      }),
    },
  },
  async handle(context) {
    const { db, school, params, body } = context
    const { occurrence } = await getOwnOccurrence(context, params.occurrence_id)
    const row = await findByCode(db, school.id, foldCode(body.code))
    const reason = findReason(row, occurrence.id, occurrence.event_id)
    if (reason !== undefined || row === undefined) throw notExpected(reason ?? 'unknown')
    return checkIn(context, row.id)
  },
})

/** The operations at the entrance, in the order of the documentation. */
export const checkInOperations = [checkInRegistration, undoCheckIn, checkInByCode]
