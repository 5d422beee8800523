import Type, { type Static } from 'typebox'
import { BillingInput } from '#src/areas/orders/index.ts'
import { Id, Line } from '#src/kit/shapes.ts'

/** One thing to buy, by its price. */
const CheckoutItem = Type.Object(
  {
    price_id: Id('prc'),
    quantity: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 20,
        description: 'How many; 1 by default, and more than 1 only for tickets',
      }),
    ),
  },
  { additionalProperties: false, title: 'CheckoutItem' },
)

/** What a person wants to buy. No amount, currency or status: these come from the prices. */
export const NewCheckout = Type.Object(
  {
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
  },
  { additionalProperties: false, title: 'NewCheckout' },
)

/** What a person wants to buy, as values. */
export type CheckoutInput = Static<typeof NewCheckout>
