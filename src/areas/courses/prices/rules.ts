import { type FieldError, problem } from '#src/contract/problem.ts'
import type { PriceRow, PriceValues } from './queries.ts'
import type { PriceInput } from './schema.ts'

/** The price was retired. */
export const priceArchived = problem(
  409,
  'price_archived',
  'The price was retired',
  'A price that was retired is not offered again. Make a new price with the same values.',
)

/** A course has enough prices. */
export const tooManyPrices = problem(
  409,
  'too_many_prices',
  'The course has too many prices',
  'A course offers at most twenty prices at a time. Retire one, or say in replaces which one the new price replaces.',
)

/** How many prices a course may offer at a time. */
export const MAX_PRICES = 20

const isRepeated = ({ payment_type: type }: PriceInput): boolean => type === 'subscription' || type === 'payment_plan'

const fault = (pointer: string, code: string, message: string): FieldError => ({ pointer, code, message })

const unwanted = (said: PriceInput, names: readonly (keyof PriceInput)[]): FieldError[] =>
  names.flatMap(name =>
    said[name] === undefined ? [] : [fault(`/${name}`, 'unwanted', `does not go with ${said.payment_type}`)],
  )

const faultsOfAmount = ({ payment_type: type, amount }: PriceInput): FieldError[] => {
  if (type === 'free' && amount !== 0) return [fault('/amount', 'not_free', 'is 0 when nothing is paid')]
  return type !== 'free' && amount === 0 ? [fault('/amount', 'free', 'is 0 only with the payment type free')] : []
}

const faultsOfPeriod = (said: PriceInput): FieldError[] => {
  if (!isRepeated(said)) return unwanted(said, ['interval', 'interval_count'])
  return said.interval === undefined ? [fault('/interval', 'missing', 'says how often it is paid')] : []
}

const faultsOfPayments = (said: PriceInput): FieldError[] => {
  if (said.payment_type !== 'payment_plan') return unwanted(said, ['number_of_payments'])
  if (said.number_of_payments !== undefined) return []
  return [fault('/number_of_payments', 'missing', 'says how many payments the plan has')]
}

const faultsOfAccess = (said: PriceInput, now: Date): FieldError[] => {
  const { access, payment_type: type } = said
  // What is paid again and again is open as long as it is paid.
  if (type === 'subscription' || access === undefined) return unwanted(said, type === 'subscription' ? ['access'] : [])
  if ((access.days === undefined) === (access.until === undefined))
    return [fault('/access', 'one_of', 'has either days or until')]
  const isOver = access.until !== undefined && access.until <= now.toISOString()
  return isOver ? [fault('/access/until', 'past', 'is over already')] : []
}

/** What is wrong with a new price that fits its schema; empty when it can be offered. */
export const faultsOfPrice = (said: PriceInput, currency: string, now: Date): FieldError[] => [
  ...faultsOfAmount(said),
  ...((said.currency ?? currency) === currency ? [] : [fault('/currency', 'currency', `is not ${currency}`)]),
  ...faultsOfPeriod(said),
  ...faultsOfPayments(said),
  ...(said.payment_type === 'subscription' ? [] : unwanted(said, ['trial_days'])),
  ...faultsOfAccess(said, now),
]

/** A new price as it is stored. */
export const priceValues = (said: PriceInput, currency: string): PriceValues => ({
  payment_type: said.payment_type,
  amount: said.amount,
  currency,
  interval: said.interval ?? null,
  interval_count: isRepeated(said) ? (said.interval_count ?? 1) : null,
  number_of_payments: said.number_of_payments ?? null,
  trial_days: said.trial_days ?? null,
  access_days: said.access?.days ?? null,
  access_until: said.access?.until ?? null,
  enrollment_cap: said.enrollment_cap ?? null,
})

/** How many seats of each course are taken, of those for which it matters. */
export type Taken = ReadonlyMap<string, number>

export type Capped = Pick<PriceRow, 'course_id' | 'enrollment_cap'>

/** How many may still buy at a price; null when it has no cap. */
export const seatsLeft = ({ course_id: id, enrollment_cap: cap }: Capped, taken: Taken): number | null =>
  cap === null ? null : Math.max(0, cap - (taken.get(id) ?? 0))

/** Whether there are prices of a course, and none of them has a seat left. */
export const isSoldOut = (prices: readonly Capped[], taken: Taken): boolean =>
  prices.length > 0 && prices.every(price => seatsLeft(price, taken) === 0)
