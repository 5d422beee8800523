import { computePortion } from './money.ts'

/** A period that was paid for. */
export type PaidPeriod = { readonly from: Date; readonly until: Date }

const secondsBetween = (from: Date, until: Date): number => Math.floor((until.getTime() - from.getTime()) / 1000)

/** How much of a period is left at an instant, in seconds, and how long it is. */
export const computeLeft = (
  { from, until }: PaidPeriod,
  at: Date,
): { readonly left: number; readonly length: number } => {
  const length = Math.max(1, secondsBetween(from, until))
  return { left: Math.min(length, Math.max(0, secondsBetween(at, until))), length }
}

/** The part of what was paid for a period that is not used yet at an instant; the amount in minor units. */
export const computeUnused = (paid: number, period: PaidPeriod, at: Date): number => {
  const { left, length } = computeLeft(period, at)
  return computePortion(paid, left, length)
}

/** What was paid for one line of a period, as the order stores it; amounts in minor units. */
export type PaidLine = {
  readonly unit_amount: number
  readonly quantity: number
  readonly discount_amount: number
  readonly credit_amount: number
  readonly amount: number
  readonly refunded_amount: number
}

/** What money paid for a line in terms of its price: before tax that was added, and without the part that was refunded. */
const moneyFor = ({ unit_amount, quantity, discount_amount, amount, refunded_amount }: PaidLine): number => {
  const money = unit_amount * quantity - discount_amount
  return amount === 0 ? money : computePortion(money, amount - refunded_amount, amount)
}

/**
 * What was paid for a line in terms of its price: after codes, with what a credit paid, before tax that was added, and without
 * the part that was refunded.
 */
export const paidFor = (line: PaidLine): number => moneyFor(line) + line.credit_amount

/** What was paid for a part of a period that contains an instant. */
type PaidPart = PaidLine & { readonly period: PaidPeriod }

/**
 * How much of each part goes back when a period ends at an instant: what is not used of what money paid, the latest part first.
 * Together they are no more than what is not used of the latest part, since a change of the price has credited the rest.
 */
export const computeRefunds = (parts: readonly PaidPart[], at: Date): readonly number[] => {
  const [latest] = parts
  let left = latest === undefined ? 0 : computeUnused(paidFor(latest), latest.period, at)
  return parts.map(part => {
    const unused = computeUnused(moneyFor(part), part.period, at)
    const taken = Math.min(left, unused)
    left -= taken
    const money = computeUnused(part.amount - part.refunded_amount, part.period, at)
    return taken === unused ? money : computePortion(money, taken, unused)
  })
}
