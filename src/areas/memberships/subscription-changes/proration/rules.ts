import { computePortion } from '#src/kit/money.ts'
import { computeLeft, computeUnused, type PaidPeriod } from '#src/kit/proration.ts'

/** How often a price is paid. */
export type Rhythm = { readonly interval: 'week' | 'month' | 'year' | null; readonly interval_count: number | null }

/** Whether two prices are paid in the same rhythm, so that the period that runs goes on. */
export const isSameRhythm = (one: Rhythm, other: Rhythm): boolean =>
  one.interval === other.interval && (one.interval_count ?? 1) === (other.interval_count ?? 1)

/** What a change of the price is computed from; amounts in minor units, before tax that is added. */
type ProrationInput = {
  readonly period: PaidPeriod
  readonly at: Date
  /** What was paid for what runs, after codes and refunds, and for which time; a change within a period pays for its rest. */
  readonly paid: PaidPeriod & { readonly amount: number; readonly creditAmount: number }
  /** The credit of the subscription that stands. */
  readonly standing: number
  /** What a period costs at the new price, after what the code leaves. */
  readonly amount: number
  readonly isSameRhythm: boolean
  readonly prorates: boolean
}

/**
 * What a change of the price costs: `due` is paid with `used` of its own `credit` first, then with `held` of the credit that stands.
 * The `rest` of its own pays coming periods.
 */
export type Proration = {
  readonly credit: number
  /** The part of `credit` that is of an earlier credit, and not of money. */
  readonly ofCredit: number
  readonly due: number
  readonly used: number
  readonly held: number
  readonly rest: number
  readonly toPay: number
}

/** A change that costs and credits nothing. */
export const NOTHING: Proration = { credit: 0, ofCredit: 0, due: 0, used: 0, held: 0, rest: 0, toPay: 0 }

/**
 * What a change of the price costs at an instant. In the same rhythm, the rest of the period is paid at the new price; in another
 * one, a whole period begins now. Without proration nothing is paid or credited, and the period that runs goes on.
 */
export const computeProration = (input: ProrationInput): Proration => {
  const { period, at, paid, amount, standing, isSameRhythm, prorates } = input
  if (!prorates) return NOTHING
  const { left, length } = computeLeft(period, at)
  const credit = computeUnused(paid.amount, paid, at)
  const due = isSameRhythm ? computePortion(amount, left, length) : amount
  const used = Math.min(credit, due)
  const held = Math.min(standing, due - used)
  const ofCredit = Math.min(credit, computeUnused(paid.creditAmount, paid, at))
  return { credit, ofCredit, due, used, held, rest: credit - used, toPay: due - used - held }
}

// What was shown is what is charged for so long.
const VALID_MS = 3600 * 1000

/** Why an instant that a preview gave cannot be used any more. */
type Expired = 'ahead' | 'too_old' | 'other_period'

/** The instant for which a preview made now is computed. A period that a change began can begin up to a second after it. */
export const chooseInstant = (now: Date, period: PaidPeriod | undefined): Date =>
  period !== undefined && now < period.from ? period.from : now

/** Whether an instant that a preview gave can be used now: within the last hour and the period that runs. */
export const expiredBy = (at: Date, now: Date, period: PaidPeriod): Expired | undefined => {
  if (at > chooseInstant(now, period)) return 'ahead'
  if (now.getTime() - at.getTime() > VALID_MS) return 'too_old'
  return at < period.from || now >= period.until ? 'other_period' : undefined
}

/** When a change takes effect unless somebody says otherwise: what costs more now, and what costs less with the next period. */
export const usualTime = (before: number, { interval: old }: Rhythm, after: number, { interval }: Rhythm) =>
  old === interval && after < before ? ('period_end' as const) : ('now' as const)
