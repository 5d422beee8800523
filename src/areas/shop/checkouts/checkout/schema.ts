import Type, { type Static } from 'typebox'
import { Answers } from '#src/areas/publishing/index.ts'
import { BillingInput } from '#src/areas/shop/orders/index.ts'
import { MAX_AMOUNT } from '#src/kit/money.ts'
import { Closed, Id, Line } from '#src/kit/shapes.ts'

const EMAIL = { maxLength: 254, format: 'idn-email', pattern: '^[^\\s@]+@[^\\s@]+$' } as const

/** For whom a seat is. */
export const Attendee = Closed('Attendee', {
  name: Line(120, 'The name of the person who comes'),
  email: Type.Optional(
    Type.String({
      ...EMAIL,
      description: 'Their e-mail address, for the host; where a member registers them, mails go to that member',
    }),
  ),
})

/** For tickets: for which date and whom, and what the event asks. */
export const ticketFields = {
  occurrence_id: Type.Optional({
    ...Id('occ'),
    description: 'For a ticket, the date: occ_…; it may be left out where the event has one date',
  }),
  attendees: Type.Optional(
    Type.Array(Attendee, { maxItems: 20, description: 'For tickets, who comes; the rest are for the buyer' }),
  ),
  answers: Type.Optional({
    ...Answers,
    description: 'For a ticket, the answers to the questions of the event, for every seat; required ones are needed',
  }),
  amount: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_AMOUNT,
      description: 'For a ticket whose price people choose: what each costs, in minor units',
    }),
  ),
} as const

/** One thing to buy, by its price. */
const CheckoutItem = Closed('CheckoutItem', {
  price_id: Id('prc'),
  quantity: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 20,
      description: 'How many; 1 by default, and more than 1 only for tickets',
    }),
  ),
  ...ticketFields,
})

/** What a person wants to buy. No currency or status, and no amount but that of a ticket whose price people choose: the rest comes from the prices. */
export const NewCheckout = Closed('NewCheckout', {
  items: Type.Array(CheckoutItem, { minItems: 1, maxItems: 20 }),
  codes: Type.Optional(
    Type.Array(Line(64, 'A code as the person typed it'), {
      maxItems: 3,
      description: 'Codes that reduce the price; each has to apply, and more than one only if all can be combined',
    }),
  ),
  billing: Type.Optional(BillingInput),
  accept_terms: Type.Optional(Type.Boolean({ description: "The person has agreed to the school's terms" })),
  waive_withdrawal: Type.Optional(
    Type.Boolean({
      description: 'The person has agreed to the sentence of the school by which digital content begins at once',
    }),
  ),
  allow_duplicate: Type.Optional(
    Type.Boolean({ description: 'Buy also what the person can use already; without it this is refused' }),
  ),
  campaign: Type.Optional(Line(100, 'The campaign that brought the person, for the records of the school')),
})

/** What a person wants to buy, as values. */
export type CheckoutInput = Static<typeof NewCheckout>
