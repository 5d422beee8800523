import Type, { type Static } from 'typebox'
import { Subscription } from '#src/areas/memberships/subscriptions/index.ts'
import { Order } from '#src/areas/shop/index.ts'
import { Closed, Id, Instant, Nullable, OneOf } from '#src/kit/shapes.ts'
import { MAX_QUOTE } from '../proration/quotes.rules.ts'
import { prorations, timings } from '../proration/schema.ts'

const price_id = { ...Id('prc'), description: 'The new price; the current one withdraws a change that waits' }
const when = Type.Optional(
  OneOf(
    timings,
    'When it takes effect: by default now, and with the next period for a lower price of the same interval',
  ),
)
const quote = Type.Optional(
  Type.String({
    maxLength: MAX_QUOTE,
    pattern: '^[A-Za-z0-9_-]+[.][A-Za-z0-9_-]+$',
    description: 'As GET …/proration returned it; needed where money may be due',
  }),
)

/** A new price that a member chooses. */
export const OwnNewPrice = Closed('OwnNewPrice', { price_id, when, quote })

/** A new price that staff choose. */
export const NewSubscriptionPrice = Closed('NewSubscriptionPrice', {
  price_id,
  when,
  quote,
  proration: Type.Optional(
    OneOf(prorations, 'prorate: what is not used is credited and the new price is due for the rest; none: neither'),
  ),
})

/** A change of the price that staff choose, as values. */
export type NewPriceInput = Static<typeof NewSubscriptionPrice>

/** A subscription after a change of its price was asked for. */
export const PriceChange = Closed('SubscriptionPriceChange', {
  status: OneOf(
    ['done', 'planned', 'unpaid', 'unchanged'],
    'Whether the price has changed, changes with a later period, changes once the order is paid, or stays as it was',
  ),
  changes_at: Nullable({ ...Instant, description: 'The instant from which a planned change takes effect' }),
  order: Nullable(Order),
  subscription: Subscription,
})
