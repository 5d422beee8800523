import { calendarEvent, findEventRow, listDatesById, type OccurrenceRow } from '#src/areas/events/events/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import { toLanguage } from '#src/contract/language.ts'
import { type MailAttachment, type MailKind, type MailValues, SENDER } from '#src/contract/mail.ts'
import { recordMail, recordMailTo } from '#src/identity/index.ts'
import { formatPeriod } from '#src/kit/format.ts'
import { calendarText } from '#src/kit/icalendar.ts'
import { toId } from '#src/kit/ids.ts'
import { asciiEmail, isEmail } from '#src/kit/text.ts'
import type { RegistrationRow } from '../registration/conditions.ts'
import { buildTicketUrl, MAX_SEATS, shownCode } from '../rules.ts'
import { findContact, findReader, type Holder, listHolderSeats, type Reader } from './queries.ts'

/** Who holds a seat. */
export const buildHolder = ({ member_id, attendee_name, attendee_email }: RegistrationRow): Holder => ({
  memberId: member_id,
  name: attendee_name,
  email: attendee_email,
})

const findMailReader = async (
  { db, school }: TransactionContext,
  { memberId, name, email }: Holder,
): Promise<Reader | undefined> => {
  if (memberId !== null) return findReader(db, school.id, memberId)
  return email === null ? undefined : { id: null, name, email, locale: school.locale }
}

type Seat = { readonly holder: Holder; readonly occurrenceId: string }

// RFC 5546 §3.2.2 and §3.2.5: a message says who invites and who is invited.
const attached = async (
  context: TransactionContext,
  { holder, occurrenceId }: Seat,
  method: 'REQUEST' | 'CANCEL',
): Promise<readonly MailAttachment[]> => {
  const { db, school } = context
  const reader = await findMailReader(context, holder)
  if (reader === undefined) return []
  const contact = await findContact(db, school.id)
  const people = {
    organizer: { name: school.name, email: contact !== null && isEmail(contact) ? asciiEmail(contact) : SENDER },
    attendee: { name: reader.name, email: reader.email },
  }
  const rows = await listDatesById(db, school.id, [occurrenceId])
  const events = rows.map(row => {
    const event = calendarEvent(row, { school, isForMember: method === 'REQUEST' })
    return { ...event, ...people, isCancelled: method === 'CANCEL' || event.isCancelled }
  })
  if (events.length === 0) return []
  const text = calendarText({ name: school.name, method, events })
  const name = method === 'CANCEL' ? 'cancelled.ics' : 'event.ics'
  return [{ name, type: `text/calendar; charset=utf-8; method=${method}`, text }]
}

const hasSeat = async ({ db, school }: TransactionContext, seat: Seat): Promise<boolean> =>
  (await listHolderSeats(db, school.id, seat)).length > 0

/**
 * The date of an occurrence for the calendar of somebody, with the address of the meeting; nothing for somebody without a
 * confirmed seat, and of an event that is a draft.
 */
export const dateAttached = async (context: TransactionContext, seat: Seat): Promise<readonly MailAttachment[]> =>
  (await hasSeat(context, seat)) ? attached(context, seat, 'REQUEST') : []

/** What takes an occurrence out of the calendar of somebody; nothing while another seat of theirs stands. */
export const cancellationAttached = async (
  context: TransactionContext,
  seat: Seat,
): Promise<readonly MailAttachment[]> => ((await hasSeat(context, seat)) ? [] : attached(context, seat, 'CANCEL'))

/** The confirmed seats of somebody, as rows of a mail: who comes, and the code. */
export const seatRows = async ({ db, school }: TransactionContext, seat: Seat) =>
  (await listHolderSeats(db, school.id, seat)).map(({ attendee_name: name, code }) => [name, shownCode(code)] as const)

/**
 * The codes of the same seats as pictures, for the camera at the entrance. Only merged members can have more than `MAX_SEATS`;
 * the codes of all are in the text.
 */
export const ticketsAttached = async (
  { db, school }: TransactionContext,
  seat: Seat,
  eventId: string,
): Promise<readonly MailAttachment[]> =>
  (await listHolderSeats(db, school.id, seat)).slice(0, MAX_SEATS).map(({ code }) => {
    const shown = shownCode(code)
    const qr = buildTicketUrl(school, { eventId: toId('evt', eventId), code: shown })
    return { name: `${shown}.png`, type: 'image/png', qr }
  })

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

type Dated = Pick<OccurrenceRow, 'event_id' | 'starts_at' | 'ends_at' | 'time_zone'> & { readonly event_name: string }

// Somebody without an account has no page of their registrations.
const linkFor = async (
  { db, school }: TransactionContext,
  { id }: Reader,
  { event_id: eventId }: Dated,
): Promise<string> => {
  if (id !== null) return '/account/registrations'
  const event = await findEventRow(db, school.id, { memberId: undefined, isStaff: false }, eventId)
  return event === undefined ? '/' : `/events/${event.slug}`
}

/** Mails somebody about a date of an event; does nothing for a member who gets no mails any more, and without an address. */
export const mailAbout = async (
  context: TransactionContext,
  holder: Holder,
  dated: Dated,
  compose: (reader: Reader) => Content | Promise<Content>,
): Promise<void> => {
  const { db, school, now } = context
  const reader = await findMailReader(context, holder)
  if (reader === undefined) return
  const { values, ...content } = await compose(reader)
  const when = formatPeriod(dated.starts_at, dated.ends_at, dated.time_zone, toLanguage(reader.locale))
  const link = await linkFor(context, reader, dated)
  const plan = { ...content, values: { event: dated.event_name, when, ...values }, link }
  const { id, email: to, locale } = reader
  await (id === null
    ? recordMailTo(db, school.id, { ...plan, to, locale }, now)
    : recordMail(db, school.id, id, plan, now))
}
