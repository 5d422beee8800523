import Type from 'typebox'
import { Closed, Id, Instant } from '#src/kit/shapes.ts'

/** To which price they move. */
export const NewPriceMove = Closed('NewPriceMove', {
  to_price_id: { ...Id('prc'), description: 'A price of the same plan that is on sale' },
})

/** A move of the holders of a price to another one. */
export const PriceMove = Closed('PriceMove', {
  from_price_id: Id('prc'),
  to_price_id: Id('prc'),
  subscription_count: Type.Integer({ minimum: 0, description: 'How many subscriptions have the old price now' }),
  not_before: { ...Instant, description: 'Nobody pays the new price for a period that begins before' },
  created_at: Instant,
})
