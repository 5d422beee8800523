import Type from 'typebox'
import { Closed, Id, Instant, Nullable, OneOf } from '#src/kit/shapes.ts'
import { Code } from '../codes/schema.ts'

/** Why a code does not reduce a purchase. */
export const reasons = [
  'unknown_code',
  'off',
  'not_yet',
  'over',
  'used_up',
  'not_for_you',
  'used_by_you',
  'not_first_purchase',
  'not_stackable',
  'currency',
  'wrong_items',
  'wrong_payment_type',
  'below_minimum',
] as const

const Amount = (description: string) => Type.Integer({ minimum: 0, description: `${description}, in minor units` })

const QuoteLine = Closed('CouponQuoteLine', {
  price_id: Id('prc'),
  name: Type.String({ description: 'What it is called' }),
  amount: Amount('What it costs without the code'),
  discount_amount: Amount('What the code takes off'),
})

/** What a code would do to a purchase. */
export const CouponQuote = Closed('CouponQuote', {
  code: Type.String({ description: 'The code of the request' }),
  coupon_id: Nullable(Id('cpn')),
  reason: Nullable(OneOf(reasons, 'Why the code is refused; null if it is not')),
  trial_days: Nullable(Type.Integer({ description: 'How many days of trial it adds' })),
  currency: Type.String({ description: 'ISO 4217' }),
  subtotal: Amount('What the lines cost without the code'),
  discount_total: Amount('What the code takes off'),
  total: Amount('What is left'),
  lines: Type.Array(QuoteLine),
  unavailable: Type.Array(
    Closed('UnavailablePrice', {
      price_id: Id('prc'),
      reason: Type.String({ description: 'Why it cannot be bought' }),
    }),
    { description: 'The prices that are not among the lines' },
  ),
})

/** The query parameters of a quote. */
export const QuoteQuery = Type.Object({
  code: Code,
  'price_id[in]': Type.Array(Id('prc'), {
    minItems: 1,
    maxItems: 20,
    uniqueItems: true,
    description: 'The prices of the purchase, joined by commas; one of each',
  }),
  member_id: Type.Optional({ ...Id('mem'), description: 'Who buys; without it somebody who is not signed in' }),
  at: Type.Optional({ ...Instant, description: 'When; now if left out. Uses count as they are now' }),
})
