import { computePortion } from '#src/kit/money.ts'
import { type PaidLine, paidFor } from '#src/kit/proration.ts'

/**
 * What of a credit that stands is the money of which line, when what was credited first is used first: the lines are those that
 * were credited, the last one first. What is left is of no line that is known.
 */
export const computeStanding = <Line extends { readonly net: number }>(
  lines: readonly Line[],
  credit: number,
): readonly { readonly line: Line; readonly standing: number }[] => {
  let left = credit
  return lines.map(line => {
    const standing = Math.min(left, Math.max(0, line.net))
    left -= standing
    return { line, standing }
  })
}

const computePrice = ({ unit_amount, quantity, discount_amount }: PaidLine): number =>
  unit_amount * quantity - discount_amount

/** What of the money of a line was not refunded, in terms of its price. */
export const computeUnrefunded = (line: PaidLine): number => paidFor(line) - line.credit_amount

/** The money that pays back a part of a line in terms of its price, so that all parts together are its amount. */
export const computeMoneyBack = (line: PaidLine, part: number): number => {
  const price = computePrice(line)
  if (price <= 0) return 0
  const until = Math.min(price, price - computeUnrefunded(line) + part)
  const money = computePortion(line.amount, until, price) - line.refunded_amount
  return Math.max(0, Math.min(line.amount - line.refunded_amount, money))
}

/** What of the money of a line cannot go back, since a credit of it was used: `used` is in terms of its price. */
export const computeLockedMoney = (line: PaidLine, used: number): number =>
  line.amount - line.refunded_amount - computeMoneyBack(line, Math.max(0, computeUnrefunded(line) - used))
