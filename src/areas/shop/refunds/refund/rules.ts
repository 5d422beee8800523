import type { LineRow } from '#src/areas/shop/orders/index.ts'
import { refundTooLarge } from '#src/areas/shop/payments/index.ts'
import { type FieldError, Refusal } from '#src/contract/problem.ts'
import { allocate, computeSum, refundedTax } from '#src/kit/money.ts'

/** What of a refund is for a line; amounts in minor units. */
export type RefundPart = {
  readonly line: LineRow
  readonly quantity: number
  readonly amount: number
  readonly endsAccess: boolean
}

// What to refund: everything that is left, a free amount, or amounts or quantities of lines.
type RefundPlan = {
  readonly amount?: number | undefined
  readonly lines?:
    | readonly {
        readonly line_id: string
        readonly quantity?: number | undefined
        readonly amount?: number | undefined
        readonly ends_access?: boolean | undefined
      }[]
    | undefined
}

type Rest = Pick<LineRow, 'amount' | 'quantity' | 'refunded_amount' | 'refunded_quantity'>

/** What of a line is left to refund. */
export const computeRest = ({ amount, refunded_amount }: Rest): number => amount - refunded_amount

const unitsLeft = ({ quantity, refunded_quantity }: Rest): number => quantity - refunded_quantity

/** What so many units of a line cost, of those that are left: cumulative, so that all together are the amount of the line. */
export const amountOfQuantity = (line: Rest, quantity: number): number => {
  const { amount, quantity: all, refunded_quantity: before } = line
  const until = (units: number): number => allocate(amount, [units, all - units])[0] ?? 0
  return Math.min(computeRest(line), until(before + quantity) - until(before))
}

/** The whole rest of a line, with the end of its access. */
export const wholePart = (line: LineRow): RefundPart => ({
  line,
  quantity: unitsLeft(line),
  amount: computeRest(line),
  endsAccess: true,
})

/** One of the units of a line that are left, whose other units stay; undefined where nothing of it is left. */
export const seatPart = (line: LineRow): RefundPart | undefined => {
  if (unitsLeft(line) === 0) return undefined
  const amount = amountOfQuantity(line, 1)
  return amount === 0
    ? undefined
    : { line, amount, quantity: 1, endsAccess: unitsLeft(line) === 1 && amount === computeRest(line) }
}

// By default the end of the money is the end of the access, and a part of it leaves the access.
const buildPart = (line: LineRow, amount: number, endsAccess?: boolean, quantity?: number): RefundPart => {
  const isWhole = amount === computeRest(line)
  return {
    line,
    amount,
    quantity: quantity ?? (isWhole ? unitsLeft(line) : 0),
    endsAccess: endsAccess ?? isWhole,
  }
}

const tooLarge = (left: number): Refusal =>
  new Refusal(refundTooLarge, 'More than is left would be refunded.', { members: { left } })

const partsOfAmount = (lines: readonly LineRow[], amount: number): RefundPart[] => {
  const rests = lines.map(computeRest)
  const left = computeSum(rests)
  if (amount > left) throw tooLarge(left)
  return allocate(amount, rests).flatMap((part, index) => {
    const line = lines[index]
    return line === undefined || part === 0 ? [] : [buildPart(line, part)]
  })
}

/** The errors of the lines of a refund: those of another order, and one line twice. */
export const errorsOfPlan = (lines: readonly LineRow[], { lines: wanted = [] }: RefundPlan): FieldError[] =>
  wanted.flatMap(({ line_id, quantity }, index) => {
    const pointer = `/lines/${index}/line_id`
    const line = lines.find(({ id }) => id === line_id)
    if (line === undefined) return [{ pointer, code: 'unknown', message: 'is not a line of the order' }]
    if (wanted.slice(0, index).some(one => one.line_id === line_id))
      return [{ pointer, code: 'unique', message: 'is named already' }]
    if (quantity === undefined || quantity <= unitsLeft(line)) return []
    return [{ pointer: `/lines/${index}/quantity`, code: 'maximum', message: `is at most ${unitsLeft(line)}` }]
  })

/** The parts of a refund whose plan has no errors. Refuses with 409 more than is left of a line. */
export const listParts = (lines: readonly LineRow[], plan: RefundPlan): RefundPart[] => {
  if (plan.amount !== undefined) return partsOfAmount(lines, plan.amount)
  if (plan.lines === undefined) return lines.filter(line => computeRest(line) > 0).map(wholePart)
  return plan.lines.flatMap(({ line_id, quantity, amount, ends_access }) => {
    const line = lines.find(({ id }) => id === line_id)
    if (line === undefined) return []
    const part = amount ?? (quantity === undefined ? computeRest(line) : amountOfQuantity(line, quantity))
    if (part > computeRest(line)) throw tooLarge(computeRest(line))
    return [buildPart(line, part, ends_access, quantity)]
  })
}

/** The tax in a refund of a line, after so much of it was refunded; all refunds of a line sum to its tax. */
export const taxOfPart = (
  { amount, tax_amount: tax }: Pick<LineRow, 'amount' | 'tax_amount'>,
  before: { readonly amount: number; readonly tax: number },
  part: number,
): number => {
  const until = refundedTax({ amount, tax, refunded: 0 }, before.amount + part)
  return Math.min(part, Math.max(0, until - before.tax))
}

/** A payment of which something is left to refund. */
type Left = { readonly paymentId: string; readonly left: number }

/** A part of a refund that one payment pays back. */
type Slice = { readonly line: LineRow; readonly amount: number }

/** How a refund is taken from payments, in their order: each pays back parts of lines until nothing of it is left. */
export const splitSlices = (
  parts: readonly RefundPart[],
  payments: readonly Left[],
): { readonly paymentId: string; readonly slices: readonly Slice[] }[] => {
  const total = computeSum(parts.map(({ amount }) => amount))
  const left = computeSum(payments.map(one => one.left))
  if (total > left) throw tooLarge(left)
  const open = parts.map(({ line, amount }) => ({ line, amount }))
  return payments.flatMap(({ paymentId, left: most }) => {
    let rest = most
    const slices: Slice[] = []
    for (const one of open) {
      const amount = Math.min(one.amount, rest)
      if (amount > 0) slices.push({ line: one.line, amount })
      one.amount -= amount
      rest -= amount
    }
    return slices.length === 0 ? [] : [{ paymentId, slices }]
  })
}
