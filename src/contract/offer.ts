import type { Fact } from './fact.ts'
import { hook } from './hook.ts'
import type { PriceValues } from './price.ts'
import { type FieldError, problem } from './problem.ts'

/** What a line of a purchase is about, by the id of its row. */
export type OfferedItem = {
  readonly type: 'course' | 'membership_plan' | 'digital_product' | 'ticket'
  readonly id: string
}

/**
 * For how long access is given: days or months from the purchase, an instant, as long as a subscription is paid, or without
 * an end.
 */
export type OfferedAccess =
  | { readonly days: number }
  | { readonly months: number }
  | { readonly until: Date }
  | { readonly forSubscription: true }
  | null

/** For which date and for whom tickets are bought; nothing of it matters to other items. */
export type TicketChoice = {
  readonly occurrenceId?: string | undefined
  /** How many; 1 where it is left out. */
  readonly quantity?: number | undefined
  /** What the buyer chose to pay for each, in minor units, where the ticket leaves that to buyers. */
  readonly amount?: number | undefined
  /** For whom the seats are; those that are left out are for the buyer. */
  readonly attendees?: readonly { readonly name: string; readonly email?: string | undefined }[] | undefined
  /** What the buyer answers to the questions of the event, by the ids of its fields. */
  readonly answers?:
    | readonly { readonly field_id: string; readonly value: string | number | boolean | string[] }[]
    | undefined
  /** The registrations whose seats are held already: offered from a waiting list, or approved. */
  readonly registrationIds?: readonly string[] | undefined
}

/** What can be bought at a price, as read from the database: no amount comes from a buyer. */
export type Offer = {
  readonly item: OfferedItem
  readonly priceId: string
  /** As it is called now; a line keeps it. */
  readonly name: string
  readonly payment: PriceValues
  readonly access: OfferedAccess
  readonly mostPerOrder: number
  /** Of a ticket, the choice with the occurrence that was found for it. */
  readonly ticket?: TicketChoice | undefined
  /** Of a ticket, what is missing or wrong in the answers; the pointers begin at the choice. */
  readonly answerErrors?: readonly FieldError[] | undefined
  readonly taxClass: 'standard' | 'exempt'
}

/** Why an offer is not available. A buyer does not learn that a price exists which is `retired` or `not_published`. */
export type Unavailable = {
  readonly unavailable:
    | 'retired'
    | 'not_published'
    | 'not_open_yet'
    | 'off_sale'
    | 'ended'
    | 'sold_out'
    | 'already_has_access'
    | 'members_only'
    | 'needs_approval'
    | 'occurrence_required'
    | 'amount_wrong'
    | 'too_few'
    | 'not_for_you'
  /** What it is about, where a buyer may know that it exists. */
  readonly about?: Pick<Offer, 'item' | 'name'>
}

/** The line has what it needs until an instant. */
export type Reserved = { readonly reservedUntil: Date }

/** Too few are left. */
export type SoldOut = { readonly unavailable: 'sold_out' }

/** There are no seats or pieces left. */
export const soldOut = problem(
  409,
  'sold_out',
  'It is sold out',
  'All seats at this price are taken or reserved. A reservation that is not paid for expires, so a seat may become free again.',
)

/** The buyer has what they want to buy. */
export const alreadyHasAccess = problem(
  409,
  'already_has_access',
  'You already have access',
  'You can already use this, through this or another purchase, a group or the school. Nothing was changed.',
)

/** What the offer gives has an end, and is over. */
export const offerEnded = problem(
  409,
  'offer_ended',
  'The offer has ended',
  'The access that this price gives ended at a fixed time. Choose another price.',
)

/** What an offer is asked for: a price, a member or somebody who is not signed in, an instant, and seats at an event. */
export type OfferRequest = {
  readonly priceId: string
  readonly memberId: string | undefined
  readonly at: Date
  readonly ticket?: TicketChoice | undefined
}

/**
 * Called for what a price offers to a member, or to somebody who is not signed in, at an instant; the area of the price
 * answers.
 */
export const offerOf = hook<OfferRequest, Offer | Unavailable | undefined>('offerOf')

/** The parts of a purchase that `reserve` needs. */
type Reservation = {
  /** The line of the purchase, which has at most one reservation. */
  readonly lineId: string
  readonly offer: Offer
  readonly quantity: number
  readonly memberId: string
  /** When the reservation expires, by the database's clock. */
  readonly until: Date
}

/**
 * Called to take what is scarce for a line of a member, who is locked, until an instant. A line that has a reservation
 * keeps it, until the new instant. Undefined also when the item is gone.
 */
export const reserve = hook<Reservation, Reserved | SoldOut | undefined>('reserve')

/** Called to give back what was reserved for a line. */
export const release = hook<{ readonly lineId: string }, void>('release')

/**
 * Called to give a member what they bought, in the transaction that settles the purchase, and to end the reservation.
 * Whether anything is left is not checked again. A line gives once, also after what it gave was taken back.
 */
export const fulfil = hook<
  {
    readonly lineId: string
    readonly offer: Offer
    readonly memberId: string
    readonly orderId: string
    readonly now: Date
  },
  readonly Fact[]
>('fulfil')

/** Called to take back what a line gave, and nothing else; `reason` is for the staff. */
export const unfulfil = hook<
  { readonly lineId: string; readonly quantity: number; readonly now: Date; readonly reason: string },
  readonly Fact[]
>('unfulfil')

/** Called for whether an order gave a member what a price offers, also when that has ended since. */
export const gavePrice = hook<{ readonly memberId: string; readonly priceId: string }, boolean>('gavePrice')

/** Called for when the first of what lines of a purchase bought begins; undefined where nothing begins at an instant. */
export const beginsAt = hook<{ readonly lineIds: readonly string[] }, Date | undefined>('beginsAt')
