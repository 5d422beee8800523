import { calendarEvent, listDatesById } from '#src/areas/event-calendars/index.ts'
import type { OccurrenceRow } from '#src/areas/events/index.ts'
import { shownCode } from '#src/areas/registrations/index.ts'
import type { FactHandler } from '#src/contract/fact.ts'
import type { MailAttachment, MailKind, MailValues } from '#src/contract/mail.ts'
import { recordMail } from '#src/identity/index.ts'
import { calendarText } from '#src/kit/icalendar.ts'
import { findReader, listSeatsOf, type Reader } from './queries.ts'

/** The transaction in which mails are recorded. */
export type Mailing = Pick<Parameters<FactHandler>[1], 'db' | 'school' | 'now'>

/** When something is, as a reader reads it, in the zone of the event. */
export const whenText = (at: Date, zone: string, locale: string): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'short', timeZone: zone }).format(at)

const attached = async (
  { db, school }: Mailing,
  occurrenceId: string,
  method: 'REQUEST' | 'CANCEL',
): Promise<readonly MailAttachment[]> => {
  const rows = await listDatesById(db, school.id, [occurrenceId])
  const events = rows.map(row => {
    const event = calendarEvent(row, { baseUrl: school.baseUrl, isForMember: method === 'REQUEST' })
    return method === 'CANCEL' ? { ...event, isCancelled: true } : event
  })
  if (events.length === 0) return []
  const text = calendarText({ name: school.name, method, events })
  const name = method === 'CANCEL' ? 'cancelled.ics' : 'event.ics'
  return [{ name, type: `text/calendar; charset=utf-8; method=${method}`, text }]
}

type Seat = { readonly memberId: string | null; readonly occurrenceId: string }

const hasSeat = async ({ db, school }: Mailing, { memberId, occurrenceId }: Seat): Promise<boolean> =>
  memberId !== null && (await listSeatsOf(db, school.id, { memberId, occurrenceId })).length > 0

/**
 * The date of an occurrence for the calendar of a member, with the address of the meeting; nothing for somebody without a
 * confirmed seat, and of an event that is a draft.
 */
export const dateAttached = async (where: Mailing, seat: Seat): Promise<readonly MailAttachment[]> =>
  (await hasSeat(where, seat)) ? attached(where, seat.occurrenceId, 'REQUEST') : []

/** What takes an occurrence out of the calendar of a member; nothing while another seat of theirs stands. */
export const cancellationAttached = async (where: Mailing, seat: Seat): Promise<readonly MailAttachment[]> =>
  (await hasSeat(where, seat)) ? [] : attached(where, seat.occurrenceId, 'CANCEL')

/** The confirmed seats of a member, as rows of a mail: who comes, and the code. */
export const seatRows = async ({ db, school }: Mailing, memberId: string, occurrenceId: string) =>
  (await listSeatsOf(db, school.id, { memberId, occurrenceId })).map(
    ({ attendee_name: name, code }) => [name, shownCode(code)] as const,
  )

/** The lines of a text that staff wrote, as rows of a mail. */
export const noteRows = (text: string): (readonly [string])[] =>
  text
    .split('\n')
    .map(line => line.trim())
    .flatMap(line => (line === '' ? [] : [[line] as const]))

/** What a mail about an occurrence says. */
type Content = {
  readonly kind: MailKind
  readonly values?: MailValues
  readonly attachments?: readonly MailAttachment[]
}

type Dated = Pick<OccurrenceRow, 'starts_at' | 'time_zone'> & { readonly event_name: string }

/** Mails a member about a date of an event; does nothing for somebody who gets no mails any more. */
export const mailAbout = async (
  where: Mailing,
  memberId: string | null,
  dated: Dated,
  compose: (reader: Reader) => Content | Promise<Content>,
): Promise<void> => {
  const { db, school, now } = where
  const reader = memberId === null ? undefined : await findReader(db, school.id, memberId)
  if (reader === undefined) return
  const { values, ...content } = await compose(reader)
  const when = whenText(dated.starts_at, dated.time_zone, reader.locale)
  const plan = { ...content, values: { event: dated.event_name, when, ...values }, link: '/account/registrations' }
  await recordMail(db, school.id, reader.id, plan, now)
}
