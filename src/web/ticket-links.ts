/** A ticket for a date of an event, as a page offers it. */
type OfferedTicket = {
  readonly priceId: string
  readonly occurrenceId: string
  /** What a seat costs, in minor units. */
  readonly amount: number
  readonly needsApproval: boolean
  /** The seats that are left; null: no limit. */
  readonly seatsLeft: number | null
}

const choosePage = ({ amount, needsApproval, seatsLeft }: OfferedTicket): string => {
  if (needsApproval) return '/account/registrations/new'
  if (seatsLeft === 0) return '/account/registrations/wait'
  return amount > 0 ? '/checkout' : '/account/registrations/new'
}

/**
 * The address at which somebody gets a ticket: the checkout where it is paid for, a form of the account where it is free or
 * needs an approval, and the page of the waiting list where no seat is left.
 */
export const ticketPath = (ticket: OfferedTicket): string =>
  `${choosePage(ticket)}?${new URLSearchParams({ price: ticket.priceId, occurrence: ticket.occurrenceId })}`
