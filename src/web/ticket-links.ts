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

/**
 * The address at which somebody gets a ticket: the checkout where it is paid for, and the form of the account where it is
 * free, needs an approval, or where one can only wait for it.
 */
export const ticketPath = ({ priceId, occurrenceId, amount, needsApproval, seatsLeft }: OfferedTicket): string => {
  const query = new URLSearchParams({ price: priceId, occurrence: occurrenceId })
  const isBought = amount > 0 && !needsApproval && seatsLeft !== 0
  return `${isBought ? '/checkout' : '/account/registrations/new'}?${query}`
}
