import { findOccurrenceRow } from '#src/areas/events/events/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import type { FactHandler, RecordedFact } from '#src/contract/fact.ts'
import { toLanguage } from '#src/contract/language.ts'
import { putJob } from '#src/db/jobs.ts'
import { formatTime } from '#src/kit/format.ts'
import { fromId, newUuid } from '#src/kit/ids.ts'
import type { RegistrationRow } from '../registration/conditions.ts'
import { findRegistration } from '../registration/queries.ts'
import { MAILING_JOB, planReminder } from './jobs.ts'
import { eventMails } from './mails.ts'
import {
  findCancellation,
  findFirstEnded,
  findFirstOffered,
  type Holder,
  insertMailing,
  listHolderSeats,
} from './queries.ts'
import {
  buildHolder,
  cancellationAttached,
  dateAttached,
  mailAbout,
  noteRows,
  seatRows,
  ticketsAttached,
} from './writes.ts'

const findFactRegistration = async (
  { payload }: { readonly payload: { readonly registration_id: string } },
  { db, school }: TransactionContext,
): Promise<RegistrationRow | undefined> => {
  const id = fromId('reg', payload.registration_id)
  return id === undefined ? undefined : findRegistration(db, school.id, id)
}

const buildSeat = (row: RegistrationRow) => ({ holder: buildHolder(row), occurrenceId: row.occurrence_id })

// Seats that were confirmed together are in one mail, which the first of them sends.
const isFirstOfTogether = async ({ db, school }: TransactionContext, row: RegistrationRow): Promise<boolean> => {
  if (row.confirmed_at === null) return false
  const at = row.confirmed_at.getTime()
  const seats = await listHolderSeats(db, school.id, buildSeat(row))
  return seats.find(seat => seat.confirmed_at.getTime() === at)?.id === row.id
}

// Mails the codes of seats that were confirmed, with the date for calendars, and plans the reminders.
const onConfirmed: FactHandler<'registration.confirmed'> = async (fact, where) => {
  const row = await findFactRegistration(fact, where)
  if (row?.status !== 'confirmed') return
  const occurrence = await findOccurrenceRow(where.db, where.school.id, row.occurrence_id)
  if (occurrence?.status === 'scheduled') await planReminder(where, occurrence)
  if (!(await isFirstOfTogether(where, row))) return
  await mailAbout(where, buildHolder(row), row, async () => ({
    kind: eventMails.registration_confirmed,
    values: { seats: await seatRows(where, buildSeat(row)) },
    attachments: [
      ...(await dateAttached(where, buildSeat(row))),
      ...(await ticketsAttached(where, buildSeat(row), row.event_id)),
    ],
  }))
}

type Holding = 'registration_offered' | 'registration_approved'

const mailHold = async (context: TransactionContext, row: RegistrationRow, until: Date, kind: Holding): Promise<void> =>
  mailAbout(context, buildHolder(row), row, ({ locale }) => ({
    kind: eventMails[kind],
    values: { until: formatTime(until, row.time_zone, toLanguage(locale)) },
  }))

// Mails that a seat is offered, and until when; once for several that are offered together.
const onOffered: FactHandler<'registration.offered'> = async (fact, where) => {
  const row = await findFactRegistration(fact, where)
  if (row?.status !== 'offered' || row.hold_until === null) return
  const { hold_until: until } = row
  const first = await findFirstOffered(where.db, where.school.id, { ...buildSeat(row), until })
  if (first === row.id) await mailHold(where, row, until, 'registration_offered')
}

// Mails that a seat can be paid for, and until when; a free one is confirmed by a mail of its own.
const onApproved: FactHandler<'registration.approved'> = async (fact, where) => {
  const row = await findFactRegistration(fact, where)
  if (row?.status === 'awaiting_payment' && row.hold_until !== null)
    await mailHold(where, row, row.hold_until, 'registration_approved')
}

// Mails that the host declined.
const onDeclined: FactHandler<'registration.declined'> = async (fact, where) => {
  const row = await findFactRegistration(fact, where)
  if (row?.status === 'declined')
    await mailAbout(where, buildHolder(row), row, () => ({ kind: eventMails.registration_declined }))
}

// However many seats somebody had, they learn once that it does not take place.
const mailEventCancelled = async (context: TransactionContext, row: RegistrationRow): Promise<void> => {
  const { db, school } = context
  const first = await findFirstEnded(db, school.id, buildSeat(row))
  if (first?.id !== row.id) return
  const said = await findCancellation(db, school.id, row.occurrence_id)
  await mailAbout(context, buildHolder(row), row, async () => ({
    kind: eventMails.event_cancelled,
    values: { notes: [...noteRows(said?.reason ?? ''), ...noteRows(said?.message ?? '')] },
    attachments: first.was_confirmed ? await cancellationAttached(context, buildSeat(row)) : [],
  }))
}

const mailSeatCancelled = async (context: TransactionContext, row: RegistrationRow): Promise<void> => {
  await mailAbout(context, buildHolder(row), row, async () => ({
    kind: eventMails.registration_cancelled,
    values: { name: row.attendee_name },
    attachments: row.confirmed_at === null ? [] : await cancellationAttached(context, buildSeat(row)),
  }))
}

// An order that was not paid has mails of its own, and nobody is left where a member has gone.
const UNTOLD: readonly RegistrationRow['cancelled_by'][] = ['payment', 'deletion', 'erasure']

// Mails that a seat was cancelled.
const onCancelled: FactHandler<'registration.cancelled'> = async (fact, where) => {
  const row = await findFactRegistration(fact, where)
  if (row?.status !== 'cancelled') return
  if (row.cancelled_by === 'event') return mailEventCancelled(where, row)
  if (!UNTOLD.includes(row.cancelled_by)) await mailSeatCancelled(where, row)
}

// Has everybody who is registered told that a date has moved, and reminds them of the new one.
const onRescheduled: FactHandler<'occurrence.rescheduled'> = async ({ payload }, where) => {
  const { db, school, now } = where
  const id = fromId('occ', payload.occurrence_id)
  const occurrence = id === undefined ? undefined : await findOccurrenceRow(db, school.id, id)
  if (occurrence?.status !== 'scheduled') return
  const mailing = {
    id: newUuid(now.getTime()),
    occurrence_id: occurrence.id,
    kind: 'changed',
    subject: null,
    message: null,
  } as const
  await insertMailing(db, school.id, {
    ...mailing,
    statuses: ['confirmed', 'checked_in', 'offered', 'awaiting_payment', 'awaiting_approval', 'waitlisted'],
  })
  await putJob(db, school.id, { kind: MAILING_JOB, id: mailing.id, dueAt: now })
  await planReminder(where, occurrence)
}

const leftDate = async (
  { payload }: RecordedFact<'registration.moved'>,
  context: TransactionContext,
  holder: Holder,
) => {
  const occurrenceId = fromId('occ', payload.from_occurrence_id)
  return occurrenceId === undefined ? [] : cancellationAttached(context, { holder, occurrenceId })
}

// Mails the new date of a seat that was moved to another one, takes the old one out of calendars, and plans reminders.
const onMoved: FactHandler<'registration.moved'> = async (fact, where) => {
  const row = await findFactRegistration(fact, where)
  if (row?.status !== 'confirmed') return
  const occurrence = await findOccurrenceRow(where.db, where.school.id, row.occurrence_id)
  if (occurrence?.status === 'scheduled') await planReminder(where, occurrence)
  await mailAbout(where, buildHolder(row), row, async () => ({
    kind: eventMails.event_changed,
    attachments: [...(await dateAttached(where, buildSeat(row))), ...(await leftDate(fact, where, buildHolder(row)))],
  }))
}

/** What mails react to. */
export const mailSubscribers = {
  'registration.confirmed': onConfirmed,
  'registration.offered': onOffered,
  'registration.approved': onApproved,
  'registration.declined': onDeclined,
  'registration.cancelled': onCancelled,
  'registration.moved': onMoved,
  'occurrence.rescheduled': onRescheduled,
}
