import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { computeOrder } from '#src/areas/shop/checkouts/index.ts'
import { type CreditableInvoice, creditedLines } from '#src/areas/shop/invoices/index.ts'
import { allocate, computePercent, computeSum, parsePercent } from '#src/kit/money.ts'
import { taxOfPart } from '../refund/rules.ts'
import { type Credit, computeLeft, computeLost, disputeCredits, refundCredits, wholeRest } from './rules.ts'

const seed = Number(process.env.STOA_TEST_SEED ?? 20_261_123)

type InvoiceLine = CreditableInvoice['lines'][number]
type Reason = CreditableInvoice['notes'][number]['reason']

// What amounts look like in minor units: 4900 yen, 49.00 euros, 49.000 dinars.
const currencies = [
  { currency: 'JPY', least: 1, most: 20_000 },
  { currency: 'EUR', least: 1, most: 500_000 },
  { currency: 'KWD', least: 1, most: 900_000 },
] as const

const orders: fc.Arbitrary<CreditableInvoice & { readonly currency: string }> = fc
  .constantFrom(...currencies)
  .chain(({ currency, least, most }) =>
    fc.record({
      currency: fc.constant(currency),
      prices: fc.array(
        fc.record({ unit: fc.integer({ min: least, max: most }), quantity: fc.integer({ min: 1, max: 5 }) }),
        {
          minLength: 1,
          maxLength: 6,
        },
      ),
      mode: fc.constantFrom('inclusive' as const, 'exclusive' as const),
      percent: fc.constantFrom('23', '6', '33.33', '33.3333', '10'),
    }),
  )
  .map(({ currency, prices, mode, percent }) => {
    const bases = prices.map(({ unit, quantity }) => unit * quantity)
    const discounts = allocate(computePercent(computeSum(bases), 333_300), bases)
    const taxation = {
      mode,
      country: 'PT',
      reverseCharge: false,
      rate: parsePercent(percent) ?? 0,
      name: 'IVA',
    } as const
    const { lines } = computeOrder(
      prices.map(({ unit, quantity }, index) => ({
        unitAmount: unit,
        quantity,
        discount: discounts[index] ?? 0,
        taxClass: 'standard' as const,
      })),
      taxation,
    )
    return {
      currency,
      id: 'invoice',
      isTest: false,
      notes: [],
      lines: lines.map((line, index) => ({
        line_id: `line ${index}`,
        name: 'Rye',
        quantity: prices[index]?.quantity ?? 1,
        unit_amount: line.unit_amount,
        discount_amount: line.discount_amount,
        net_amount: line.amount - line.tax_amount,
        tax_percent: percent,
        tax_name: 'IVA',
        tax_amount: line.tax_amount,
        amount: line.amount,
        period: null,
      })),
    }
  })

// Issues a credit note as the area of invoices does, which throws for more than is left of a line.
const noted = (invoice: CreditableInvoice, credits: readonly Credit[], reason: Reason): CreditableInvoice => {
  const earlier = invoice.lines.map(({ line_id }) => {
    const some = invoice.notes.flatMap(({ lines }) => lines.filter(line => line.line_id === line_id))
    return {
      line_id,
      quantity: computeSum(some.map(({ quantity }) => quantity)),
      amount: computeSum(some.map(({ amount }) => amount)),
      tax_amount: computeSum(some.map(({ tax_amount }) => tax_amount)),
    }
  })
  return { ...invoice, notes: [...invoice.notes, { reason, lines: creditedLines(invoice.lines, credits, earlier) }] }
}

const creditedTo = ({ notes }: CreditableInvoice, line: InvoiceLine, field: 'amount' | 'tax_amount' | 'net_amount') =>
  computeSum(notes.flatMap(({ lines }) => lines.filter(one => one.line_id === line.line_id).map(one => one[field])))

type Refunded = Map<string, { quantity: number; amount: number; taxAmount: number }>

// Refunds an amount of a line, with the tax that a refund of it has.
const refund = (refunded: Refunded, line: InvoiceLine, amount: number): Refunded => {
  const before = refunded.get(line.line_id) ?? { quantity: 0, amount: 0, taxAmount: 0 }
  const taxAmount = taxOfPart(line, { amount: before.amount, tax: before.taxAmount }, amount)
  const isWhole = before.amount + amount === line.amount
  return new Map(refunded).set(line.line_id, {
    quantity: before.quantity + (isWhole ? line.quantity : 0),
    amount: before.amount + amount,
    taxAmount: before.taxAmount + taxAmount,
  })
}

const isExact = (invoice: CreditableInvoice): void => {
  for (const line of invoice.lines)
    for (const field of ['amount', 'tax_amount', 'net_amount'] as const)
      assert.ok(creditedTo(invoice, line, field) <= line[field], `${field} of ${line.line_id}`)
}

test('of 1,000 orders in three currencies, four quarters of each line sum to it and to its tax, and what is left is exact', () => {
  const seen = new Set<string>()
  fc.assert(
    fc.property(orders, order => {
      seen.add(order.currency)
      let invoice: CreditableInvoice = order
      let refunded: Refunded = new Map()
      const total = computeSum(order.lines.map(({ amount }) => amount))
      for (const quarter of [0, 1, 2, 3]) {
        for (const line of order.lines) {
          const part = allocate(line.amount, [1, 1, 1, 1])[quarter] ?? 0
          refunded = refund(refunded, line, part)
          const credits = refundCredits(invoice, refunded)
          if (part === 0) assert.deepEqual(credits, [])
          else invoice = noted(invoice, credits, 'requested')
          assert.deepEqual(refundCredits(invoice, refunded), [], 'once')
        }
        const returned = computeSum([...refunded.values()].map(({ amount }) => amount))
        assert.equal(computeLeft(invoice), total - returned)
      }
      for (const line of order.lines)
        for (const field of ['amount', 'tax_amount', 'net_amount'] as const)
          assert.equal(creditedTo(invoice, line, field), line[field])
      assert.deepEqual([computeLeft(invoice), wholeRest(invoice)], [0, []])
    }),
    { seed, numRuns: 1000 },
  )
  assert.deepEqual([...seen].sort(), ['EUR', 'JPY', 'KWD'])
})

// What happens to an order after its invoice: refunds, some of which fail later, and disputes that are lost.
const steps = fc.array(
  fc.record({
    kind: fc.constantFrom('refund' as const, 'fails later' as const, 'dispute' as const),
    line: fc.nat({ max: 5 }),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
  { maxLength: 8 },
)

test('whatever is refunded, fails later or is disputed, no line is credited beyond what it has, and the rest can be credited', () => {
  fc.assert(
    fc.property(orders, steps, (order, all) => {
      let invoice: CreditableInvoice = order
      let refunded: Refunded = new Map()
      for (const { kind, line: at, share } of all) {
        const line = order.lines[at % order.lines.length] ?? assert.fail()
        const before = refunded
        const left = line.amount - (refunded.get(line.line_id)?.amount ?? 0)
        const amount = Math.floor((kind === 'dispute' ? computeLeft(invoice) : left) * share)
        if (kind !== 'dispute') refunded = refund(refunded, line, amount)
        const credits = kind === 'dispute' ? disputeCredits(invoice, amount) : refundCredits(invoice, refunded)
        if (credits.length > 0) invoice = noted(invoice, credits, kind === 'dispute' ? 'dispute' : 'requested')
        if (kind === 'dispute') assert.equal(computeSum(credits.map(one => one.amount)), amount)
        // The money is still owed, so the credit note stays, and the same refund is not credited again.
        if (kind === 'fails later') refunded = before
        isExact(invoice)
      }
      const rest = wholeRest(invoice)
      if (rest.length > 0) invoice = noted(invoice, rest, 'billing_changed')
      for (const line of order.lines) assert.equal(creditedTo(invoice, line, 'tax_amount'), line.tax_amount)
      assert.equal(computeLeft(invoice), 0)
    }),
    { seed, numRuns: 1000 },
  )
})

test('a lost dispute takes of the invoice what the school did not keep for it', () => {
  const money = { paid: 3000, overpaid: 0, refunded: 0, lost: 0 }
  assert.equal(computeLost(3000, { ...money, lost: 3000 }), 3000)
  assert.equal(computeLost(3000, { ...money, lost: 1000 }), 1000)
  assert.equal(computeLost(2500, { ...money, refunded: 500, lost: 1000 }), 1000)
  // The second of two payments, of which nothing was refunded, was not invoiced.
  assert.equal(computeLost(3000, { ...money, paid: 6000, lost: 3000 }), 0)
  assert.equal(computeLost(3000, { ...money, paid: 6000, overpaid: 3000, lost: 3000 }), 3000)
  assert.equal(computeLost(0, { ...money, lost: 3000 }), 0)
})
