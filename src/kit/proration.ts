import { portionOf } from './money.ts'

/** A period that was paid for. */
export type PaidPeriod = { readonly from: Date; readonly until: Date }

const secondsBetween = (from: Date, until: Date): number => Math.floor((until.getTime() - from.getTime()) / 1000)

/** How much of a period is left at an instant, in seconds, and how long it is. */
export const leftOf = ({ from, until }: PaidPeriod, at: Date): { readonly left: number; readonly length: number } => {
  const length = Math.max(1, secondsBetween(from, until))
  return { left: Math.min(length, Math.max(0, secondsBetween(at, until))), length }
}

/** The part of what was paid for a period that is not used yet at an instant; the amount in minor units. */
export const unusedOf = (paid: number, period: PaidPeriod, at: Date): number => {
  const { left, length } = leftOf(period, at)
  return portionOf(paid, left, length)
}
