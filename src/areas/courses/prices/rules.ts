import { type FieldError, problem } from '#src/contract/problem.ts'
import type { PriceRow, PriceValues } from './queries.ts'
import type { PriceInput } from './schema.ts'

/** The price is retired. */
export const priceArchived = problem(
  409,
  'price_archived',
  'The price was retired',
  'A price that was retired is not offered again. Make a new price with the same values.',
)

/** The course has the maximum number of prices. */
export const tooManyPrices = problem(
  409,
  'too_many_prices',
  'The course has too many prices',
  'A course offers at most twenty prices at a time. Retire one, or say in replaces which one the new price replaces.',
)

/** The maximum number of active prices of a course. */
export const MAX_PRICES = 20

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

/** The number of taken seats by course, for courses with a capped price. */
export type Taken = ReadonlyMap<string, number>

/** The properties of a price that matter for its cap. */
export type Capped = Pick<PriceRow, 'course_id' | 'enrollment_cap'>

/** The number of seats left at a price; null without a cap. */
export const seatsLeft = ({ course_id: id, enrollment_cap: cap }: Capped, taken: Taken): number | null =>
  cap === null ? null : Math.max(0, cap - (taken.get(id) ?? 0))

/** Whether a course has prices but none with a seat left. */
export const isSoldOut = (prices: readonly Capped[], taken: Taken): boolean =>
  prices.length > 0 && prices.every(price => seatsLeft(price, taken) === 0)
