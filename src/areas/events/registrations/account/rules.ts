import { offerEnded, soldOut, type Unavailable } from '#src/contract/offer.ts'
import { problem, Refusal } from '#src/contract/problem.ts'
import { invalidBody } from '#src/contract/problems.ts'
import { registrationClosed } from '../rules.ts'

/** The ticket is not on sale to this person now. */
const ticketNotForYou = problem(
  409,
  'ticket_not_for_you',
  'The ticket is not for this person now',
  'The sale of the ticket has not begun, or it is for other people, such as members of a group. Choose another ticket of the event.',
)

const invalid = (pointer: string, code: string, message: string): Refusal =>
  new Refusal(invalidBody, 'One cannot register like this.', { errors: [{ pointer, code, message }] })

/** The refusal of a ticket that is not available; undefined is an unknown price. */
export const refusalOfTicket = (reason: Unavailable['unavailable'] | undefined): Refusal => {
  switch (reason) {
    case 'sold_out':
      return new Refusal(soldOut, 'No seat is left. Send join_waitlist to wait for one.')
    case 'ended':
      return new Refusal(registrationClosed, 'The date has begun or is cancelled, or the sale has ended.')
    case 'not_open_yet':
    case 'members_only':
    case 'not_for_you':
      return new Refusal(ticketNotForYou, 'The ticket is not on sale to this person now.')
    case 'occurrence_required':
      return invalid('/occurrence_id', 'required', 'is missing: the event has several dates')
    case 'amount_wrong':
      return invalid('/amount', 'amount', 'is for a ticket whose price people choose, and at least its least')
    case 'too_few':
      return invalid('/quantity', 'minimum', 'is less than the ticket is sold in')
    default:
      // In the same words for an unknown price, a retired one, and that of a draft.
      return invalid('/price_id', 'unknown', 'is not a price at which one can register')
  }
}

/** The refusals of a registration. */
export const registrationRefusals = [soldOut, offerEnded, registrationClosed, ticketNotForYou] as const
