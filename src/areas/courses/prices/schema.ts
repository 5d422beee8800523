import Type, { type Static } from 'typebox'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { Id, Instant, Nullable, OneOf, Ref, Revision } from '#src/kit/shapes.ts'

/** The kinds of prices. */
const paymentTypes = ['free', 'one_time', 'subscription', 'payment_plan'] as const

/** The intervals of recurring payments. */
const intervals = ['week', 'month', 'year'] as const

/** The status of a price. */
const priceStatuses = ['active', 'retired'] as const

/** The maximum amount, in minor units: 10^12 is enough for every currency and exact as a number. */
const MAX_AMOUNT = 1_000_000_000_000

const PaymentType = OneOf(paymentTypes, 'How it is paid for')
const Amount = Type.Integer({
  minimum: 0,
  maximum: MAX_AMOUNT,
  description: 'In minor units of the currency; for a payment plan, the amount of each payment; 0 only for free prices',
})
const Currency = Type.String({ pattern: '^[A-Z]{3}$', description: "ISO 4217; the school's own" })
const Interval = OneOf(intervals, 'The period in which it is paid again')
const Every = Type.Integer({ minimum: 1, maximum: 36, description: 'The number of intervals per period' })
const Payments = Type.Integer({ minimum: 2, maximum: 60, description: 'The number of payments' })
const Trial = Type.Integer({ minimum: 1, maximum: 365, description: 'Days before the first payment of a subscription' })
const Cap = Type.Integer({
  minimum: 1,
  maximum: 1_000_000,
  description: 'The price is not sold while this many members may use the course',
})
const Days = Type.Integer({ minimum: 1, maximum: 36_500, description: 'The number of days from the purchase' })

/** A price of a course. */
export const Price = Type.Object(
  {
    id: Id('prc'),
    payment_type: PaymentType,
    amount: Amount,
    currency: Currency,
    interval: Nullable(Interval),
    interval_count: Nullable(Every),
    number_of_payments: Nullable(Payments),
    trial_days: Nullable(Trial),
    access: Nullable(
      Type.Object(
        { days: Nullable(Days), until: Nullable(Instant) },
        { additionalProperties: false, description: 'The duration of access; null for unlimited access' },
      ),
    ),
    enrollment_cap: Nullable(Cap),
    seats_left: Nullable(
      Type.Integer({ minimum: 0, description: 'The number of seats left at this price; null without a cap' }),
    ),
    sold_out: Type.Boolean({ description: 'Whether the cap is reached' }),
    status: OneOf(priceStatuses, 'Whether it can be bought'),
    is_primary: Type.Boolean({ description: 'Whether it is the price that is shown first' }),
    revision: Revision,
    created_at: Instant,
    updated_at: Instant,
  },
  { additionalProperties: false, title: 'Price' },
)

/** A new price; it never changes afterwards. */
export const NewPrice = Type.Object(
  {
    payment_type: PaymentType,
    amount: Amount,
    currency: Type.Optional(Currency),
    interval: Type.Optional(Interval),
    interval_count: Type.Optional(Every),
    number_of_payments: Type.Optional(Payments),
    trial_days: Type.Optional(Trial),
    access: Type.Optional(
      Type.Object(
        { days: Type.Optional(Days), until: Type.Optional(Instant) },
        { additionalProperties: false, description: 'Either days or until; without it, access is unlimited' },
      ),
    ),
    enrollment_cap: Type.Optional(Cap),
    replaces: Type.Optional({ ...Id('prc'), description: 'The price that this one replaces and retires: prc_…' }),
  },
  { additionalProperties: false, title: 'NewPrice' },
)

const course_id = Ref('crs', ['external', 'slug'])

/** A price of a course, in a path. */
export const PriceRef = Type.Object({ course_id, price_id: Ref('prc') })

/** The query parameters of the list of prices. */
export const PricesQuery = Type.Object({
  ...PageQuery,
  status: Type.Optional(OneOf(priceStatuses, 'Only this status; retired prices are for those who run the course')),
})

/** One page of the prices of a course. */
export const PricePage = Type.Object(
  {
    ...PageOf(Price, 'PricePage').properties,
    has_access: Type.Optional(
      Type.Boolean({ description: 'For a signed-in caller: whether they already have access' }),
    ),
  },
  { additionalProperties: false, title: 'PricePage' },
)

/** The choice of the primary price. */
export const PrimaryPrice = Type.Object({ price_id: Id('prc') }, { additionalProperties: false, title: 'PrimaryPrice' })

/** The input of a new price, as values. */
export type PriceInput = Static<typeof NewPrice>
