import type { CreditableInvoice } from '#src/areas/shop/invoices/index.ts'
import { allocate, computeSum, refundedTax } from '#src/kit/money.ts'

/** A part of a line of an invoice, in minor units; the tax is in the amount. */
export type Credit = {
  readonly lineId: string
  readonly quantity: number
  readonly amount: number
  readonly taxAmount: number
}

type Part = Omit<Credit, 'lineId'>
type InvoiceLine = CreditableInvoice['lines'][number]

const NOTHING: Part = { quantity: 0, amount: 0, taxAmount: 0 }

const sumOfParts = (parts: readonly Part[]): Part => ({
  quantity: computeSum(parts.map(({ quantity }) => quantity)),
  amount: computeSum(parts.map(({ amount }) => amount)),
  taxAmount: computeSum(parts.map(({ taxAmount }) => taxAmount)),
})

const buildPart = ({ quantity, amount, tax_amount: taxAmount }: InvoiceLine): Part => ({
  quantity,
  amount,
  taxAmount,
})

// What credit notes took of a line; only those for refunds, or all.
const computeCredited = ({ notes }: CreditableInvoice, lineId: string, by: 'refunds' | 'all'): Part =>
  sumOfParts(
    notes
      .filter(({ reason }) => by === 'all' || reason !== 'dispute')
      .flatMap(({ lines }) => lines.filter(line => line.line_id === lineId).map(buildPart)),
  )

const computeRest = (invoice: CreditableInvoice, line: InvoiceLine): Part => {
  const credited = computeCredited(invoice, line.line_id, 'all')
  return {
    quantity: line.quantity - credited.quantity,
    amount: line.amount - credited.amount,
    taxAmount: line.tax_amount - credited.taxAmount,
  }
}

// Within what is left of a line; the net amount too cannot exceed what is left of it.
const within = (rest: Part, wanted: Part): Part => {
  const amount = Math.max(0, Math.min(wanted.amount, rest.amount))
  const leastTax = amount - (rest.amount - rest.taxAmount)
  return {
    quantity: Math.max(0, Math.min(wanted.quantity, rest.quantity)),
    amount,
    taxAmount: Math.min(Math.max(wanted.taxAmount, leastTax, 0), rest.taxAmount, amount),
  }
}

/** What is left of an invoice after its credit notes, in minor units. */
export const computeLeft = (invoice: CreditableInvoice): number =>
  computeSum(invoice.lines.map(line => computeRest(invoice, line).amount))

/** Everything that is left of an invoice; empty when no money is. */
export const wholeRest = (invoice: CreditableInvoice): Credit[] => {
  if (computeLeft(invoice) === 0) return []
  return invoice.lines
    .map(line => ({ lineId: line.line_id, ...computeRest(invoice, line) }))
    .filter(({ quantity, amount }) => quantity > 0 || amount > 0)
}

/**
 * What is to be credited for refunds: of each line, what refunds that succeeded returned, beyond what was credited for them
 * before. Empty when nothing is: the same refund is credited once.
 */
export const refundCredits = (invoice: CreditableInvoice, refunded: ReadonlyMap<string, Part>): Credit[] =>
  invoice.lines.flatMap(line => {
    const all = refunded.get(line.line_id) ?? NOTHING
    const before = computeCredited(invoice, line.line_id, 'refunds')
    const due = within(computeRest(invoice, line), {
      quantity: all.quantity - before.quantity,
      amount: all.amount - before.amount,
      taxAmount: all.taxAmount - before.taxAmount,
    })
    return due.amount === 0 ? [] : [{ lineId: line.line_id, ...due }]
  })

const disputePart = (invoice: CreditableInvoice, line: InvoiceLine, amount: number): Part => {
  const rest = computeRest(invoice, line)
  const before = computeCredited(invoice, line.line_id, 'all')
  const until = refundedTax({ amount: line.amount, tax: line.tax_amount, refunded: 0 }, before.amount + amount)
  const isWhole = amount === rest.amount
  return within(rest, { quantity: isWhole ? rest.quantity : 0, amount, taxAmount: until - before.taxAmount })
}

/** What is to be credited for an amount that a bank took back, divided over what is left of the lines; at most that. */
export const disputeCredits = (invoice: CreditableInvoice, amount: number): Credit[] => {
  const rests = invoice.lines.map(line => computeRest(invoice, line).amount)
  const parts = allocate(Math.min(amount, computeSum(rests)), rests)
  return invoice.lines.flatMap((line, index) => {
    const part = disputePart(invoice, line, parts[index] ?? 0)
    return part.amount === 0 ? [] : [{ lineId: line.line_id, ...part }]
  })
}

// The money of an order, as far as a lost dispute depends on it.
type Kept = {
  readonly paid: number
  /** What was paid too much and is going back or did. */
  readonly overpaid: number
  readonly refunded: number
  readonly lost: number
}

/** How much of what is left of an invoice the school did not keep, in minor units. */
export const computeLost = (left: number, { paid, overpaid, refunded, lost }: Kept): number =>
  Math.max(0, left - Math.max(0, paid - overpaid - refunded - lost))
