import Type, { type Static } from 'typebox'
import { Closed, Id, Instant, Nullable, OneOf } from '#src/kit/shapes.ts'

import { MAX_QUOTE } from './quotes.rules.ts'

const Amount = (description: string) => Type.Integer({ description: `${description}, in minor units` })

/** When a change of the price takes effect. */
export const timings = ['now', 'period_end'] as const

/** Whether the rest of the period is credited and the new price is due for it. */
export const prorations = ['prorate', 'none'] as const

/** To which price a change is computed, and when. */
export const ProrationQuery = Type.Object(
  {
    price_id: { ...Id('prc'), description: 'The new price: prc_…' },
    at: Type.Optional({ ...Instant, description: 'An instant of the period that runs; by default now' }),
  },
  { additionalProperties: false },
)

const ProrationLine = Closed('ProrationLine', {
  type: OneOf(
    ['price', 'credit', 'balance', 'tax'],
    'The new price, the credit for what is not used, what pays of the credit that stands, or tax that is added',
  ),
  name: Type.String(),
  amount: Amount('What it adds; negative for a credit'),
})

/** What a change of the price of a subscription costs. */
export const Proration = Closed('Proration', {
  subscription_id: Id('sub'),
  price_id: Id('prc'),
  when: OneOf(timings, 'When the change takes effect unless the request says otherwise'),
  proration_at: { ...Instant, description: 'The instant of these amounts' },
  quote: Nullable(
    Type.String({
      maxLength: MAX_QUOTE,
      description:
        'These amounts, signed: send it to change the price for them, within an hour; null for another instant',
    }),
  ),
  currency: Type.String({ pattern: '^[A-Z]{3}$' }),
  lines: Type.Array(ProrationLine, { maxItems: 4 }),
  to_pay: Amount('What is due now, with tax'),
  tax_amount: Amount('The tax in it'),
  credit: Amount('What is left of the credit, also of earlier changes, and pays coming periods'),
  next_charge_at: Instant,
  next_amount: Amount('What is due then, with tax, after the code and the credit'),
})

/** A proration as it is returned. */
export type ProrationView = Static<typeof Proration>
