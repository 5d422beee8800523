import Type, { type Static } from 'typebox'
import { MAX_AMOUNT } from '#src/kit/money.ts'
import { Closed, Id, Instant, Nullable, OneOf, Revision } from '#src/kit/shapes.ts'
import type { FieldError } from './problem.ts'

/** The kinds of prices. */
const paymentTypes = ['free', 'one_time', 'subscription', 'payment_plan'] as const

/** The intervals of recurring payments. */
const intervals = ['week', 'month', 'year'] as const

/** The status of a price. */
export const priceStatuses = ['active', 'retired'] as const

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
const Months = Type.Integer({ minimum: 1, maximum: 1200, description: 'The number of months from the purchase' })
const Days = Type.Integer({ minimum: 1, maximum: 36_500, description: 'The number of days from the purchase' })

/** A price of something that a school sells. */
export const Price = Closed('Price', {
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
      { days: Nullable(Days), until: Nullable(Instant), months: Type.Optional(Months) },
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
})

/** A new price; it never changes afterwards. */
export const NewPrice = Closed('NewPrice', {
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
})

/** The input of a new price, as values. */
export type PriceInput = Static<typeof NewPrice>

/** The stored values of a price, which never change. */
export type PriceValues = {
  readonly payment_type: 'free' | 'one_time' | 'subscription' | 'payment_plan'
  /** In minor units of the currency. */
  readonly amount: number
  readonly currency: string
  readonly interval: 'week' | 'month' | 'year' | null
  readonly interval_count: number | null
  readonly number_of_payments: number | null
  readonly trial_days: number | null
  readonly access_days: number | null
  readonly access_until: Date | null
  readonly enrollment_cap: number | null
}

const isRepeated = ({ payment_type: type }: PriceInput): boolean => type === 'subscription' || type === 'payment_plan'

const fieldError = (pointer: string, code: string, message: string): FieldError => ({ pointer, code, message })

const unwanted = (input: PriceInput, names: readonly (keyof PriceInput)[]): FieldError[] =>
  names.flatMap(name =>
    input[name] === undefined ? [] : [fieldError(`/${name}`, 'unwanted', `does not go with ${input.payment_type}`)],
  )

const errorsOfAmount = ({ payment_type: type, amount }: PriceInput): FieldError[] => {
  if (type === 'free' && amount !== 0) return [fieldError('/amount', 'not_free', 'is 0 when nothing is paid')]
  return type !== 'free' && amount === 0 ? [fieldError('/amount', 'free', 'is 0 only with the payment type free')] : []
}

const errorsOfPeriod = (input: PriceInput): FieldError[] => {
  if (!isRepeated(input)) return unwanted(input, ['interval', 'interval_count'])
  return input.interval === undefined ? [fieldError('/interval', 'missing', 'says how often it is paid')] : []
}

const errorsOfPayments = (input: PriceInput): FieldError[] => {
  if (input.payment_type !== 'payment_plan') return unwanted(input, ['number_of_payments'])
  if (input.number_of_payments !== undefined) return []
  return [fieldError('/number_of_payments', 'missing', 'says how many payments the plan has')]
}

const errorsOfAccess = (input: PriceInput, now: Date): FieldError[] => {
  const { access, payment_type: type } = input
  // A subscription gives access as long as it is paid for.
  if (type === 'subscription' || access === undefined) return unwanted(input, type === 'subscription' ? ['access'] : [])
  if ((access.days === undefined) === (access.until === undefined))
    return [fieldError('/access', 'one_of', 'has either days or until')]
  const isOver = access.until !== undefined && access.until <= now
  return isOver ? [fieldError('/access/until', 'past', 'is over already')] : []
}

/** The errors of a new price that matches its schema. */
export const errorsOfPrice = (input: PriceInput, currency: string, now: Date): FieldError[] => [
  ...errorsOfAmount(input),
  ...((input.currency ?? currency) === currency ? [] : [fieldError('/currency', 'currency', `is not ${currency}`)]),
  ...errorsOfPeriod(input),
  ...errorsOfPayments(input),
  ...(input.payment_type === 'subscription' ? [] : unwanted(input, ['trial_days'])),
  ...errorsOfAccess(input, now),
]

/** The stored values of a new price. */
export const priceValues = (input: PriceInput, currency: string): PriceValues => ({
  payment_type: input.payment_type,
  amount: input.amount,
  currency,
  interval: input.interval ?? null,
  interval_count: isRepeated(input) ? (input.interval_count ?? 1) : null,
  number_of_payments: input.number_of_payments ?? null,
  trial_days: input.trial_days ?? null,
  access_days: input.access?.days ?? null,
  access_until: input.access?.until ?? null,
  enrollment_cap: input.enrollment_cap ?? null,
})
