import type { SubscriptionRow } from '#src/areas/memberships/subscriptions/index.ts'
import type { Offer, Unavailable } from '#src/contract/offer.ts'
import { problem, Refusal } from '#src/contract/problem.ts'
import { invalidBody, invalidState } from '#src/contract/problems.ts'
import { isSameRhythm } from '../proration/rules.ts'

/** The subscription cannot change to this price. */
export const priceNotPossible = problem(
  409,
  'price_not_possible',
  'The subscription cannot change to this price',
  'A subscription changes to a price of the payment type subscription, in its currency, of something of the same type that is on sale. A payment plan is paid to its end.',
)

/** A change of the price is on its way. */
export const changePending = problem(
  409,
  'change_pending',
  'A change of the price is waiting',
  'The subscription has a change of its price that waits for a payment or for its next period. Change it to its current price first, which withdraws that, or wait.',
)

/** What was shown cannot be charged any more. */
export const prorationOutdated = problem(
  409,
  'proration_outdated',
  'The amounts have changed',
  'The amounts are valid for an hour, within the period that runs, as long as each of them stays the same. Nothing was changed: read the proration again, show it, and send its `quote`.',
)

// In the same words for an unknown price, a retired one, and that of a draft.
const unknownPrice = (): Refusal =>
  new Refusal(invalidBody, 'There is no such price.', {
    errors: [{ pointer: '/price_id', code: 'unknown', message: 'is not a price at which one can buy' }],
  })

/** The refusal of an offer that is not available; undefined is an unknown price. */
export const offerRefusal = (answer: Unavailable | undefined): Refusal => {
  switch (answer?.unavailable) {
    case undefined:
    case 'retired':
    case 'not_published':
      return unknownPrice()
    default:
      return new Refusal(priceNotPossible, 'This is not on sale now.')
  }
}

type Changing = Pick<SubscriptionRow, 'price' | 'item_type' | 'item_id' | 'status' | 'collection'>

/** Refuses with 409 an offer to which a subscription cannot change. */
export const checkChangeable = (row: Changing, { payment, item }: Offer): void => {
  const { price, item_type: type, item_id: id, status } = row

  const isPossible =
    price?.payment_type === 'subscription' &&
    payment.payment_type === 'subscription' &&
    payment.currency === price.currency &&
    item.type === type &&
    // A trial is one of each person and item.
    (status !== 'trialing' || item.id === id)
  if (!isPossible) throw new Refusal(priceNotPossible, 'The subscription cannot change to this price.')
}

/** Refuses with 409 a change while the status of a subscription does not allow one. */
export const checkStatus = ({ status, collection }: Changing): void => {
  if (collection === 'complimentary') throw new Refusal(priceNotPossible, 'Nothing is paid for the subscription.')
  if (status !== 'active' && status !== 'trialing')
    throw new Refusal(invalidState, `The subscription is ${status}, so its price cannot be changed.`)
}

/** Refuses with 409 periods of another interval for a subscription that is to end, which would cut off what is paid for them. */
export const checkGoesOn = (
  { cancel_at, price }: Pick<SubscriptionRow, 'cancel_at' | 'price'>,
  { payment }: Offer,
): void => {
  if (cancel_at === null || price === null || isSameRhythm(price, payment)) return
  throw new Refusal(invalidState, 'The subscription was canceled and ends later. Undo that first.')
}
