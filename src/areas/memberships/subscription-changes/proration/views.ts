import type { SubscriptionRow } from '#src/areas/memberships/subscriptions/index.ts'
import type { ChangeQuote } from './lookups.ts'
import type { Figures } from './quotes.rules.ts'
import { usualTime } from './rules.ts'
import type { ProrationView } from './schema.ts'

const listLines = (
  { offer, line, taxation, totals, proration }: ChangeQuote,
  before: string,
): ProrationView['lines'] => [
  { type: 'price', name: offer.name, amount: proration.due },
  ...(proration.used === 0 ? [] : [{ type: 'credit' as const, name: before, amount: -proration.used }]),
  ...(proration.held === 0 ? [] : [{ type: 'balance' as const, name: before, amount: -proration.held }]),
  ...(taxation.mode === 'exclusive' && totals.tax_total > 0
    ? [{ type: 'tax' as const, name: line.tax_name ?? '', amount: totals.tax_total }]
    : []),
]

/** What a preview of a change shows, to sign it or to compare. */
export const buildFigures = ({ offer, at, proration, creditLeft, totals, next }: ChangeQuote): Figures => ({
  price_id: offer.priceId,
  proration: 'prorate',
  proration_at: at.toISOString(),
  to_pay: totals.total,
  credit_used: proration.used + proration.held,
  credit_left: creditLeft,
  next_amount: next.amount,
})

/** What a change of price costs, as the API shows it. */
export const prorationView = (row: SubscriptionRow, quote: ChangeQuote, signed: string | null): ProrationView => {
  const { offer, at, creditLeft, totals, next } = quote
  const { payment } = offer
  return {
    subscription_id: row.id,
    price_id: offer.priceId,
    when: row.price === null ? 'now' : usualTime(row.price.amount, row.price, payment.amount, payment),
    proration_at: at,
    quote: signed,
    currency: payment.currency,
    lines: listLines(quote, row.name),
    to_pay: totals.total,
    tax_amount: totals.tax_total,
    credit: creditLeft,
    next_charge_at: next.at,
    next_amount: next.amount,
  }
}
