import Type from 'typebox'
import { Id, Instant } from '#src/kit/shapes.ts'

const closed = { additionalProperties: false } as const

/** To which price they move. */
export const NewPriceMove = Type.Object(
  { to_price_id: { ...Id('prc'), description: 'A price of the same plan that is on sale' } },
  { ...closed, title: 'NewPriceMove' },
)

/** A move of the holders of a price to another one. */
export const PriceMove = Type.Object(
  {
    from_price_id: Id('prc'),
    to_price_id: Id('prc'),
    subscription_count: Type.Integer({ minimum: 0, description: 'How many subscriptions have the old price now' }),
    not_before: { ...Instant, description: 'Nobody pays the new price for a period that begins before' },
    created_at: Instant,
  },
  { ...closed, title: 'PriceMove' },
)
