import { problem } from '#src/contract/problem.ts'
import type { School } from '#src/contract/school.ts'
import { plainCode } from '#src/kit/text.ts'

/** The statuses of a registration. */
export const registrationStatuses = [
  'awaiting_payment',
  'awaiting_approval',
  'waitlisted',
  'offered',
  'confirmed',
  'checked_in',
  'cancelled',
  'declined',
  'expired',
] as const

/** The status of a registration. */
export type RegistrationStatus = (typeof registrationStatuses)[number]

/** What happens to a registration. */
export type Verb =
  | 'ask'
  | 'hold'
  | 'wait'
  | 'confirm'
  | 'pay'
  | 'expire'
  | 'hold_again'
  | 'approve'
  | 'approve_paid'
  | 'decline'
  | 'offer'
  | 'take'
  | 'take_paid'
  | 'lapse'
  | 'check_in'
  | 'undo_check_in'
  | 'cancel'

/** A move of a registration; new ones come from nothing. */
type Move = { readonly verb: Verb; readonly from: RegistrationStatus | undefined; readonly to: RegistrationStatus }

const from = (verb: Verb, to: RegistrationStatus, ...statuses: readonly (RegistrationStatus | undefined)[]): Move[] =>
  statuses.map(status => ({ verb, from: status, to }))

/** Every move of a registration. What is not in the table is refused and changes nothing. */
export const registrationMoves: readonly Move[] = [
  ...from('ask', 'awaiting_approval', undefined),
  ...from('hold', 'awaiting_payment', undefined),
  ...from('wait', 'waitlisted', undefined),
  ...from('confirm', 'confirmed', undefined),
  ...from('pay', 'confirmed', 'awaiting_payment'),
  ...from('expire', 'expired', 'awaiting_payment'),
  // A payment that arrives late takes the seat again, if one is left.
  ...from('hold_again', 'awaiting_payment', 'expired', 'cancelled'),
  ...from('approve', 'confirmed', 'awaiting_approval'),
  ...from('approve_paid', 'awaiting_payment', 'awaiting_approval'),
  ...from('decline', 'declined', 'awaiting_approval'),
  ...from('offer', 'offered', 'waitlisted'),
  ...from('take', 'confirmed', 'offered'),
  ...from('take_paid', 'awaiting_payment', 'offered'),
  ...from('lapse', 'waitlisted', 'offered'),
  ...from('check_in', 'checked_in', 'confirmed'),
  ...from('undo_check_in', 'confirmed', 'checked_in'),
  ...from('cancel', 'cancelled', 'confirmed', 'waitlisted', 'awaiting_approval', 'offered', 'awaiting_payment'),
]

/** The status to which a verb leads. */
export const statusAfter = (verb: Verb): RegistrationStatus => {
  const found = registrationMoves.find(move => move.verb === verb)
  if (found === undefined) throw new Error(`${verb} leads to no status`)
  return found.to
}

/** The statuses from which a verb leads on. */
export const statusesBefore = (verb: Verb): RegistrationStatus[] =>
  registrationMoves.flatMap(move => (move.verb === verb && move.from !== undefined ? [move.from] : []))

/** Whether the status of a registration allows a verb. */
export const mayMove = (verb: Verb, status: RegistrationStatus): boolean => statusesBefore(verb).includes(status)

/** How long an offer of a seat, or an approval, waits for its person. */
export const OFFER_HOURS = 24

/** The occurrence has begun or is cancelled. */
export const registrationClosed = problem(
  409,
  'registration_closed',
  'Registration is closed',
  'The date has begun, is cancelled, or its event is not published. Choose another date of the event.',
)

/** The person has as many seats as one may have. */
export const tooManySeats = problem(
  409,
  'too_many_seats',
  'There are too many seats of one person',
  'A person can have at most 20 seats of one date, those that wait included. Cancel one to register for another.',
)

/** The date until which people may cancel is over. */
export const cancellationOver = problem(
  409,
  'cancellation_over',
  'It is too late to cancel',
  'The event accepts cancellations until a number of hours before it starts, which have begun. Ask the school.',
)

/** How many seats of one occurrence a person may have or wait for. */
export const MAX_SEATS = 20

/** What is left of a number of seats; null where there is no limit. */
export const computeLeft = (capacity: number | null, taken: number): number | null =>
  capacity === null ? null : Math.max(0, capacity - taken)

/** What is left of both the occurrence and the ticket type; null where neither has a limit. */
export const chooseLeast = (one: number | null, other: number | null): number | null => {
  if (one === null) return other
  return other === null ? one : Math.min(one, other)
}

/** A code as it was typed: in small letters, without what separates its groups, and with letters that are read as digits. */
export const foldCode = (typed: string): string =>
  plainCode(typed).toLowerCase().replaceAll('o', '0').replaceAll(/[il]/g, '1')

/** A code as people read it: capitals in groups. */
export const shownCode = (code: string): string => code.toUpperCase().replace(/^(.{4})(.{4})(.*)$/, '$1-$2-$3')

/** The address of the entrance with the code of a ticket, which the camera of a phone at the entrance opens. */
export const buildTicketUrl = (
  { siteOrigin }: Pick<School, 'siteOrigin'>,
  { eventId, code }: { readonly eventId: string; readonly code: string },
): string => `${siteOrigin}/staff/events/${eventId}/check-in?code=${code}`

/** Whether a person may still cancel a seat of an occurrence that starts then. */
export const mayStillCancel = (startsAt: Date, hours: number, now: Date): boolean =>
  startsAt.getTime() - hours * 3_600_000 > now.getTime()

/** Whether a person who cancels is paid back: always, never, or until the deadline. */
export const isRefunded = (rule: 'full' | 'none' | 'until', isInTime: boolean): boolean =>
  rule === 'full' || (rule === 'until' && isInTime)
